import { afterEach, describe, expect, it } from 'vitest'
import { startCdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

afterEach(() => emulator.it.faults.clear())

/** How the client words a connection that ended too early. */
const BROKEN_OFF = /other side closed|ECONNRESET|aborted|terminated/

const statistics = () => emulator.management('/storagezone/101/statistics')
const create = (Name = 'x') => emulator.management('/videolibrary', { method: 'POST', body: { Name } })
const logs = () => emulator.logging('/v2/pullzones/304/logs?limit=5')
const dayFile = () => emulator.logging('/11-19-26/304.log')
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

  it('answers a status without a body, as text or as a page', async () => {
    const as = async (body: 'empty' | 'text' | 'html') => {
      emulator.it.faults.set('all', { kind: 'status', status: 502, body })
      const { headers, text } = await statistics()
      return [headers['content-type'], text]
    }
    expect(await as('empty')).toEqual([undefined, ''])
    expect(await as('text')).toEqual(['text/plain', 'upstream says 502\n'])
    expect(await as('html')).toEqual(['text/html', expect.stringContaining('<h1>502</h1>')])
  })

  it('does not let a refused write happen', async () => {
    const before = libraries()
    emulator.it.faults.set('all', { kind: 'status', status: 500 })
    await create()
    emulator.it.faults.set('all', { kind: 'redirect', location: 'http://elsewhere.example/' })
    const { status, headers } = await create()
    expect([status, headers['location']]).toEqual([307, 'http://elsewhere.example/'])
    expect(libraries()).toBe(before)
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

  it('in the middle of one breaks it off', async () => {
    emulator.it.faults.set('all', { kind: 'cut' })
    await expect(statistics()).rejects.toThrow(BROKEN_OFF)
    await expect(dayFile()).rejects.toThrow(BROKEN_OFF)
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

  it('can drip a few bytes at a time', async () => {
    emulator.it.faults.set('all', { kind: 'drip', bytes: 20, everyMs: 1_000 })
    const call = emulator.management('/storagezone/104/statistics')
    for (let part = 1; part <= 3; part += 1) {
      await expect.poll(() => emulator.clock.timers).toBe(1)
      emulator.clock.turn(1_000)
    }
    expect((await call).json).toEqual({ StorageUsedChart: {}, FileCountChart: {} })
  })
})

describe('a spoilt answer', () => {
  const spoilt = async (fault: Parameters<typeof emulator.it.faults.set>[1]) => {
    emulator.it.faults.set('all', fault)
    return { management: await statistics(), lines: await dayFile(), written: await create() }
  }

  it('is empty with the right status', async () => {
    const { management, written } = await spoilt({ kind: 'empty' })
    expect([management.status, management.text, written.status, written.text]).toEqual([200, '', 201, ''])
  })

  it('is a page instead', async () => {
    const { management, lines } = await spoilt({ kind: 'html' })
    for (const { status, headers, text } of [management, lines]) {
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toMatch(/^<!doctype html>/)
    }
  })

  it('has other types', async () => {
    const { management, lines, written } = await spoilt({ kind: 'wrong types' })
    expect(Object.values(management.json.StorageUsedChart)).toContain('seven')
    expect(lines.text.split('\n')[0]).toBe(Array.from({ length: 12 }, () => 'seven').join('|'))
    expect(written.json).toMatchObject({ Id: 'seven', Name: 7.5, HasWatermark: 7.5 })
  })

  it('has more fields', async () => {
    const { management, lines } = await spoilt({ kind: 'extra fields' })
    expect(Object.keys(management.json)).toEqual(['StorageUsedChart', 'FileCountChart', 'Surprise', 'Nested'])
    expect(lines.text.split('\n')[0]!.split('|')).toHaveLength(14)
  })

  it('is no JSON, no UTF-8, or too deep to read', async () => {
    const half = (await spoilt({ kind: 'bad JSON' })).management
    expect(half.json).toEqual({})
    expect(half.text).toMatch(/^\{"StorageUsedChart"/)
    expect((await spoilt({ kind: 'bad UTF-8' })).management.text).toContain('\uFFFD')
    expect((await spoilt({ kind: 'deep' })).management.text).toMatch(/^\[{100000}\]{100000}$/)
  })

  it('is huge, plainly or once inflated', async () => {
    const plain = (await spoilt({ kind: 'huge', bytes: 3_000_000, gzip: false })).management
    expect(plain.text.length).toBeGreaterThan(3_000_000)
    expect(Object.keys(plain.json.StorageUsedChart)).toHaveLength(30)
    const bomb = (await spoilt({ kind: 'huge', bytes: 3_000_000, gzip: true })).management
    expect(bomb.headers['content-encoding']).toBe('gzip')
    expect(bomb.text.length).toBeLessThan(10_000)
  })

  it('is compressed without having been asked', async () => {
    const { management, lines } = await spoilt({ kind: 'gzip' })
    expect([management.headers['content-encoding'], lines.headers['content-encoding']]).toEqual(['gzip', 'gzip'])
  })

  it('leaves the write done', async () => {
    const before = libraries()
    for (const kind of [
      'empty',
      'html',
      'wrong types',
      'extra fields',
      'bad JSON',
      'bad UTF-8',
      'deep',
      'gzip',
    ] as const) {
      await spoilt({ kind })
    }
    expect(libraries()).toBe(before + 8)
  })
})

describe('closing the emulator', () => {
  it('ends calls that hang', async () => {
    const other = await startCdnEmulator({ clock: emulator.clock })
    other.faults.set('all', { kind: 'hang', carriedOut: false })
    const call = fetch(`${other.managementUrl}/apikey`, { headers: { AccessKey: other.accessKey } })
    const outcome = call.catch(String)
    await expect.poll(() => other.count('listApiKeys')).toBe(1)
    await other.close()
    expect(await outcome).toBe('TypeError: fetch failed')
  })
})
