import { expect, test } from 'vitest'
import { isMeantAsPerson, person } from '../../src/operations/person-field.ts'
import { checkContext } from '../support/operation-context.ts'

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
