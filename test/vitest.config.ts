import { defineConfig } from 'vitest/config'

/**
 * Four projects by what a test costs: `unit` touches no socket but may touch a database file, `wire` speaks over
 * loopback, `slow` needs real minutes, `browser` needs Chromium. A file says which it is by its ending: x.test.ts,
 * x.wire.test.ts, x.slow.test.ts, x.browser.test.ts.
 */
const root = new URL('..', import.meta.url).pathname
const WIRE = 'test/**/*.wire.test.ts'
const SLOW = 'test/**/*.slow.test.ts'
const BROWSER = 'test/**/*.browser.test.ts'

export default defineConfig({
  test: {
    root,
    projects: [
      {
        test: {
          root,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [WIRE, SLOW, BROWSER],
          testTimeout: 10_000,
          // Files share a worker and what it has loaded, which more than halves the time; no test changes what is shared.
          isolate: false,
        },
      },
      { test: { root, name: 'wire', include: [WIRE], testTimeout: 30_000 } },
      {
        test: {
          root,
          name: 'slow',
          include: [SLOW],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          root,
          name: 'browser',
          include: [BROWSER],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
