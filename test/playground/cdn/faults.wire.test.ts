import { afterEach, describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

afterEach(() => emulator.it.faults.clear())

const statistics = () => emulator.management('/storagezone/101/statistics')
const create = (Name = 'x') => emulator.management('/videolibrary', { method: 'POST', body: { Name } })
const logs = () => emulator.logging('/v2/pullzones/304/logs?limit=5')
const libraries = () => emulator.it.world.libraries.length

describe('a planned fault', () => {
  it('meets its endpoint only, as often as it was set for, and then no more', async () => {
    emulator.it.faults.set('getStorageStatistics', { kind: 'status', status: 500 }, { times: 2 })
    expect((await emulator.management('/apikey?perPage=5')).status).toBe(200)
    expect([(await statistics()).status, (await statistics()).status, (await statistics()).status]).toEqual([
      500, 500, 200,
    ])
  })

  it('stays until it is cleared, and one for an endpoint comes before one for all', async () => {
    emulator.it.faults.set('all', { kind: 'status', status: 503 })
    emulator.it.faults.set('queryLogs', { kind: 'status', status: 500 })
    expect([(await statistics()).status, (await logs()).status]).toEqual([503, 500])
    emulator.it.faults.clear('queryLogs')
    expect([(await statistics()).status, (await logs()).status]).toEqual([503, 503])
    emulator.it.faults.clear()
    expect([(await statistics()).status, (await logs()).status]).toEqual([200, 200])
  })

  it.each([401, 403, 404, 429, 500, 502, 503])('answers %i in the manner of each interface', async (status) => {
    emulator.it.faults.set('all', { kind: 'status', status, retryAfter: '7' })
    const management = await statistics()
    expect([management.status, management.headers['retry-after']]).toEqual([status, '7'])
    expect(management.json).toEqual({ ErrorKey: `fault.${status}`, Field: null, Message: 'Refused on purpose.\r' })
    const logging = await logs()
    expect(logging.status).toBe(status)
    if (status < 502) expect(logging.json.error).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) })
  })
})

describe('a missing answer', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('by reset, carried out %s, adds %i', async (carriedOut, added) => {
    const before = libraries()
    emulator.it.faults.set('createVideoLibrary', { kind: 'reset', carriedOut })
    await expect(create()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) })
    expect(libraries()).toBe(before + added)
    expect(emulator.it.requests.at(-1)).toMatchObject({ status: undefined, carriedOut, fault: 'reset' })
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('by silence, carried out %s, adds %i', async (carriedOut, added) => {
    const before = libraries()
    const arrived = emulator.it.count('createVideoLibrary')
    emulator.it.faults.set('createVideoLibrary', { kind: 'hang', carriedOut })
    const stop = new AbortController()
    const call = emulator.management('/videolibrary', { method: 'POST', body: { Name: 'x' }, signal: stop.signal })
    const outcome = call.catch(String)
    await expect.poll(() => emulator.it.count('createVideoLibrary')).toBe(arrived + 1)
    await expect.poll(() => emulator.it.requests.at(-1)?.fault).toBe('hang')
    await expect.poll(libraries).toBe(before + added)
    stop.abort(new Error('Enough'))
    expect(await outcome).toBe('Error: Enough')
    expect(emulator.it.requests.at(-1)).toMatchObject({ status: undefined, carriedOut })
  })
})

describe('a late answer', () => {
  it('comes when the time has passed, and the write is done before', async () => {
    const before = libraries()
    emulator.it.faults.set('createVideoLibrary', { kind: 'slow', delayMs: 5_000 })
    let answered = false
    const call = create().finally(() => (answered = true))
    await expect.poll(() => emulator.clock.timers).toBe(1)
    expect([answered, libraries()]).toEqual([false, before + 1])
    emulator.clock.turn(4_999)
    expect(emulator.clock.timers).toBe(1)
    emulator.clock.turn(1)
    expect((await call).status).toBe(201)
  })
})
