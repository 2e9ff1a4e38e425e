import { expect, it } from 'vitest'
import { auditEntry, changeEntry } from '../../../src/execution/messages/audit-text.ts'
import { sampleChange } from '../../support/sample-change.ts'

const now = new Date('2026-11-20T12:00:00Z')
const entryOf = (sentence: string, detail?: string) =>
  auditEntry({
    actor: { id: 'U1', team: 'T1' },
    invocation: { operation: { name: 'dns add' }, sentence },
    event: 'read',
    now,
    detail,
  })

it('cuts a text to the 2,000 units that the log takes, and no other; letters of two units count twice', () => {
  const whole = 'x'.repeat(2_000)
  expect(entryOf(whole, whole)).toMatchObject({ summary: whole, detail: whole })
  expect(entryOf(`${whole}x`).summary).toBe(`${'x'.repeat(1_999)}…`)
  expect(entryOf('😀'.repeat(1_000)).summary).toBe('😀'.repeat(1_000))
  expect(entryOf('😀'.repeat(1_001), '😀'.repeat(1_001))).toMatchObject({
    summary: `${'😀'.repeat(999)}…`,
    detail: `${'😀'.repeat(999)}…`,
  })
})

it('says of a change from the store what it was, whose, and by whom', () => {
  const facts = { by: 'cdn-ops', event: 'expired', now, detail: 'Too late.' } as const
  const common = { at: now, actor: 'cdn-ops', team: 'T1', operation: 'record add', event: 'expired', changeId: 'c1' }
  expect(changeEntry({ change: sampleChange(), ...facts })).toEqual({
    ...common,
    summary: 'Add a record',
    detail: 'Too late.',
  })
  expect(changeEntry({ change: sampleChange({ sentence: undefined }), ...facts }).summary).toBe(
    'record add, not filled in',
  )
})
