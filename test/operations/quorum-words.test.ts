import { expect, it, test } from 'vitest'
import { textOf } from '../../src/block-kit/mrkdwn.ts'
import type { CatalogEntry, Operation } from '../../src/operations/declaration/operation.ts'
import {
  adminsNamed,
  canAsk,
  mayGetGraver,
  promptWords,
  quorumsMd,
  quorumsWords,
} from '../../src/operations/declaration/prompt-words.ts'
import { operationContext } from '../support/operation-context.ts'
import { sample } from '../support/sample-operation.ts'
import type { Decision, Quorum } from '../../src/operations/declaration/role.ts'

test.each<[Quorum, string]>([
  [{ count: 1, roles: ['operator', 'admin'], groups: [] }, 'one operator or admin'],
  [{ count: 2, roles: ['operator', 'admin'], groups: [] }, '2 operators or admins'],
  [{ count: 1, roles: [], groups: ['S1'] }, 'one member of a user group'],
  [{ count: 3, roles: ['admin'], groups: ['S1', 'S2'] }, '3 admins or members of a user group'],
  [{ count: 1, roles: ['viewer', 'operator', 'admin'], groups: [] }, 'one viewer, operator or admin'],
  [{ count: 2, roles: ['operator', 'admin'], groups: ['S1'] }, '2 operators, admins or members of a user group'],
])('%j takes %s', (quorum, words) => {
  expect(quorumsWords([quorum])).toBe(words)
})

const ANYBODY: Quorum = { count: 1, roles: ['operator', 'admin'], groups: [] }
const ADMIN: Quorum = { count: 1, roles: ['admin'], groups: [] }
const LAWYER: Quorum = { count: 1, roles: [], groups: ['S1'] }
const BOTH = 'takes the approval of one admin, and of one member of a user group, or a reason that all admins are told'

test.each<[readonly Quorum[], string]>([
  [[], ''],
  [[ADMIN, LAWYER], 'one admin, and one member of a user group'],
  [[ANYBODY, LAWYER], 'one operator or admin, and one member of a user group'],
  [[ANYBODY, { ...ANYBODY, count: 2 }], 'one operator or admin, and 2 operators or admins'],
])('%j together say what it takes and no more', (quorums, words) => {
  expect(quorumsWords(quorums)).toBe(words)
})

const entry = (decision: Partial<Decision>, operation: Partial<Operation> = {}): CatalogEntry => ({
  operation: { ...sample, ...operation },
  decision: { kind: 'run', reason: '', ...decision },
})
const BOT = { baseEffect: 'write to the bot' } as const
test.each<[Partial<Decision>, Partial<Operation>, string]>([
  [{}, { baseEffect: 'read' }, 'answered at once'],
  [{}, { ...BOT, undoable: true }, 'done at once, with Undo'],
  [{}, { ...BOT, undoable: false }, 'done at once'],
  [{ kind: 'confirm' }, {}, 'reviewed and confirmed by them first'],
  [{ kind: 'approve' }, {}, 'takes the approval of somebody else'],
  [{ kind: 'approve', breakGlass: true, quorums: [ADMIN, LAWYER] }, {}, BOTH],
  [{ kind: 'deny' }, {}, 'not allowed'],
])('%j for %j is said as %s', (decision, operation, words) => {
  expect(promptWords(entry(decision, operation), 'them')).toBe(words)
})

test.each<[Partial<Decision>, Partial<Operation>, boolean]>([
  [{ kind: 'confirm' }, { effectVaries: true }, true],
  [{ kind: 'confirm' }, { effectVaries: false }, false],
  [{ kind: 'confirm' }, { effectVaries: true, baseEffect: 'billed or irreversible' }, false],
  [{ kind: 'approve' }, { effectVaries: true }, false],
])('%j for %j may get graver: %s', (decision, operation, may) => {
  expect(mayGetGraver(entry(decision, operation))).toBe(may)
})

test('an admin is asked by somebody who wants for a role, and is named among five', () => {
  const { actor } = operationContext()
  const needed = { kind: 'deny', reason: '', neededRole: 'operator' } as const
  const asks = [
    canAsk(actor, needed, ['U1', 'U2']),
    canAsk(actor, needed, ['U1']),
    canAsk({ ...actor, barred: true }, needed, ['U2']),
    canAsk(actor, { kind: 'deny', reason: '' }, ['U2']),
  ]
  expect(asks).toEqual([true, false, false, false])
  const admins = ['U0A', 'U0B', 'U0C', 'U0D', 'U0E', 'U0F', 'U0G']
  const five = '<@U0A>, <@U0B>, <@U0C>, <@U0D>, <@U0E>'
  expect([5, 7].map((count) => textOf(adminsNamed(admins.slice(0, count))))).toEqual([five, `${five} and 2 more`])
})

it('shows user groups under their names where Slack can, and says the same else', () => {
  const lawyers = { count: 2, roles: ['admin'], groups: ['S0LAW', 'S0TAX'] } as const
  expect(textOf(quorumsMd([ANYBODY, lawyers]))).toBe(
    'one operator or admin, and 2 admins or members of the user group <!subteam^S0LAW> or <!subteam^S0TAX>',
  )
})
