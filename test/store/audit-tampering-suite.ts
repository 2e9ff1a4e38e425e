import { beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import { type StoreHarness, entry } from './harness.ts'
import { useStore } from './use-store.ts'

const KEY = new Secret('a key that is not in the database')
const ENTRIES = 5
const REST = 'at, actor, team, operation, event, change_id, summary, detail, hash'
const COPY = `insert into audit_entries (seq, ${REST}) select %, ${REST} from audit_entries where seq = 5`

/** What verifying the record finds when somebody has written to it past the program, on any engine. */
export function auditTamperingSuite(harness: StoreHarness): void {
  const store = useStore(harness, { auditKey: KEY })
  beforeEach(async () => {
    for (let n = 0; n < ENTRIES; n++) await store.audit.append(entry('read', { changeId: 'c1' }))
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: ENTRIES })
  })
  const tamper = async (statements: string) => {
    for (const statement of statements.split('; ')) await harness.sql(statement)
  }

  describe.each([
    ['a number of milliseconds', 3, 'update audit_entries set at = at + 1 where seq = 3'],
    ['a number no program writes', 3, 'update audit_entries set at = 9223372036854775807 where seq = 3'],
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
    ['one added after the last', 6, COPY.replace('%', '6')],
    ['one added out of reach', 6, COPY.replace('%', '9223372036854775807')],
    ['one added and the head moved', 6, `${COPY.replace('%', '6')}; update audit_head set seq = 6`],
    ['one added before the first', 1, COPY.replace('%', '0')],
    ['one added far before the first', 1, COPY.replace('%', '-9223372036854775807')],
    ['another head', 5, `update audit_head set hash = 'f'`],
    ['an older head', 4, 'update audit_head set seq = 4'],
    ['a newer head', 6, 'update audit_head set seq = 6'],
    ['an impossible head', 5, 'update audit_head set seq = -1'],
    ['a head out of reach', 5, 'update audit_head set id = 2'],
    ['no head', 5, 'delete from audit_head'],
    ['two heads', 5, 'insert into audit_head (id, seq, hash) select 2, seq, hash from audit_head'],
  ])('verifying finds %s', (_what, firstBad, statements) => {
    test(`and names entry ${firstBad}`, async () => {
      await tamper(statements)
      // Where only the head is wrong, the entry that it should be is sound.
      const isHead = /^\w+ (from |into )?audit_head /.test(statements.padEnd(99)) && firstBad <= ENTRIES
      const [fault, entries] = isHead ? ['head', firstBad] : ['entry', firstBad - 1]
      expect(await store.audit.verify()).toEqual({ ok: false, entries, firstBad, fault, keyed: true })
    })
  })

  test('a cut tail shows only against a head that was noted before', async () => {
    const noted = await store.audit.head()
    const [{ hash }] = (await harness.sql('select hash from audit_entries where seq = 3')) as [{ hash: string }]
    await tamper(`delete from audit_entries where seq > 3; update audit_head set seq = 3, hash = '${hash}'`)
    expect(await store.audit.verify()).toEqual({ ok: true, entries: 3, keyed: true, head: { seq: 3, hash } })
    expect(await store.audit.verify({ expect: { seq: 3, hash } })).toMatchObject({ ok: true })
    expect(await store.audit.verify({ expect: noted })).toEqual({
      ok: false,
      entries: 3,
      firstBad: 4,
      fault: 'cut',
      keyed: true,
    })
  })

  test('a record that has grown since holds what was noted, one that was written anew does not', async () => {
    const noted = await store.audit.head()
    await store.audit.append(entry('done'))
    expect(await store.audit.verify({ expect: noted })).toMatchObject({ ok: true, entries: 6 })
    await tamper(`delete from audit_entries; update audit_head set seq = 0, hash = ''`)
    for (let n = 0; n < ENTRIES; n++) await store.audit.append(entry('done', { changeId: 'c1' }))
    expect(await store.audit.verify()).toMatchObject({ ok: true })
    expect(await store.audit.verify({ expect: noted })).toMatchObject({ ok: false, firstBad: 5, fault: 'replaced' })
  })
}

const OTHER = new Secret('another key altogether')

/** With which key a record can be opened again, on any engine. */
export function auditKeySuite(harness: StoreHarness): void {
  const recorded = async (auditKey: Secret | undefined, entries: number): Promise<void> => {
    const store = await harness.open(auditKey === undefined ? {} : { auditKey })
    for (let n = 0; n < entries; n += 1) await store.audit.append(entry('read'))
  }
  const opened = async (auditKey: Secret | undefined) =>
    (await harness.open(auditKey === undefined ? {} : { auditKey })).audit.verify()

  test.each([
    ['another key', KEY, OTHER, 'The record was made with another key than AUDIT_KEY is. Start with the key'],
    ['no key any more', KEY, undefined, 'The record was made with a key, and AUDIT_KEY is not set. Start with the key'],
    ['a key that came later', undefined, KEY, 'The record was made without a key, and AUDIT_KEY is set'],
  ])('a record is not opened with %s, and is as it was afterwards', async (_, made, given, told) => {
    for (const entries of [1, 2]) {
      await recorded(made, entries)
      await expect(opened(given)).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringContaining(told) as string,
      })
    }
    expect(await opened(made)).toMatchObject({ ok: true, entries: 3, keyed: made !== undefined })
  })

  test('a record that is empty yet is opened with any key', async () => {
    await recorded(undefined, 0)
    await recorded(KEY, 0)
    expect(await opened(OTHER)).toMatchObject({ ok: true, entries: 0, keyed: true })
  })

  test.each([
    ['first', 1],
    ['newest', 3],
  ])('a record whose %s entry was changed is opened, and verifying finds it', async (_, seq) => {
    await recorded(KEY, 3)
    await harness.sql(`update audit_entries set summary = 'forged' where seq = ${seq}`)
    expect(await opened(KEY)).toMatchObject({ ok: false, fault: 'entry', firstBad: seq })
  })
}
