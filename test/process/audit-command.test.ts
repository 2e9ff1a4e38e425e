import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { complaintOf, parseOptions } from '../../src/process/command-line.ts'
import { Secret } from '../../src/shared/secret.ts'
import { MAX_AUDIT_PAGE_ROWS } from '../../src/store/audit/audit-log.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { auditTool } from '../support/audit-tool.ts'
import { forEachTest } from '../support/for-each-test.ts'

const KEY = 'k'.repeat(16)

test('a fault of the program is not told as what somebody typed', () => {
  const fault = new RangeError('a fault')
  const failing = () => {
    throw fault
  }
  expect(() => parseOptions(failing)).toThrow(fault)
  expect(() => complaintOf(fault, 'How it is used')).toThrow(fault)
})

describe('what is typed', () => {
  const hash = '0a1b2c3d'.repeat(8)
  const WHAT = 'Say what to do with the audit log: verify or export.'
  const HEAD = '--expect is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….'
  test.each([
    [[], WHAT],
    [['mend'], WHAT],
    [['verify', '--expect', '12'], HEAD],
    [['verify', '--expect', `0:${hash}`], HEAD],
    [['verify', '--expect', `12:${hash}0`], HEAD],
    [['verify', '--format', 'csv'], "Unknown option '--format'."],
    [['verify', '--a.b'], "Unknown option '--a.b'."],
    [['export', '--format', 'xml'], '--format is csv or jsonl.'],
    [['export', '--since', 'yesterday'], '--since is a day such as 2026-11-20, or a time such as 2026-11-20T10:00Z.'],
    [['export', '--until', '10:00'], '--until is a day such as 2026-11-20, or a time such as 2026-11-20T10:00Z.'],
    [['export', '--expect', `1:${hash}`], "Unknown option '--expect'."],
  ])('is refused where it makes no sense, with what can be typed: %j', async (args, says) => {
    const { code, output, complaints } = await auditTool({}, ...args)
    expect({ code, output }).toEqual({ code: 78, output: '' })
    expect(complaints).toBe(`${says}\n\n${(await auditTool({}, 'help')).output.trimEnd()}`)
  })

  test.each(['help', '-h', '--help'])('is what to type for %s', async (word) => {
    const { code, output, complaints } = await auditTool({}, word)
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
    expect(output).toMatch(/^Checks the audit log/)
  })
})

describe('the record of a stopped bot', () => {
  const harness = forEachTest(createSqliteHarness)
  let store: Store
  beforeEach(async () => {
    store = await harness.open({ auditKey: new Secret(KEY) })
    for (let n = 0; n < 3; n++)
      await store.audit.append(entry('read', { summary: `=HYPERLINK(${n})`, detail: 'a\n"b"' }))
  })
  const tool = (...args: readonly string[]) => auditTool({ STORE_URL: harness.path, AUDIT_KEY: KEY }, ...args)
  /** All files beside the store with their contents and times. */
  const folder = () =>
    readdirSync(dirname(harness.path)).map((name) => {
      const path = join(dirname(harness.path), name)
      return [name, statSync(path).mtimeMs, readFileSync(path, 'base64')]
    })

  test('is sound, its head can be noted and expected, and nothing is written', async () => {
    await store.close()
    const before = folder()
    const { code, output, complaints } = await tool('verify')
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
    expect(output).toMatch(/^Audit log: 3 entries intact\.\n/)
    expect(output).not.toContain('AUDIT_KEY')
    const [, head = ''] = /Head, to note elsewhere: (3:[0-9a-f]{64})\n$/.exec(output) ?? []
    expect(await tool('verify', '--expect', ` ${head.toUpperCase()}`, `--store=${harness.path}`)).toMatchObject({
      code: 0,
    })
    const later = await tool('verify', '--expect', head.replace('3:', '4:'))
    expect(later).toMatchObject({ code: 1, output: expect.stringContaining('entry 4 was noted and is gone') as string })
    expect(folder()).toEqual(before)
  })

  test('says what it cannot prove without the key, and that the wrong key may be why it looks forged', async () => {
    await store.close()
    const { code, output } = await auditTool({ STORE_URL: harness.path }, 'verify')
    expect(code).toBe(1)
    expect(output).toMatch(/The first bad entry is 1[\s\S]*AUDIT_KEY is not what it was/)
    const other = await auditTool({ STORE_URL: harness.path, AUDIT_KEY: 'x'.repeat(16) }, 'verify')
    expect(other.output).toContain('AUDIT_KEY is not what it was')
  })

  test('that somebody has written to is broken, and the first bad entry named', async () => {
    await store.close()
    await harness.sql(`update audit_entries set actor = 'U9' where seq = 2`)
    const { code, output } = await tool('verify')
    expect(code).toBe(1)
    expect(output).toMatch(/The audit log is not what was written\.\nThe first bad entry is 2/)
  })

  test('of a bot that was killed has what was last committed', async () => {
    const copy = join(harness.folder, 'copy.sqlite')
    for (const end of ['', '-wal']) copyFileSync(`${harness.path}${end}`, `${copy}${end}`)
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0)
    const before = readdirSync(harness.folder)
    expect(await tool('verify', '--store', copy)).toMatchObject({ code: 0 })
    expect(readdirSync(harness.folder)).toEqual(before)
  })

  test('is left alone while the bot runs', async () => {
    const { code, output, complaints } = await tool('verify')
    expect({ code, output }).toEqual({ code: 78, output: '' })
    expect(complaints).toMatch(/The bot is using .*Stop it first, or take a copy/)
  })

  test('is written out as lines of JSON or as a table in which no cell is a formula', async () => {
    await store.audit.append(entry('done', { at: new Date('2026-12-01T00:00:00Z'), changeId: 'c1' }))
    const entries = await store.audit.list({ limit: 10 })
    await store.close()
    const json = await tool('export')
    expect(json).toMatchObject({ code: 0, complaints: expect.stringContaining('Entries written: 4.') as string })
    const lines = json.output.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(JSON.stringify(entries.toReversed())))
    const { output: table } = await tool('export', '--format', 'csv', '--until', '2026-12-01T01:00+01:00')
    expect(table).toMatch(
      /^entry,time_utc,[^\n]*,mac\n1,2026-11-20T10:00:00.123Z,U1,T1,read,dns add,,'=HYPERLINK\(0\),/,
    )
    expect(table.match(/HYPERLINK/g)).toHaveLength(3)
    expect((await tool('export', '--since', '2026-11-21')).output.trimEnd().split('\n')).toHaveLength(1)
  })

  test('is written out whole where it has more than one page, under one line of titles', async () => {
    await Promise.all(Array.from({ length: MAX_AUDIT_PAGE_ROWS }, () => store.audit.append(entry('read'))))
    await store.close()
    const { output, complaints } = await tool('export', '--format', 'csv')
    expect(complaints).toContain(`Entries written: ${MAX_AUDIT_PAGE_ROWS + 3}.`)
    expect(output.match(/^(?:entry|\d+),/gm)).toHaveLength(MAX_AUDIT_PAGE_ROWS + 4)
  })

  test('is not read where its tables are of another version', async () => {
    await store.close()
    await harness.sql(`insert into kysely_migration (name, timestamp) values ('999_later', 'x')`)
    expect(await tool('verify')).toMatchObject({
      code: 78,
      complaints: expect.stringContaining('newer version') as string,
    })
    await harness.sql('delete from kysely_migration')
    expect(await tool('verify')).toMatchObject({
      code: 78,
      complaints: expect.stringContaining('older version') as string,
    })
    await harness.sql('drop table kysely_migration')
    expect((await tool('verify')).complaints).toContain('no store of CDN Ops')
  })

  test('is looked for where the settings say, and no file is made there', async () => {
    const missing = join(harness.folder, 'missing', 'x.sqlite')
    expect(await tool('verify', '--store', missing)).toMatchObject({
      code: 78,
      complaints: expect.stringContaining(`no file ${missing}`) as string,
    })
    expect(readdirSync(harness.folder)).toEqual(['data'])
    const empty = join(harness.folder, 'empty.sqlite')
    writeFileSync(empty, '')
    expect(await tool('verify', '--store', empty)).toMatchObject({ code: 1 })
    writeFileSync(empty, 'no database at all '.repeat(500))
    expect(await tool('verify', '--store', empty)).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('damaged') as string,
    })
    mkdirSync(missing, { recursive: true })
    expect(await tool('verify', '--store', missing)).toMatchObject({ code: 78 })
  })

  test('needs the store and the key right, whatever the other settings are', async () => {
    const wrong = { STORE_URL: 'mysql://u:hush@h/x', AUDIT_KEY: 'hush', COMMAND: 'wrong', ADMINS: 'nobody' }
    const { code, complaints } = await auditTool(wrong, 'verify')
    expect(code).toBe(78)
    expect(complaints.split('\n').map((line) => line.split(' ')[0])).toEqual(['STORE_URL', 'AUDIT_KEY'])
    expect(complaints).not.toContain('hush')
    await store.close()
    const { STORE_URL: _, AUDIT_KEY: __, ...others } = wrong
    const files = { STORE_URL_FILE: '/no/such/file', AUDIT_KEY_FILE: join(harness.folder, 'key') }
    writeFileSync(files.AUDIT_KEY_FILE, `${KEY}\n`)
    expect(await auditTool({ ...others, ...files }, 'verify', '--store', harness.path)).toMatchObject({ code: 0 })
  })
})
