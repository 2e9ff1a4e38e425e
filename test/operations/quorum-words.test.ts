import { expect, it, test } from 'vitest'
import { textOf } from '../../src/block-kit/mrkdwn.ts'
import { quorumsMd, quorumsWords } from '../../src/operations/declaration/prompt-words.ts'
import type { Quorum } from '../../src/operations/declaration/role.ts'

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

test.each<[readonly Quorum[], string]>([
  [[], ''],
  [[ADMIN, LAWYER], 'one admin, and one member of a user group'],
  [[ANYBODY, LAWYER], 'one operator or admin, and one member of a user group'],
  [[ANYBODY, { ...ANYBODY, count: 2 }], 'one operator or admin, and 2 operators or admins'],
])('%j together say what it takes and no more', (quorums, words) => {
  expect(quorumsWords(quorums)).toBe(words)
})

it('shows user groups under their names where Slack can, and says the same else', () => {
  const lawyers = { count: 2, roles: ['admin'], groups: ['S0LAW', 'S0TAX'] } as const
  expect(textOf(quorumsMd([ANYBODY, lawyers]))).toBe(
    'one operator or admin, and 2 admins or members of the user group <!subteam^S0LAW> or <!subteam^S0TAX>',
  )
})
