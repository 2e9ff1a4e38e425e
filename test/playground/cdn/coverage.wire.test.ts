import { describe, expect, it } from 'vitest'
import {
  ENDPOINT_NAMES,
  endpointNamed,
  type EndpointName,
  type ManagementCall,
} from '../../../src/cdn/contract/endpoints.ts'
import { fillPath } from '../../../src/cdn/contract/path-template.ts'
import { fieldsOf, sampleOf } from '../../support/sample-values.ts'
import { RunningEmulator, type WireReply } from './running-emulator.ts'

const emulator = new RunningEmulator()

/** Calls with a method of their own. */
const LOG_CALLS: Readonly<Record<Exclude<EndpointName, ManagementCall>, () => Promise<WireReply>>> = {
  queryLogs: () => emulator.logging('/v2/pullzones/301/logs?includeOriginShield=true'),
  streamDayFile: () => emulator.logging('/11-20-26/304.log'),
}

/** A call that gives what it cannot do without, about the first thing in the world with the id it takes. */
async function call(name: EndpointName): Promise<WireReply> {
  if (isLogCall(name)) return LOG_CALLS[name]()
  const { method, path, params, body } = endpointNamed(name)
  const { storageZones, dnsZones, pullZones } = emulator.it.world
  const ids = [...storageZones, ...dnsZones, ...pullZones].map(({ id }) => String(id))
  const sent = body && { body: sampleOf(body, 'needed') }
  for (const id of ids) {
    const values = Object.fromEntries(Object.keys(params.shape).map((param) => [param, id]))
    const reply = await emulator.management(fillPath(path, values), { method, ...sent })
    if (reply.status !== 404) return reply
  }
  throw new Error(`Nothing in the emulated account is there for ${name}`)
}

function isLogCall(name: EndpointName): name is keyof typeof LOG_CALLS {
  return Object.hasOwn(LOG_CALLS, name)
}

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  it('is served, counted, and answered with all that the table describes', async () => {
    const before = emulator.it.count(name)
    const reply = await call(name)
    expect(reply.status).toBeGreaterThanOrEqual(200)
    expect(reply.status).toBeLessThan(300)
    expect(emulator.it.count(name)).toBeGreaterThan(before)
    const { answer } = endpointNamed(name)
    if (answer === 'nothing') expect(reply.text).toBe('')
    if (typeof answer === 'string') return
    expect(answer.safeParse(reply.json).error?.issues).toBeUndefined()
    expect(Object.keys(reply.json).sort()).toEqual(Object.keys(fieldsOf(answer)).sort())
  })
})

describe('the errors the contract states', () => {
  const page = (zone: number, query = '', headers?: Record<string, string>) =>
    emulator.logging(`/v2/pullzones/${zone}/logs${query}`, headers === undefined ? {} : { headers })

  it.each([
    [400, 'invalid_request', () => page(301, '?limit=0')],
    [401, 'unauthorized', () => page(301, '', {})],
    [403, 'forbidden', () => page(301, '', { AccessKey: 'wrong' })],
    [403, 'forbidden', () => page(306)],
    [404, 'logging_disabled', () => page(305)],
    [500, 'internal_error', () => failing(500, async () => page(301))],
    [429, 'rate_limited', () => failing(429, async () => page(301))],
  ] as const)('of the logging interface: %i %s', async (status, code, call) => {
    const reply = await call()
    expect([reply.status, reply.json.error.code]).toEqual([status, code])
  })

  it.each([
    [401, () => emulator.management('/storagezone/101/statistics', { headers: {} })],
    [403, () => emulator.management('/storagezone/101/statistics', { headers: { AccessKey: dnsOnlyKey() } })],
    [404, () => emulator.management('/storagezone/999/statistics')],
    [500, () => failing(500, async () => emulator.management('/storagezone/101/statistics'))],
  ] as const)('of the storage statistics: %i', async (status, call) => {
    expect((await call()).status).toBe(status)
  })

  async function failing<T>(status: number, call: () => Promise<T>): Promise<T> {
    emulator.it.faults.set('all', { kind: 'status', status }, { times: 1 })
    return call()
  }

  function dnsOnlyKey(): string {
    const key = emulator.it.world.apiKeys.find(({ roles }) => roles?.includes('SubuserDns') === true)
    return key?.value ?? ''
  }
})
