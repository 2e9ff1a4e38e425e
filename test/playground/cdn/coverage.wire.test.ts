import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { endpoints, type EndpointName } from '../../../src/cdn/endpoints.ts'
import { RunningEmulator, type WireReply } from './running-emulator.ts'

const emulator = new RunningEmulator()

interface Coverage {
  /** A call that succeeds. */
  readonly call: () => Promise<WireReply>
  /** The file of this folder that tests the endpoint's answers and refusals. */
  readonly testedBy: string
}

/** An endpoint that is missing here does not compile. */
const COVERAGE: { readonly [Name in EndpointName]: Coverage } = {
  getStorageStatistics: {
    call: () => emulator.management('/storagezone/101/statistics'),
    testedBy: 'storage-statistics.wire.test.ts',
  },
  listApiKeys: { call: () => emulator.management('/apikey?perPage=20'), testedBy: 'api-keys.wire.test.ts' },
  createVideoLibrary: {
    call: () => emulator.management('/videolibrary', { method: 'POST', body: { Name: 'x' } }),
    testedBy: 'video-library.wire.test.ts',
  },
  addDnsRecord: {
    call: () => emulator.management('/dnszone/201/records', { method: 'PUT', body: { Value: '192.0.2.1' } }),
    testedBy: 'dns-record.wire.test.ts',
  },
  queryLogs: {
    call: () => emulator.logging('/v2/pullzones/301/logs?includeOriginShield=true'),
    testedBy: 'log-page.wire.test.ts',
  },
  streamDayFile: { call: () => emulator.logging('/11-20-26/304.log'), testedBy: 'day-file.wire.test.ts' },
}

describe.each(Object.entries(COVERAGE))('%s', (name, { call, testedBy }) => {
  // A boundary of the test: the keys of the table above are endpoint names.
  const endpoint = endpoints[name as EndpointName]

  it('is served, counted, and answered with all that the table describes', async () => {
    const before = emulator.it.count(name as EndpointName)
    const reply = await call()
    expect(reply.status).toBeGreaterThanOrEqual(200)
    expect(reply.status).toBeLessThan(300)
    expect(emulator.it.count(name as EndpointName)).toBe(before + 1)
    if (endpoint.answer === undefined) return
    const read = endpoint.answer.safeParse(reply.json)
    expect(read.error?.issues).toBeUndefined()
    if ('shape' in endpoint.answer)
      expect(Object.keys(reply.json).sort()).toEqual(Object.keys(endpoint.answer.shape).sort())
  })

  it(`is tested in ${testedBy}`, async () => {
    const file = await readFile(new URL(testedBy, import.meta.url), 'utf8')
    const path = endpoint.path.split('{')[0] === '/' ? '.log' : endpoint.path.split('{')[0]!
    expect(file).toContain(path)
    expect(file).toMatch(/refuse/)
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
