import { expect, it } from 'vitest'
import { keepNewest } from '../../../src/alerts/log/traffic-poller.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'

/** What is kept of lines that are read one after the other. */
function kept() {
  let samples: ReturnType<typeof keepNewest> = []
  return {
    add: (entries: readonly LogEntry[]) => void (samples = keepNewest(samples, entries)),
    list: () => samples,
  }
}

const at = (second: number, more: Partial<LogEntry> = {}): LogEntry => ({
  timestamp: new Date(second * 1_000),
  cacheStatus: 'STALE',
  statusCode: 200,
  host: 'www.shop.example',
  path: `/${second}`,
  remoteIp: '192.0.2.1',
  userAgent: 'Agent',
  ...more,
})

it('keeps the three newest lines of each kind that may show what is wrong, newest first', () => {
  const samples = kept()
  samples.add([1, 2, 3, 4].map((second) => at(second)))
  samples.add([at(8, { statusCode: 502 }), at(7, { cacheStatus: 'MISS' })])
  samples.add([at(5), at(6, { cacheStatus: 'HIT', statusCode: 599 }), at(0, { statusCode: 500 })])
  expect(samples.list().map(({ path }) => path)).toEqual(['/8', '/7', '/6', '/5', '/4', '/3', '/0'])
})

it.each([
  ['STALE', 200, true],
  ['UPDATING', 200, true],
  ['MISS', 404, true],
  ['BYPASS', undefined, true],
  ['HIT', 500, true],
  ['HIT', 599, true],
  ['HIT', 499, false],
  ['HIT', 600, false],
  ['-', 404, false],
  ['REVALIDATED', undefined, false],
])('%s with %s may show what is wrong: %s', (cacheStatus, statusCode, isKept) => {
  expect(keepNewest([], [at(1, { cacheStatus, statusCode })])).toHaveLength(Number(isKept))
})

it('keeps of lines that read the same the newest', () => {
  const other = [{ host: 'b' }, { path: '/b' }, { edgeLocation: 'FRA' }, { statusCode: 304 }]
  for (const part of other)
    expect(keepNewest([], [at(1, { path: '/' }), at(2, { path: '/' }), at(3, { path: '/', ...part })])).toMatchObject([
      { atMs: 3_000, ...part },
      { atMs: 2_000, path: '/' },
    ])
})

it('keeps a line once that is read again, nothing of who asked, and texts of a bounded length', () => {
  const samples = kept()
  const long = at(1, { path: `/${'\u{1F600}'.repeat(5_000)}`, edgeLocation: 'FRA' })
  for (let times = 0; times < 3; times += 1) samples.add([long, at(2, { timestamp: undefined })])
  const path = expect.stringMatching(/^\/\u{1F600}{98,99}…$/u) as string
  const rest = { cacheStatus: 'STALE', statusCode: 200, host: 'www.shop.example', edgeLocation: 'FRA' }
  expect(samples.list()).toEqual([{ atMs: 1_000, path, ...rest }])
  expect(samples.list()[0]?.path?.length).toBeLessThanOrEqual(200)
})
