import { expect, it } from 'vitest'
import { changeEntry } from '../../../src/execution/messages/audit-text.ts'
import { sampleChange } from '../../support/sample-change.ts'

const now = new Date('2026-11-20T12:00:00Z')
const entryOf = (sentence: string | undefined, detail = 'Too late.') =>
  changeEntry({ change: sampleChange({ sentence }), by: 'cdn-ops', event: 'expired', now, detail })

it('cuts texts to the 2,000 units that the log takes, and no others; letters of two units count twice', () => {
  const [whole, letters] = ['x'.repeat(2_000), '😀'.repeat(1_000)]
  expect(entryOf(whole, letters)).toMatchObject({ summary: whole, detail: letters })
  const [cut, fewer] = [`${'x'.repeat(1_999)}…`, `${'😀'.repeat(999)}…`]
  expect(entryOf(`${whole}x`, `${letters}😀`)).toMatchObject({ summary: cut, detail: fewer })
})

it('says of a change from the store what it was, whose, and by whom', () => {
  const common = { at: now, actor: 'cdn-ops', team: 'T1', operation: 'record add', event: 'expired', changeId: 'c1' }
  expect(entryOf('Add a record')).toEqual({ ...common, summary: 'Add a record', detail: 'Too late.' })
  expect(entryOf(undefined).summary).toBe('record add, not filled in')
})
