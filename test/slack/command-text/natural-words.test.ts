import { describe, expect, it, test } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { checkContext } from '../../support/operation-context.ts'

const { zones } = checkContext()

function read(typed: string) {
  const parse = parseCommand(typed, OPERATIONS, zones)
  if (parse.kind !== 'operation') return parse.kind
  const { operation, values, problems } = parse
  return { name: operation.name, values, ...(problems.length > 0 && { problems }) }
}

describe('asking for help where one is', () => {
  test.each([
    ['logs --help', 'logs'],
    ['logs help', 'logs'],
    ['logs ?', 'logs'],
    ['dns add -h', 'dns add'],
    ['dns add shop A www --help', 'dns add'],
    ['dns help', 'dns'],
    ['ZONES Help', 'ZONES'],
    ['purge —help', 'purge'],
  ])('%s opens the help about %s', (typed, about) => {
    expect(read(typed)).toEqual({ name: 'help', values: { operation: about } })
  })

  it('leaves a zone of that name, quoted words and longer lines alone', () => {
    const named = [...zones, { kind: 'pull', name: 'help', zoneId: '9' } as const]
    expect(parseCommand('logs help', OPERATIONS, named)).toMatchObject({ values: { pullZone: 'help' } })
    expect(read('library create "help"')).toEqual({ name: 'library create', values: { name: 'help' } })
    expect(read('library create help desk')).toEqual({ name: 'library create', values: { name: 'help desk' } })
  })
})

test.each(['alerts hand over', 'alerts hand-over', 'alert take over', 'alerts assign'])(
  '%s is an assignment',
  (typed) => {
    expect(read(`${typed} 0123abcd @U012AB3CD`)).toEqual({
      name: 'alerts assign',
      values: { incident: '0123abcd', person: '@U012AB3CD' },
    })
  },
)

describe('words after the zone of a log', () => {
  test.each([
    ['logs shop 5xx', { status: '5xx' }],
    ['logs shop 404, 5xx', { status: '404, 5xx' }],
    ['logs shop miss', { cache: 'miss' }],
    ['log shop MISS,STALE 2h', { cache: 'MISS,STALE', since: '2h' }],
    ['logs shop MISS, STALE 5xx', { cache: 'MISS, STALE', status: '5xx' }],
    ['logs shop 03:10 --cache all', { since: '03:10', cache: 'all' }],
    ['logs shop 2h 5xx none', { since: '2h', status: '5xx', cache: 'none' }],
  ])('%s is read as it looks', (typed, values) => {
    expect(read(typed)).toEqual({ name: 'logs', values: { pullZone: 'shop', ...values } })
  })

  test.each(['checkout', '5xx 404', '2h 3h', '777'])('%s has no place, which is said', (words) => {
    const last = words.split(' ').at(-1)
    expect(read(`logs shop ${words}`)).toMatchObject({
      problems: [expect.stringContaining(`Nothing more was expected at: ${last}.`)],
    })
  })
})
