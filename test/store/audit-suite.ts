import { beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import { createAuditChain } from '../../src/store/audit-chain.ts'
import { MAX_AUDIT_TEXT_CHARACTERS } from '../../src/store/audit-entry.ts'
import { MAX_AUDIT_PAGE_ROWS } from '../../src/store/audit-log.ts'
import type { Store } from '../../src/store/store.ts'
import { type StoreHarness, entry } from './harness.ts'

const KEY = new Secret('a key that is not in the database')

/** What the record must keep to, on any engine. */
export function auditSuite(harness: () => StoreHarness): void {
  let store: Store
  beforeEach(async () => {
    store = await harness().open({ auditKey: KEY })
  })

  test('entries asked for at once are numbered without a gap and chained', async () => {
    const written = await Promise.all(Array.from({ length: 40 }, () => store.audit.append(entry('read'))))
    expect(written.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    expect(await store.audit.verify()).toEqual({ ok: true, entries: 40, keyed: true })
  })

  test('an entry is read back as it was given, except for what no database can hold', async () => {
    const asked = entry('denied', { changeId: 'c1', summary: 'Ü \0 \uD800 "', detail: '👩‍🚀\n' })
    const written = await store.audit.append(asked)
    expect(written).toEqual({ ...asked, seq: 1, summary: 'Ü \uFFFD \uFFFD "', hash: expect.any(String) as string })
    expect(await store.audit.list({ limit: 10 })).toEqual([written])
    expect(await store.audit.verify()).toMatchObject({ ok: true })
  })

  test('the list is newest first, by page and by change', async () => {
    for (let n = 1; n <= 7; n++) await store.audit.append(entry('read', { changeId: n % 2 === 0 ? 'even' : 'odd' }))
    const seqs = async (query: Parameters<Store['audit']['list']>[0]) =>
      (await store.audit.list(query)).map(({ seq }) => seq)
    expect(await seqs({ limit: 3 })).toEqual([7, 6, 5])
    expect(await seqs({ limit: 3, before: 5 })).toEqual([4, 3, 2])
    expect(await seqs({ limit: 10, changeId: 'even', before: 6 })).toEqual([4, 2])
  })

  test('a text longer than the record holds is refused, not cut', async () => {
    const longest = '\u{FFFF}'.repeat(MAX_AUDIT_TEXT_CHARACTERS)
    await store.audit.append(entry('read', { summary: longest, detail: longest }))
    await expect(store.audit.append(entry('read', { summary: `${longest}x` }))).rejects.toThrow('Too big')
    await expect(store.audit.append(entry('read', { at: new Date(Number.NaN) }))).rejects.toThrow('Invalid')
    expect(await store.audit.verify()).toEqual({ ok: true, entries: 1, keyed: true })
  })

  test('the chain goes on after a restart, and holds over several pages', async () => {
    await store.audit.record(async ({ append }) => {
      for (let n = 0; n < MAX_AUDIT_PAGE_ROWS; n++) await append(entry('read'))
    })
    const again = await harness().open({ auditKey: KEY })
    await again.audit.append(entry('read'))
    const verdict = { ok: true, entries: MAX_AUDIT_PAGE_ROWS + 1, keyed: true }
    expect(await again.audit.verify()).toEqual(verdict)
    expect(await again.audit.list({ limit: 10_000 })).toHaveLength(MAX_AUDIT_PAGE_ROWS)
  })

  test('entries appended while it is verified do not look like a break', async () => {
    await store.audit.append(entry('read'))
    const [verdict] = await Promise.all([store.audit.verify(), store.audit.append(entry('read'))])
    expect(verdict).toMatchObject({ ok: true })
  })

  test('another key than the one it was written with finds the first entry wrong', async () => {
    await store.audit.append(entry('read'))
    const other = await harness().open({ auditKey: new Secret('another key altogether') })
    expect(await other.audit.verify()).toEqual({ ok: false, entries: 0, firstBad: 1, keyed: true })
    const none = await harness().open()
    expect(await none.audit.verify()).toEqual({ ok: false, entries: 0, firstBad: 1, keyed: false })
  })

  test('without a key the chain still shows mistakes, and says that it has none', async () => {
    const plain = await harness().open()
    await plain.audit.append(entry('read'))
    expect(await plain.audit.verify()).toEqual({ ok: true, entries: 1, keyed: false })
  })

  test('a gap is found even where somebody chained over it anew', async () => {
    const plain = await harness().open()
    const chain = createAuditChain(undefined)
    const { seq, hash: first } = await plain.audit.append(entry('read'))
    const row = { seq: seq + 2, at: 1, actor: 'U1', team: 'T1', operation: 'x', event: 'read', summary: '' }
    const hash = chain.hash(first, { ...row, changeId: null, detail: null })
    await harness().sql(`insert into audit_entries (seq, at, actor, team, operation, event, summary, hash)
      values (3, 1, 'U1', 'T1', 'x', 'read', '', '${hash}')`)
    await harness().sql(`update audit_head set seq = 3, hash = '${hash}'`)
    expect(await plain.audit.verify()).toEqual({ ok: false, entries: 1, firstBad: 2, keyed: false })
  })

  const COPY = `select %, at, actor, team, operation, event, change_id, summary, detail, hash from audit_entries where seq = 5`
  describe.each([
    ['a number of milliseconds', 3, 'update audit_entries set at = at + 1 where seq = 3'],
    ['an actor', 1, `update audit_entries set actor = 'U2' where seq = 1`],
    ['a team', 2, `update audit_entries set team = 'T2' where seq = 2`],
    ['an operation', 2, `update audit_entries set operation = 'dns  add' where seq = 2`],
    ['an event', 2, `update audit_entries set event = 'done' where seq = 2`],
    ['a change', 2, `update audit_entries set change_id = 'c2' where seq = 2`],
    ['a change taken off', 2, `update audit_entries set change_id = null where seq = 2`],
    ['a summary', 5, `update audit_entries set summary = 'It is  read' where seq = 5`],
    ['a detail added', 4, `update audit_entries set detail = '' where seq = 4`],
    ['a hash', 4, `update audit_entries set hash = upper(hash) where seq = 4`],
    ['the first removed', 1, 'delete from audit_entries where seq = 1'],
    ['one removed', 3, 'delete from audit_entries where seq = 3'],
    ['the last removed', 5, 'delete from audit_entries where seq = 5'],
    ['all removed', 1, 'delete from audit_entries'],
    [
      'one removed and the rest moved up',
      3,
      'delete from audit_entries where seq = 3; update audit_entries set seq = seq - 1 where seq > 3; update audit_head set seq = 4',
    ],
    [
      'two swapped',
      2,
      'update audit_entries set seq = -1 where seq = 2; update audit_entries set seq = 2 where seq = 4; update audit_entries set seq = 4 where seq = -1',
    ],
    ['one added after the last', 6, `insert into audit_entries ${COPY.replace('%', '6')}`],
    [
      'one added and the head moved',
      6,
      `insert into audit_entries ${COPY.replace('%', '6')}; update audit_head set seq = 6`,
    ],
    ['one added before the first', 1, `insert into audit_entries ${COPY.replace('%', '0')}`],
    ['another head', 5, `update audit_head set hash = 'f'`],
    ['an older head', 4, 'update audit_head set seq = 4'],
  ])('verifying finds %s', (_what, firstBad, statements) => {
    test(`and names entry ${firstBad}`, async () => {
      for (let n = 0; n < 5; n++) await store.audit.append(entry('read', { changeId: 'c1' }))
      expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 5 })
      for (const statement of statements.split('; ')) await harness().sql(statement)
      expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad })
    })
  })
}
