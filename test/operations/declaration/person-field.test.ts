import { describe, expect, it, test } from 'vitest'
import { isMeantAsPerson, person, personOrGroup } from '../../../src/operations/declaration/person-field.ts'
import { checkContext } from '../../support/operation-context.ts'

const field = person({ label: 'Who', hint: 'A person.' })
const read = (typed: string | readonly string[]) => field.read(typed, checkContext())

test.each(['<@U012AB|ann b>', '<@U012AB>', '@U012AB', 'U012AB', ' U012AB ', '<@U012AB|>'])('reads %s', (typed) => {
  expect(read(typed)).toEqual({ ok: true, value: 'U012AB' })
  expect(isMeantAsPerson(typed)).toBe(true)
})

test('reads the ids of people of an organisation', () => {
  expect(read('W012AB')).toEqual({ ok: true, value: 'W012AB' })
})

test.each(['@ann', '@', '@ann b'])('refuses %s, which is meant as a person but is none', (typed) => {
  expect(isMeantAsPerson(typed)).toBe(true)
  expect(read(typed)).toEqual({
    ok: false,
    problem: expect.stringMatching(/^Who is nobody Slack knows: type @ and pick/),
  })
})

test.each([
  'dns',
  'u012ab',
  'B012AB',
  '<!channel>',
  '<@U012AB',
  'U012AB U012CD',
  '<@U1|a|b>x',
  '',
  'U' + 'A'.repeat(30),
])('refuses %s, which is not meant as a person either', (typed) => {
  expect(isMeantAsPerson(typed)).toBe(false)
  expect(read(typed).ok).toBe(false)
})

describe('a person or a user group', () => {
  const either = personOrGroup({ label: 'Mention', hint: 'Somebody.' })
  it.each([
    ['<@U0123|olga>', 'U0123'],
    ['<!subteam^S0123|@ops>', 'S0123'],
    ['@S0123', 'S0123'],
    ['W0123', 'W0123'],
  ])('is its id: %s', (typed, id) => {
    expect(either.read(typed, checkContext())).toEqual({ ok: true, value: id })
  })
  it.each(['@olga', '<!here>', 'C0123', ''])('is not %j', (typed) => {
    expect(either.read(typed, checkContext())).toMatchObject({ ok: false })
  })
})
