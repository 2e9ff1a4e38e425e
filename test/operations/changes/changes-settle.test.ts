import { describe, expect, it, vi } from 'vitest'
import { changesCancel, changesSettle } from '../../../src/operations/changes/changes.ts'
import type { Operation, ChangeActionEnd } from '../../../src/operations/declaration/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { ask } from '../../support/ask.ts'
import { invocationOf, problemsOf } from '../../support/operation-context.ts'
import { shortId } from '../../../src/shared/short-id.ts'

const id = '0123456789abcdef0123456789abcdef'
const at = new Date('2026-11-20T11:59:00Z')
const CHANGE: Change = {
  id,
  state: 'waiting',
  operation: 'dns add',
  values: {},
  sentence: 'Add <!here> an A record',
  requestedBy: 'U0OLGA',
  team: 'T1',
  createdAt: at,
  updatedAt: at,
  expiresAt: at,
  revision: 1,
  shownRevision: 1,
}

/** What is said, and what was done to which change, when it ends so. */
async function end(operation: Operation, values: RawValues, result: ChangeActionEnd) {
  const cancel = vi.fn(async (_id: string) => result)
  const settle = vi.fn(async (_id: string, _happened: boolean) => result)
  const { text, said } = await ask(operation, values, {}, { changes: { cancel, settle, waitingFor: async () => [] } })
  expect(said).not.toContain('<!here>')
  return { text, cancelled: cancel.mock.calls, settled: settle.mock.calls }
}

describe('cancelling', () => {
  it('takes the change back and says how it stands', async () => {
    const ended = { endedBy: 'U0OLGA', endedAt: at, outcome: 'Cancelled by who asked.' }
    const change: Change = { ...CHANGE, state: 'cancelled', ...ended }
    const { cancelled, text } = await end(changesCancel, { id: id.toUpperCase() }, { kind: 'done', change })
    expect(cancelled).toEqual([[id]])
    expect(text).toMatch(
      /^cancelled \(by somebody, 2026-11-20 11:59 UTC\): Add .* an A record\nCancelled by who asked\.\n\/cdn changes show 01234567$/,
    )
    expect(invocationOf(changesCancel, { id }).sentence).toBe('Cancel change 01234567')
  })

  it('says why it did not, and how the change was found', async () => {
    const sending = { ...CHANGE, state: 'sending' } as const
    const { text } = await end(changesCancel, { id }, { kind: 'not_now', change: sending, why: 'It is being sent.' })
    expect(text).toMatch(/^Nothing was done\. It is being sent\.\n.*being sent: Add .*\n\/cdn changes show/)
  })
})

describe('settling', () => {
  it.each([
    ['happened', true, 'done'],
    ['not-happened', false, 'not_done'],
    ['It did not happen', false, 'not_done'],
  ] as const)('takes the word %s for %s', async (found, happened, state) => {
    const change: Change = { ...CHANGE, state, endedBy: 'U0OTTO', outcome: 'A person looked.' }
    const { settled, text } = await end(changesSettle, { id, found }, { kind: 'done', change })
    expect(settled).toEqual([[id, happened]])
    expect(text).toContain('(by somebody)')
    expect(text).toContain('A person looked.')
  })

  it('puts on record what was found', () => {
    const sentence = (found: string) => invocationOf(changesSettle, { id, found }).sentence
    expect(sentence('happened')).toBe(`Settle change ${shortId(id)}: it has happened`)
    expect(sentence('not-happened')).toBe(`Settle change ${shortId(id)}: it has not happened`)
  })

  it('takes no word for an answer that is neither', () => {
    expect(problemsOf(changesSettle, { id, found: 'maybe' })).toEqual([
      expect.stringContaining('What was found cannot be'),
    ])
    expect(problemsOf(changesSettle, { id })).toEqual(['found: What was found is needed.'])
  })
})

it.each([changesCancel, changesSettle])('%# is for operators, done at once, and promises no undo', (operation) => {
  const found = operation === changesSettle && { found: 'happened' }
  const { effect, minimumRole } = invocationOf(operation, { id, ...found })
  expect([effect, minimumRole, operation.undoable]).toEqual(['write to the bot', 'operator', false])
})
