import { expect, it } from 'vitest'
import { storeForEachTest } from '../../support/ask.ts'

const { type, harness } = storeForEachTest()

it('the file of the audit log takes 10,000 entries and says when there are more', async () => {
  await fill(10_001)
  const { file, records, text, progress } = await type('audit --csv')
  expect(records).toHaveLength(10_001)
  expect(file?.content).toMatch(/\n10001,/)
  expect(file?.content).not.toMatch(/\n1,/)
  expect(text).toContain(
    'The file has the newest 10,000 entries, and there are older ones: a file takes no more than 10,000. Narrow the time with --since and --until for the rest.',
  )
  expect(progress.at(-1)).toBe('Read 10,000 entries of the audit log')
  await harness().sql('delete from audit_entries where seq = 1')
  expect((await type('audit --csv')).text).toContain('has all 10,000 entries that match')
})

/** Past the program, in one statement: thousands of transactions would take seconds. */
async function fill(count: number): Promise<void> {
  await harness().sql(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into audit_entries (seq, at, actor, team, operation, event, summary, hash)
    select n, 1795168800000, 'U1', 'T1', 'dns add', 'read', 'Read', 'x' from numbers`)
}
