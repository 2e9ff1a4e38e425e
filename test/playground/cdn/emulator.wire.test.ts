import { describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

describe('authentication', () => {
  const statistics = '/storagezone/101/statistics'
  const logs = '/v2/pullzones/301/logs?limit=1'

  it('lets the access key and the bearer token into both interfaces', async () => {
    const bearer = { headers: { Authorization: `Bearer ${emulator.it.bearerToken}` } }
    expect((await emulator.management(statistics)).status).toBe(200)
    expect((await emulator.management(statistics, bearer)).status).toBe(200)
    expect((await emulator.logging(logs)).status).toBe(200)
    expect((await emulator.logging(logs, bearer)).status).toBe(200)
  })

  it.each([{}, { AccessKey: 'wrong' }, { Authorization: 'Bearer wrong' }, { Authorization: 'Basic eDp5' }])(
    'answers 401 to a management call with %j',
    async (headers) => {
      const reply = await emulator.management(statistics, { headers })
      expect(reply.status).toBe(401)
      expect(reply.json).toMatchObject({ ErrorKey: 'unauthorized', Message: expect.stringMatching(/\r$/) })
    },
  )
})

describe('routing', () => {
  it('keeps the two interfaces on their own addresses', async () => {
    expect((await emulator.logging('/apikey')).status).toBe(404)
    expect((await emulator.management('/v2/pullzones/301/logs')).status).toBe(404)
  })

  it('answers 404 to an unknown path, 405 to another method and 400 to an id that is none', async () => {
    expect((await emulator.management('/storagezone')).status).toBe(404)
    expect((await emulator.management('/storagezone/%FF/statistics')).status).toBe(404)
    expect((await emulator.management('/apikey', { method: 'DELETE' })).status).toBe(405)
    expect((await emulator.management('/storagezone/shop/statistics')).json).toMatchObject({ Field: 'id' })
    expect((await emulator.logging('/v2/pullzones/x/logs')).json.error.code).toBe('invalid_request')
  })

  it('refuses a body that is no JSON, of another type, or too large', async () => {
    const send = (body: string, type = 'application/json') =>
      emulator.management('/videolibrary', {
        method: 'POST',
        body,
        headers: { AccessKey: emulator.it.accessKey, 'content-type': type },
      })
    expect((await send('{"Name":')).status).toBe(400)
    expect((await send('Name=x', 'text/plain')).status).toBe(415)
    expect((await send(`{"Name":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413)
    expect(emulator.it.world.libraries).toHaveLength(0)
  })
})
