import { describe, expect, it, test } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { checkContext } from '../../support/operation-context.ts'

const context = checkContext()

/** What a field of an operation makes of a typed command, and what it has to say against it. */
function read(typed: string, field: string): readonly [value: unknown, problems: readonly string[]] {
  const parse = parseCommand(typed, OPERATIONS, context.zones)
  if (parse.kind !== 'operation') throw new Error(`${typed} is ${parse.kind}`)
  const raw = parse.values[field]
  const result = raw === undefined ? undefined : parse.operation.fields[field]?.read(raw, context)
  return [result?.ok === true ? result.value : result?.problem, parse.problems]
}

/** Ways to write that a list goes on, and what may stand where it is over. */
const BETWEEN = [',', ', ', ' ,', ' , ', ',  ', ',,', ', ,', ' ,, ']
const AT_THE_END = ['', ',', ' ,', ',,', ', ,']
/** Fields that take several values, three of them, and what becomes of those. */
const LISTS: readonly (readonly [field: string, typed: readonly string[], value: readonly string[]])[] = [
  ['status', ['404', '5xx', '200'], ['404', '5xx', '200']],
  ['cache', ['miss', 'STALE', 'none'], ['MISS', 'STALE', '-']],
  ['country', ['de', 'NY', 'fr'], ['DE', 'NY', 'FR']],
]

describe('a list that people type', () => {
  test.each(LISTS)('has the same values however it is separated: --%s', (field, typed, value) => {
    for (const [place, first] of BETWEEN.entries())
      for (const end of AT_THE_END) {
        const list = `${typed[0]}${first}${typed[1]}${BETWEEN.at(-place)}${typed[2]}${end}`
        for (const command of [
          `logs shop --${field} ${list}`,
          `logs shop --${field}=${list}`,
          `logs --${field} ${list} --csv shop`,
          `logs shop --csv --${field}=${list} --limit 5`,
          `logs shop --${field} "${list}"`,
        ])
          expect([command, ...read(command, field)]).toEqual([command, value, []])
      }
  })

  test.each(LISTS.slice(0, 2))('is found without a flag as well: %s', (field, typed, value) => {
    for (const between of BETWEEN)
      for (const end of AT_THE_END) {
        const command = `logs shop ${typed.join(between)}${end} --csv`
        expect([command, ...read(command, field)]).toEqual([command, value, []])
      }
  })

  it('goes on over a flag that is given again', () => {
    expect(read('logs shop --cache miss, --cache ,stale', 'cache')).toEqual([['MISS', 'STALE'], []])
    expect(read('logs shop --cache miss --cache miss,stale --cache miss', 'cache')).toEqual([['MISS', 'STALE'], []])
  })

  it('is over where no comma goes on with it: what follows is a value of its own', () => {
    expect(read('logs --status 404,5xx shop', 'status')).toEqual([['404', '5xx'], []])
    expect(read('logs --status 404, 5xx shop', 'pullZone')).toEqual([{ id: 201n, name: 'shop' }, []])
    expect(read('logs --status 404, 5xx shop', 'status')).toEqual([['404', '5xx'], []])
    expect(read('logs shop --cache miss, stale 5xx', 'status')).toEqual([['5xx'], []])
  })

  it('of commas alone has no values, and says so where it takes some', () => {
    for (const commas of [',', ', ,', ',,,']) {
      expect(read(`logs shop --status ${commas}`, 'status')).toEqual([expect.stringMatching(/takes 1 to 20/), []])
    }
  })
})

describe('a list of zones', () => {
  it.each([
    'alerts watch 301, 302 303 --mention S0123',
    'alerts watch 301 302 303 --mention S0123',
    'alerts watch --mention S0123 301 ,302, 303',
    'alerts watch --pull-zone 301,302 --mention S0123 --pull-zone 303',
    'alerts watch --pull-zone="301 302 303"',
  ])('takes commas and spaces alike: %s', (typed) => {
    const [value, problems] = read(typed, 'pullZone')
    expect(value).toEqual([301n, 302n, 303n].map((id) => ({ id, name: undefined })))
    expect(problems).toEqual([])
  })
})
