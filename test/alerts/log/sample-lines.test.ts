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
  samples.add([at(9, { cacheStatus: 'HIT' }), at(8, { statusCode: 502 }), at(7, { cacheStatus: 'MISS' })])
  samples.add([at(5), at(6, { cacheStatus: '-', statusCode: 404 })])
  expect(samples.list().map(({ path }) => path)).toEqual(['/8', '/7', '/5', '/4', '/3'])
})

it('keeps of lines that read the same the newest', () => {
  const samples = kept()
  samples.add([1, 2, 3, 4].map((second) => at(second, { path: second < 2 ? '/one' : '/other' })))
  expect(samples.list().map(({ path, atMs }) => [path, atMs])).toEqual([
    ['/other', 4_000],
    ['/one', 1_000],
  ])
})

it('keeps a line once that is read again, and none without a time', () => {
  const samples = kept()
  const long = at(1, { path: `/${'x'.repeat(5_000)}` })
  for (let times = 0; times < 3; times += 1) samples.add([long, at(2, { timestamp: undefined })])
  expect(samples.list()).toHaveLength(1)
})

it('keeps nothing of who asked, and texts of a bounded length', () => {
  const samples = kept()
  samples.add([at(1, { path: `/${'\u{1F600}'.repeat(5_000)}` })])
  const [line] = samples.list()
  const names = ['atMs', 'cacheStatus', 'edgeLocation', 'host', 'path', 'statusCode']
  expect(Object.keys(line ?? {}).toSorted()).toEqual(names)
  expect(line?.path?.length).toBeLessThanOrEqual(200)
  expect(line?.path?.isWellFormed()).toBe(true)
})
