import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { recordingLog } from '../support/recording-log.ts'
import { changeIn, entry, MINUTE_MS } from './harness.ts'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

const CANARY = 'canary-value-that-is-erased'
const PADDED = `${CANARY} ${'x'.repeat(9_000)}`

const harness = forEachTest(createSqliteHarness)
let store: Store
let warnings: () => number
beforeEach(async () => {
  const { log, lines } = recordingLog()
  warnings = () => lines.filter(({ level, sentence }) => level === 'warn' && /erased values/.test(sentence)).length
  store = await harness.open({ log })
})

/** The store's own file, its log and the index of that: whoever copies the folder has all of them. */
function isThere(): boolean {
  const folder = dirname(harness.path)
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(CANARY))
}

/** Another process that reads, in one transaction, until it is told to stop. */
async function reader(): Promise<() => Promise<void>> {
  const script = `
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(${JSON.stringify(harness.path)}, { readOnly: true })
    database.exec('begin')
    database.prepare('select count(*) from changes').get()
    console.log('reading')
    process.stdin.once('end', () => process.exit()).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end()
    await once(child, 'exit')
  }
}

const round = () => store.prune(harness.clock.now())

type Step = () => Promise<unknown>
/** Each erases what `CANARY` was in, at once or with the next round. */
const ERASED: readonly (readonly [what: string, write: Step, erase: Step, isAtOnce: boolean])[] = [
  [
    'the secret of a change that has ended',
    () => changeIn(store, harness.clock, 'sending', { id: 'c1', values: { env: PADDED } }),
    () =>
      store.changes.move('c1', {
        from: ['sending'],
        to: 'done',
        now: harness.clock.now(),
        audit: entry('done'),
        set: { values: { env: '…' } },
      }),
    true,
  ],
  [
    'the secret of a change that waited for too long',
    async () => {
      await changeIn(store, harness.clock, 'waiting', { id: 'c1', values: { env: PADDED } })
      harness.clock.advance(MINUTE_MS * 10)
    },
    () => store.changes.expire(harness.clock.now(), () => ({ audit: entry('expired'), set: { values: { env: '…' } } })),
    true,
  ],
  [
    'what stood in a form before',
    () => changeIn(store, harness.clock, 'draft', { id: 'c1', values: { env: PADDED } }),
    () => store.changes.saveDraft('c1', { env: 'another' }),
    true,
  ],
  [
    'the message of a button that was used',
    () => store.answers.put({ ...ANSWER, message: { text: PADDED } }),
    () => store.answers.take('a1', harness.clock.now()),
    false,
  ],
]

const ANSWER = { id: 'a1', kind: 'more', operation: 'library create', values: {}, actorId: 'U1', team: 'T1' } as const

describe.each(ERASED)('%s', (_what, write, erase, isAtOnce) => {
  test('is in no file of the store after a round of maintenance', async () => {
    await write()
    expect(isThere()).toBe(true)
    await erase()
    expect(isThere()).toBe(!isAtOnce)
    await round()
    expect(isThere()).toBe(false)
    expect(warnings()).toBe(0)
  })

  test('that somebody else still reads is warned of once, and gone with the round after they have ended', async () => {
    await write()
    const end = await reader()
    await erase()
    for (let rounds = 0; rounds < 3; rounds += 1) await round()
    expect(isThere()).toBe(true)
    expect(warnings()).toBe(1)
    expect(await store.audit.append(entry('read'))).toMatchObject({ event: 'read' })
    expect(await store.audit.verify()).toMatchObject({ ok: true })
    await end()
    await round()
    expect(isThere()).toBe(false)
    expect(warnings()).toBe(1)
  })
})

test('what a process that was killed left to be erased is gone after the first round of the next one', async () => {
  await changeIn(store, harness.clock, 'draft', { id: 'c1', values: { env: PADDED } })
  const end = await reader()
  await store.changes.saveDraft('c1', { env: 'another' })
  // The other's transaction keeps the log there when this one closes.
  await store.close()
  await end()
  expect(isThere()).toBe(true)
  store = await harness.open()
  await round()
  expect(isThere()).toBe(false)
})
