import { afterEach, beforeEach } from 'vitest'

/** A new one for each test, closed after it. It is one object all the time, filled anew: for benches without getters. */
export function forEachTest<T extends { close(): unknown }>(open: () => T | Promise<T>): T {
  const current = {} as T // filled before each test
  beforeEach(async () => void Object.assign(current, await open()))
  afterEach(() => current.close())
  return current
}
