import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { entry } from './harness.ts'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

/** The user nobody, as whom a process started by root gives up root's rights. */
const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0

const harness = forEachTest(createSqliteHarness)

/** Runs TypeScript that has `open`, `entry` and `say` in a process of its own, with limits set by the shell before. */
async function inProcess(limits: string, body: string): Promise<readonly string[]> {
  const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)
  const script = `
    import { openStore } from ${source('store/store.ts')}
    import { systemClock as clock } from ${source('shared/clock.ts')}
    const log = { warn() {}, info() {} }
    const told = []
    const open = () => openStore({ url: ${JSON.stringify(harness.path)}, clock, log, onWritable: (s) => told.push(s.why ?? 'well') })
    const entry = (detail) => ({ at: new Date(), actor: 'U1', team: 'T1', operation: 'dns add', event: 'read', summary: 's', detail })
    const say = (...words) => console.log(words.join(' '))
    ${body}`
  const child = spawn(
    '/bin/sh',
    ['-c', `${limits}; exec "$0" --input-type=module-typescript --eval "$1"`, process.execPath, script],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return said.trim().split('\n')
}

describe('a disk that takes no more, as the system has it', () => {
  test('ends writing, and everything that was said to be written is there afterwards', async () => {
    const limited = 'ulimit -f 1200'
    const said = await inProcess(
      limited,
      `const store = await open()
       let seq = 0
       try { for (;;) ({ seq } = await store.audit.append(entry('x'.repeat(1_900)))) } catch (error) { say(error.name, error.kind ?? error.message) }
       say(seq)
       say(told.join())
       process.exit()`,
    )
    const [failure, written, told] = said
    expect(failure).toMatch(/^StoreError (unanswered|unreachable|full)$/)
    expect(told).toMatch(/^(unreachable|full)$/)
    expect(Number(written)).toBeGreaterThan(5)
    const store = await harness.open()
    const verdict = await store.audit.verify()
    expect(verdict).toMatchObject({ ok: true })
    expect((await store.audit.head()).seq).toBeGreaterThanOrEqual(Number(written))
    expect(await store.audit.append(entry('read'))).toBeDefined()
  })

  test('from the beginning ends the start, with what to do, and does not stand in the way of the next', async () => {
    const start = `await open().then(() => say('started'), (error) => say(error.name, error.message))`
    for (const limited of ['ulimit -f 0', 'ulimit -f 1'])
      expect(await inProcess(limited, start)).toEqual([
        expect.stringMatching(/^StoreError The store \S+ cannot be opened: its disk failed\. See to the disk/),
      ])
    expect(await inProcess('true', start)).toEqual(['started'])
  })
})

describe('a file that this process may not write', () => {
  const unprivileged = isRoot ? `process.setgid(${NOBODY}); process.setuid(${NOBODY});` : ''

  test.each([
    ['the file', () => chmodSync(harness.path, 0o444)],
    ['the folder', () => chmodSync(dirname(harness.path), 0o555)],
  ])('because of %s is refused with what to do, and left as it is', async (_what, protect) => {
    const store = await harness.open()
    await store.audit.append(entry('read'))
    await store.close()
    chmodSync(harness.folder, 0o755)
    chmodSync(dirname(harness.path), 0o755)
    if (isRoot) chownSync(`${harness.path}.lock`, NOBODY, NOBODY)
    protect()
    const before = { bytes: readFileSync(harness.path), mode: statSync(harness.path).mode }
    const [failure] = await inProcess(
      'true',
      `${unprivileged} await open().catch((error) => say(error.name, error.kind, error.message))`,
    )
    expect(failure).toMatch(/^StoreError read_only The store \S+ cannot be written to\. Give this process the right/)
    expect({ bytes: readFileSync(harness.path), mode: statSync(harness.path).mode }).toEqual(before)
    expect(existsSync(`${harness.path}-wal`)).toBe(false)
    chmodSync(dirname(harness.path), 0o700)
    expect(await (await harness.open()).audit.verify()).toMatchObject({ ok: true, entries: 1 })
  })
})
