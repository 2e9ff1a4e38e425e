import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { openStore } from '../../src/store/store.ts'
import { changeIn, entry, silentLog } from './harness.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'

const PAGE_BYTES = 4_096
const ENTRIES = 60

let harness: SqliteHarness
let sound: Buffer
beforeAll(async () => {
  harness = createSqliteHarness()
  const store = await harness.open()
  await changeIn(store, harness.clock, 'approved')
  await store.audit.record(async ({ append }) => {
    for (let n = 0; n < ENTRIES - 2; n++) await append(entry('read', { detail: 'x'.repeat(500) }))
  })
  await store.close()
  sound = readFileSync(harness.path)
})
beforeEach(() => {
  for (const end of ['-wal', '-shm']) rmSync(harness.path + end, { force: true })
  writeFileSync(harness.path, sound)
})
afterAll(() => harness.close())

/** What becomes of a file with these bytes: refused and left as it is, opened with the change seen, or opened sound. */
async function openedWith(bytes: Buffer): Promise<'refused' | 'broken' | 'sound'> {
  writeFileSync(harness.path, bytes)
  try {
    const store = await openStore({ url: harness.path, clock: harness.clock, log: silentLog })
    try {
      const verdict = await store.audit.verify()
      if (!verdict.ok) return 'broken'
      expect(verdict.entries).toBe(ENTRIES)
      return 'sound'
    } finally {
      await store.close()
    }
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    // A damaged name of a migration reads like one of a newer version, whose store is left alone as well.
    if (!String(error).includes('used by a newer version')) expect(error).toMatchObject({ kind: 'corrupt' })
    expect(readFileSync(harness.path).equals(bytes)).toBe(true)
    return 'refused'
  }
}

describe('a store whose bytes were changed', () => {
  test('is never begun anew, wherever they were: it is refused, or its record is whole, or is found broken', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sound.length - 1),
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, length, flip) => {
          const bytes = Buffer.from(sound)
          for (let n = at; n < Math.min(at + length, bytes.length); n++) bytes[n] = (bytes[n] ?? 0) ^ flip
          seen.add(await openedWith(bytes))
        },
      ),
      // Of one place it is certain what it is: in the words of an entry.
      { numRuns: 25, examples: [[sound.indexOf('xxxx'), 1, 1]] },
    )
    expect(seen).toContain('broken')
  })

  test.each([
    ['the first word of the file', 0],
    ['the size of a page', 16],
    ['how it is to be written', 18],
    ['the root of all tables', 100],
    ['the first page of a table', PAGE_BYTES],
  ])('in %s is refused or found broken, and not begun anew', async (_what, at) => {
    const bytes = Buffer.from(sound)
    for (let n = at; n < at + 8; n++) bytes[n] = (bytes[n] ?? 0) ^ 0xff
    expect(await openedWith(bytes)).not.toBe('sound')
  })

  test('in the name of a migration is refused like the store of a newer version, and left as it is', async () => {
    const bytes = Buffer.from(sound)
    bytes.write('003', bytes.indexOf('002_history'))
    expect(await openedWith(bytes)).toBe('refused')
  })

  test.each([0, 1, 50, 100, 512, PAGE_BYTES, PAGE_BYTES + 1, 3 * PAGE_BYTES])(
    'that ends after %i bytes is refused',
    async (length) => {
      expect(await openedWith(sound.subarray(0, length))).toBe('refused')
    },
  )

  test('that lacks its last page is refused', async () => {
    expect(await openedWith(sound.subarray(0, sound.length - PAGE_BYTES))).toBe('refused')
  })

  test('that is another kind of file says so, and what to do', async () => {
    writeFileSync(harness.path, 'To be or not to be. '.repeat(500))
    const failure = await openStore({ url: harness.path, clock: harness.clock, log: silentLog }).catch(String)
    expect(failure).toMatch(/The store \S+store\.sqlite is no database, or a damaged one\. Restore it from a backup/)
  })
})

test('a file that is gone while its log is there is not made anew', async () => {
  rmSync(harness.path)
  writeFileSync(`${harness.path}-wal`, 'the last transactions')
  await expect(harness.open()).rejects.toMatchObject({ kind: 'corrupt' })
  expect(existsSync(harness.path)).toBe(false)
  expect(readFileSync(`${harness.path}-wal`, 'utf8')).toBe('the last transactions')
})

test('a damaged file keeps its log, with the last transactions in it', async () => {
  const store = await harness.open()
  await store.audit.append(entry('read', { detail: 'in the log only' }))
  const log = readFileSync(`${harness.path}-wal`)
  const bytes = readFileSync(harness.path)
  await store.close()
  writeFileSync(harness.path, bytes.fill(0xaa, 2 * PAGE_BYTES, 9 * PAGE_BYTES))
  writeFileSync(`${harness.path}-wal`, log)
  await expect(openStore({ url: harness.path, clock: harness.clock, log: silentLog })).rejects.toMatchObject({
    kind: 'corrupt',
  })
  expect(readFileSync(harness.path).equals(bytes)).toBe(true)
  expect(readFileSync(`${harness.path}-wal`).equals(log)).toBe(true)
})

test('a log that was cut off in the middle loses what was not whole, and nothing before', async () => {
  const store = await harness.open()
  for (let n = 0; n < 5; n++) await store.audit.append(entry('read'))
  const log = readFileSync(`${harness.path}-wal`)
  await store.close()
  writeFileSync(harness.path, sound)
  writeFileSync(`${harness.path}-wal`, log)
  truncateSync(`${harness.path}-wal`, log.length - 100)
  const verdict = await (await harness.open()).audit.verify()
  expect(verdict).toMatchObject({ ok: true, entries: ENTRIES + 4 })
})
