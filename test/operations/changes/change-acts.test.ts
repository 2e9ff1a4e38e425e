import { describe, expect, it } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import type { ChangeActionEnd } from '../../../src/operations/change-actions.ts'
import { changesCancel, changesSettle } from '../../../src/operations/changes/changes-settle.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Change } from '../../../src/store/change.ts'
import { invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'

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
async function ask(operation: Operation, values: RawValues, end: ChangeActionEnd) {
  const done: string[] = []
  const changes = {
    cancel: async (which: string) => {
      done.push(`cancel ${which}`)
      return end
    },
    settle: async (which: string, happened: boolean) => {
      done.push(`settle ${which} ${happened}`)
      return end
    },
  }
  const { message } = await invocationOf(operation, values).run(operationContext({}, { changes }))
  expect(messageProblems(message)).toEqual([])
  expect(JSON.stringify(message.blocks)).not.toContain('<!here>')
  return { done, text: message.text }
}

describe('cancelling', () => {
  it('takes the change back and says how it stands', async () => {
    const change: Change = {
      ...CHANGE,
      state: 'cancelled',
      endedBy: 'U0OLGA',
      endedAt: at,
      outcome: 'Cancelled by who asked.',
    }
    const { done, text } = await ask(changesCancel, { id: id.toUpperCase() }, { kind: 'done', change })
    expect(done).toEqual([`cancel ${id}`])
    expect(text).toMatch(/cancelled \(by @U0OLGA, 2026-11-20 11:59 UTC\): Add .* an A record\nCancelled by who asked\./)
    expect(text).toContain(`/cdn changes show ${id}`)
    expect(text).not.toContain('Nothing was done')
  })

  it('says why it did not, and how the change was found', async () => {
    const end = { kind: 'not_now', change: { ...CHANGE, state: 'sending' }, why: 'It is being sent.' } as const
    const { text } = await ask(changesCancel, { id }, end)
    expect(text).toMatch(/^Nothing was done\. It is being sent\.\n.*being sent: .*\nThe platform has been asked/)
  })

  it('says when there is no such change', async () => {
    const { text } = await ask(changesCancel, { id }, { kind: 'not_now', change: undefined, why: 'There is none.' })
    expect(text).toMatch(/^Nothing was done\. There is none\.\nAll about it/)
  })
})

describe('settling', () => {
  it.each([
    ['happened', true, 'done'],
    ['not-happened', false, 'not_done'],
    ['It did not happen', false, 'not_done'],
  ] as const)('takes the word %s for %s', async (found, happened, state) => {
    const change: Change = { ...CHANGE, state, endedBy: 'U0OTTO', outcome: 'A person looked.' }
    const { done, text } = await ask(changesSettle, { id, found }, { kind: 'done', change })
    expect(done).toEqual([`settle ${id} ${happened}`])
    expect(text).toContain('(by @U0OTTO)')
    expect(text).toContain('A person looked.')
  })

  it('puts on record what was found', () => {
    const sentence = (found: string) => invocationOf(changesSettle, { id, found }).sentence
    expect(sentence('happened')).toBe(`Settle change ${id}: it has happened`)
    expect(sentence('not-happened')).toBe(`Settle change ${id}: it has not happened`)
  })

  it('takes no word for an answer that is neither', () => {
    expect(problemsOf(changesSettle, { id, found: 'maybe' })).toEqual([
      expect.stringContaining('What was found cannot be'),
    ])
    expect(problemsOf(changesSettle, { id })).toEqual(['found: What was found is needed.'])
  })
})

it.each([changesCancel, changesSettle])('%# is for operators, done at once, and promises no undo', (operation) => {
  const { effect, minimumRole } = invocationOf(operation, {
    id,
    ...(operation === changesSettle && { found: 'happened' }),
  })
  expect([effect, minimumRole, operation.undoable]).toEqual(['write to the bot', 'operator', false])
})
