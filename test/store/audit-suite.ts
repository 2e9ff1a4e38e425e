import { expect, test } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import { createAuditChain } from '../../src/store/schema/audit-chain.ts'
import { MAX_AUDIT_TEXT_CHARACTERS } from '../../src/store/schema/audit-entry.ts'
import { type AuditFilter, MAX_AUDIT_PAGE_ROWS } from '../../src/store/audit/audit-log.ts'
import type { Store } from '../../src/store/store.ts'
import { type StoreHarness, entry } from './harness.ts'
import { useStore } from './use-store.ts'

const KEY = new Secret('a key that is not in the database')

/** What the record must keep to, on any engine. */
export function auditSuite(harness: StoreHarness): void {
  const store = useStore(harness, { auditKey: KEY })

  test('of entries asked for at once everybody has their own, and one that is refused takes no other with it', async () => {
    const ends = await Promise.allSettled(
      Array.from({ length: 250 }, (_, n) =>
        store.audit.append(entry('denied', { actor: `U${n}`, summary: n === 7 ? 'x'.repeat(2_001) : `Asked by ${n}` })),
      ),
    )
    const had = ends.map((end) => (end.status === 'fulfilled' ? `${end.value.actor} ${end.value.summary}` : 'refused'))
    expect(had).toEqual(ends.map((_, n) => (n === 7 ? 'refused' : `U${n} Asked by ${n}`)))
    const numbers = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.seq] : []))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 249 }, (_, n) => n + 1))
    const listed = await store.audit.list({ limit: 500 })
    expect(listed.map(({ actor }) => actor).toSorted()).toEqual(
      had
        .flatMap((one) => one.split(' ').slice(0, 1))
        .filter((one) => one !== 'refused')
        .toSorted(),
    )
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 249, keyed: true })
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

  test('the list can be narrowed by person, operation and time, and read oldest first in pages', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute))
    await store.audit.append(entry('read', { actor: 'U1', operation: 'keys list', at: at(1) }))
    await store.audit.append(entry('read', { actor: 'U2', operation: 'keys list', at: at(3) }))
    await store.audit.append(entry('done', { actor: 'U1', operation: 'dns add', at: at(2) }))
    const seqs = async (filter: AuditFilter) => {
      const listed = (await store.audit.list({ ...filter, limit: 10 })).map(({ seq }) => seq)
      const paged: number[] = []
      for await (const page of store.audit.pages(filter)) paged.push(...page.map(({ seq }) => seq))
      expect(paged).toEqual(listed.toReversed())
      return listed
    }
    expect(await seqs({})).toEqual([3, 2, 1])
    expect(await seqs({ actor: 'U1' })).toEqual([3, 1])
    expect(await seqs({ operation: 'keys list' })).toEqual([2, 1])
    expect(await seqs({ actor: 'U1', operation: 'keys list' })).toEqual([1])
    expect(await seqs({ events: ['done', 'denied'] })).toEqual([3])
    expect(await seqs({ from: at(2) })).toEqual([3, 2])
    expect(await seqs({ until: at(2) })).toEqual([1])
    expect(await seqs({ from: at(2), until: at(3) })).toEqual([3])
    expect(await seqs({ actor: 'U3' })).toEqual([])
  })

  test('every page is given, and what is left over', async () => {
    await store.audit.record(async ({ append }) => {
      for (let n = 0; n <= MAX_AUDIT_PAGE_ROWS; n++) await append(entry('read'))
    })
    const sizes: number[] = []
    for await (const page of store.audit.pages()) sizes.push(page.length)
    expect(sizes).toEqual([MAX_AUDIT_PAGE_ROWS, 1])
  })

  test('a text longer than the record holds is refused, not cut', async () => {
    const longest = '\u{FFFF}'.repeat(MAX_AUDIT_TEXT_CHARACTERS)
    await store.audit.append(entry('read', { summary: longest, detail: longest }))
    await expect(store.audit.append(entry('read', { summary: `${longest}x` }))).rejects.toThrow('Too big')
    await expect(store.audit.append(entry('read', { at: new Date(Number.NaN) }))).rejects.toThrow('Invalid')
    for (const name of ['actor', 'team', 'operation', 'changeId'])
      for (const [value, why] of [
        ['', 'Too small'],
        ['x'.repeat(201), 'Too big'],
      ] as const)
        await expect(store.audit.append(entry('read', { [name]: value }))).rejects.toThrow(why)
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 1, keyed: true })
  })

  test('the chain goes on after a restart, and holds over several pages', async () => {
    await store.audit.record(async ({ append }) => {
      for (let n = 0; n < MAX_AUDIT_PAGE_ROWS; n++) await append(entry('read'))
    })
    const again = await harness.open({ auditKey: KEY })
    await again.audit.append(entry('read'))
    const verdict = { ok: true, entries: MAX_AUDIT_PAGE_ROWS + 1, keyed: true }
    expect(await again.audit.verify()).toMatchObject(verdict)
    expect(await again.audit.list({ limit: 10_000 })).toHaveLength(MAX_AUDIT_PAGE_ROWS)
  })

  test('entries appended while it is verified do not look like a break', async () => {
    await store.audit.append(entry('read'))
    const [verdict] = await Promise.all([store.audit.verify(), store.audit.append(entry('read'))])
    expect(verdict).toMatchObject({ ok: true })
  })

  test('a gap is found even where somebody chained over it anew', async () => {
    const plain = await harness.open()
    const chain = createAuditChain(undefined)
    const { seq, hash: first } = await plain.audit.append(entry('read'))
    const row = { seq: seq + 2, at: 1, actor: 'U1', team: 'T1', operation: 'x', event: 'read', summary: '' }
    const hash = chain.hash(first, { ...row, changeId: null, detail: null })
    await harness.sql(`insert into audit_entries (seq, at, actor, team, operation, event, summary, hash)
      values (3, 1, 'U1', 'T1', 'x', 'read', '', '${hash}')`)
    await harness.sql(`update audit_head set seq = 3, hash = '${hash}'`)
    expect(await plain.audit.verify()).toMatchObject({ ok: false, entries: 1, firstBad: 2, keyed: false })
  })
}
