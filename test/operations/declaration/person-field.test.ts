import { describe, expect, it, test } from 'vitest'
import { text } from '../../../src/operations/declaration/fields.ts'
import { isMeantAsPerson, namesIn, person, personOrGroup } from '../../../src/operations/declaration/person-field.ts'
import { checkContext } from '../../support/operation-context.ts'

const field = person({ label: 'Who', hint: 'A person.' })
const read = (typed: string | readonly string[]) => field.read(typed, checkContext())

test.each(['<@U012AB|ann b>', '<@U012AB>', '@U012AB', 'U012AB', ' U012AB ', '<@U012AB|>'])('reads %s', (typed) => {
  expect(read(typed)).toEqual({ ok: true, value: 'U012AB' })
  expect(isMeantAsPerson(typed)).toBe(true)
})

test.each(['@ann', '@', '@ann b'])('refuses %s, which is meant as a person but is none', (typed) => {
  expect(isMeantAsPerson(typed)).toBe(true)
  const problem = expect.stringMatching(/^Who is nobody CDN Ops found in Slack: type @ and pick/)
  expect(read(typed)).toEqual({ ok: false, problem })
})

const NOBODY = ['dns', 'u012ab', 'B012AB', '<!channel>', '<@U012AB', 'U012AB U012CD', '<@U1|a|b>x', '']

test.each([...NOBODY, 'U' + 'A'.repeat(30)])('refuses %s, which is not meant as a person either', (typed) => {
  expect(isMeantAsPerson(typed)).toBe(false)
  expect(read(typed).ok).toBe(false)
})

test('has room for the longest name that Slack takes, and its sign', () => {
  expect(field.control).toMatchObject({ kind: 'text', maxLength: 120 })
})

describe('a name', () => {
  const either = personOrGroup({ label: 'Mention', hint: 'Somebody.' })
  const named = new Map([
    ['otto kimura', [{ id: 'U0OTTO', name: 'Otto Kimura (@otto)' }]],
    ['ops', [{ id: 'S0OPS', name: 'Operators (@ops)' }]],
    ['ann', ['A', 'B', 'C', 'D', 'E', 'F'].map((letter) => ({ id: `U0ANN${letter}`, name: `@ann-${letter}` }))],
  ])
  const readNamed = (typed: string, wanted = either) => wanted.read(typed, checkContext({ named }))

  it.each(['@Otto Kimura', 'otto kimura', ' Otto Kimura '])('is whoever alone bears it: %j', (typed) => {
    expect(readNamed(typed)).toEqual({ ok: true, value: 'U0OTTO' })
    const fields = { mention: either, note: text({ label: 'Note' }) }
    expect(namesIn({ mention: typed, other: typed, note: 'ann' }, fields)).toEqual(['otto kimura'])
  })

  it('of a user group is nobody where a person is asked for', () => {
    expect(readNamed('@ops')).toEqual({ ok: true, value: 'S0OPS' })
    expect(readNamed('@ops', field)).toMatchObject({ ok: false })
  })

  it('of several is asked for again, with some of them named', () => {
    const problem = 'Mention can be several, such as @ann-A, @ann-B, @ann-C, @ann-D. Give the one by its @name.'
    expect(readNamed('Ann')).toEqual({ ok: false, problem })
  })

  it.each(['U0123', '<@U0123|ann>', '@S0123', ''])('is not looked up where an id was given: %j', (typed) => {
    expect(namesIn({ mention: typed }, { mention: either })).toEqual([])
  })
})

describe('a person or a user group', () => {
  const either = personOrGroup({ label: 'Mention', hint: 'Somebody.' })

  it('names the groups there are where nobody bears the name, and takes none for it', () => {
    const named = new Map([['on-call', [{ id: 'S0OPS', name: '@cdn-operators', isOther: true }]]])
    const context = { now: new Date(), zones: [], timeZone: 'UTC', named }
    const read = either.read('@on-call', context)
    expect(read).toMatchObject({ ok: false })
    expect(JSON.stringify(read)).toContain('Mention: nobody is called @on-call. User groups are @cdn-operators.')
  })
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
