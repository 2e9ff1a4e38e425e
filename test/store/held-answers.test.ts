import { expect, test } from 'vitest'
import { HeldAnswers, MAX_HELD_CHARACTERS } from '../../src/store/held-answers.ts'
import type { AnswersTable } from '../../src/store/tables.ts'

const row = (id: string, message: string | null = null, expiresAt = 1): AnswersTable => ({
  id,
  kind: 'share',
  operation: 'x',
  values: '{}',
  actorId: 'U1',
  team: 'T1',
  channelId: null,
  message,
  createdAt: 0,
  expiresAt,
})
const idsIn = (held: HeldAnswers): readonly string[] => held.all().map(({ id }) => id)

test('of more answers than may be held the oldest go', () => {
  const held = new HeldAnswers(2)
  for (const id of ['a', 'b', 'c']) held.put(row(id))
  expect(held.get('a')).toBeUndefined()
  expect(idsIn(held)).toEqual(['b', 'c'])
})

test('of more text than may be held the oldest goes, and what has gone leaves its room', () => {
  const half = 'x'.repeat(MAX_HELD_CHARACTERS / 2 - 2)
  const held = new HeldAnswers(10)
  held.put(row('a', half))
  held.put(row('b', half))
  expect(held.get('a')).toBeDefined()
  held.put(row('c'))
  expect(held.get('a')).toBeUndefined()
  held.delete('b')
  held.put(row('d', half))
  held.put(row('e', 'x'.repeat(MAX_HELD_CHARACTERS / 2 - 6)))
  expect(idsIn(held)).toEqual(['c', 'd', 'e'])
})
