import { expect, test } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import { type StoreHarness, entry } from './harness.ts'

const KEY = new Secret('a key that is not in the database')
const OTHER = new Secret('another key altogether')

/** With which key a record can be opened again, on any engine. */
export function auditKeySuite(harness: () => StoreHarness): void {
  const recorded = async (auditKey: Secret | undefined, entries: number): Promise<void> => {
    const store = await harness().open(auditKey === undefined ? {} : { auditKey })
    for (let n = 0; n < entries; n += 1) await store.audit.append(entry('read'))
  }
  const opened = async (auditKey: Secret | undefined) =>
    (await harness().open(auditKey === undefined ? {} : { auditKey })).audit.verify()

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
    await harness().sql(`update audit_entries set summary = 'forged' where seq = ${seq}`)
    expect(await opened(KEY)).toMatchObject({ ok: false, fault: 'entry', firstBad: seq })
  })
}
