import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './longest-first.ts'

/**
 * Five projects by what a test costs: `unit` takes a moment and touches no socket, `bulk` goes through thousands
 * (minutes of a zone, drawn cases, lists at their limit), `wire` speaks over loopback, to processes or to a disk for seconds, `slow` needs a minute, `browser` needs
 * Chromium. A file says which it is by its ending: x.test.ts, x.bulk.test.ts, x.wire.test.ts and so on. Slow ones that
 * the others would disturb are a sixth, `slow-alone`.
 */
const root = new URL('..', import.meta.url).pathname
const BULK = 'test/**/*.bulk.test.ts'
const WIRE = 'test/**/*.wire.test.ts'
const SLOW = 'test/**/*.slow.test.ts'
const BROWSER = 'test/**/*.browser.test.ts'

/**
 * They hold the bot to how soon it answers, and how long it stands still, while it is flooded or sent the worst there is;
 * or make its time run sixty times as fast, so that a second in which it had to wait for a core is a minute.
 */
const ALONE = [
  'test/end-to-end/flooded.slow.test.ts',
  'test/end-to-end/besieged.slow.test.ts',
  'test/safety/faults/hostile.slow.test.ts',
]

/** Minutes of computing, or of waiting for leases to end: not among all of the tests, which have twelve minutes together. */
const BY_HAND = ['test/alerts/nights.slow.test.ts', 'test/safety/replicas/replicas.slow.test.ts']

/** Many tests wait: for a server, for another process, for a moment to come. Four at once on two cores are no faster than three. */
const WORKERS = Math.max(3, availableParallelism())
/** A page, its browser and the bot take turns: two of them keep two cores busy, where one leaves half of them idle. */
const BROWSERS = Math.max(2, availableParallelism() >> 1)

/** What a test waits for comes in a moment, but for a busy machine. */
const SHARED = { root, expect: { poll: { timeout: 10_000, interval: 5 } } }

/** Files share a worker and what it has loaded, which more than halves the time; a test puts back what it changes of that. */
const ISOLATED = false

export default defineConfig({
  test: {
    root,
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [BULK, WIRE, SLOW, BROWSER],
          testTimeout: 10_000,
          maxWorkers: WORKERS,
          isolate: ISOLATED,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'bulk',
          include: [BULK],
          testTimeout: 10_000,
          maxWorkers: WORKERS,
          isolate: ISOLATED,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'wire',
          include: [WIRE],
          testTimeout: 30_000,
          maxWorkers: WORKERS,
          isolate: ISOLATED,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'slow',
          include: [SLOW],
          exclude: process.env['CI'] === undefined ? ALONE : [...ALONE, ...BY_HAND],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: WORKERS,
          isolate: ISOLATED,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...SHARED,
          name: 'slow-alone',
          include: ALONE,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...SHARED,
          name: 'browser',
          include: [BROWSER],
          exclude: ALONE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: BROWSERS,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
