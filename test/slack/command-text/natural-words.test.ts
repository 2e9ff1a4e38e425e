import { describe, expect, it, test } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { checkContext } from '../../support/operation-context.ts'

const zones = [...checkContext().zones, { kind: 'storage', name: 'media', zoneId: '102' } as const]

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
    ['dns add -h', 'dns add'],
    ['logs ?', 'logs'],
    ['frobnicate --help', 'frobnicate'],
    ['dns add shop A www --help', 'dns add'],
    ['dns help', 'dns'],
    ['purge —help', 'purge'],
  ])('%s opens the help about %s', (typed, about) => {
    expect(read(typed)).toEqual({ name: 'help', values: { operation: about } })
  })

  it('leaves a zone of that name, quoted words and longer lines alone', () => {
    const named = [...zones, { kind: 'pull', name: 'Help', zoneId: '9' } as const]
    expect(parseCommand('logs HELP', OPERATIONS, named)).toMatchObject({ values: { pullZone: 'HELP' } })
    expect(read('library create "help"')).toEqual({ name: 'library create', values: { name: 'help' } })
    expect(read('library create help desk')).toEqual({ name: 'library create', values: { name: 'help desk' } })
  })
})

test.each([
  ['error errors ERRORS 404 5xx', 'logs shop {word} last week'],
  ['top busiest slow slowest', 'logs shop last week --by path'],
  ['tail lines requests', 'logs shop'],
  ['maintenance quiet downtime', 'alerts silence shop last week'],
  ['deploy deployed release released', 'alerts mark shop last week'],
  ['threshold thresholds limit limits rule rules', 'alerts list'],
  ['monitor notify', 'alerts watch shop'],
  ['stop unmonitor', 'alerts remove shop'],
  ['escalate page', 'alerts assign shop'],
  ['open active broken', 'status shop'],
  ['config ping settings version', 'doctor'],
])('each of the words %s before a zone and a time is answered by %s', (words, text) => {
  for (const word of words.split(' ')) {
    const parsed = parseCommand(`${word} of shop: last week`, OPERATIONS, zones)
    const meant = text.replace('{word}', word.toLowerCase())
    expect([word, parsed]).toMatchObject([word, { kind: 'meant', text: meant }])
  }
})

test.each([
  ['what is wrong with shop?', 'status shop'],
  ['shop', 'status shop'],
  ['statsu of the shop', 'status shop'],
  ...['who', 'access', 'permission', 'permissions', 'role', 'roles'].map((word) => [word, 'whoami']),
  ...['added', 'changed', 'did', 'happened'].map((word) => [`who ${word} dns`, 'history']),
  ...['today', 'yesterday', 'last hour', 'last night', 'this week'].map((time) => {
    return [`what happened to shop ${time}?`, `history shop ${time}`]
  }),
  ['deploy shop: v1.2, the second', 'alerts mark shop v1.2 the second'],
])('%s is answered by %s', (typed, text) => {
  const named = zones.filter(({ name }) => name === 'shop')
  expect(parseCommand(typed, OPERATIONS, named)).toMatchObject({ kind: 'meant', text })
})

test.each<readonly [typed: string, name: string, values: RawValues]>([
  ...['alerts hand over', 'alerts hand-over', 'alert take over', 'alerts assign'].map((typed) => {
    const values = { incident: '0123abcd', person: '@U012AB3CD' }
    return [`${typed} 0123abcd @U012AB3CD`, 'alerts assign', values] as const
  }),
  ['refused', 'audit', {}],
  ['pending', 'changes list', {}],
  ['silence shop 30m', 'alerts silence', { zone: 'shop', for: '30m' }],
  ['unmute shop', 'alerts unsilence', { ids: 'shop' }],
  ['ack shop', 'alerts acknowledge', { incident: 'shop' }],
  ['note shop the disk is full', 'alerts note', { incident: 'shop', text: 'the disk is full' }],
  ['watch shop', 'alerts watch', { pullZone: 'shop' }],
  ['unwatch shop', 'alerts remove', { what: 'shop' }],
  ['logs shop yesterday /checkout', 'logs', { pullZone: 'shop', since: 'yesterday', url: '/checkout' }],
  ['logs shop last hour', 'logs', { pullZone: 'shop', since: 'last hour' }],
  ['alerts firing', 'status', {}],
  ['hand over shop to @U012AB3CD', 'alerts assign', { incident: 'shop', person: '@U012AB3CD' }],
  ['zones add pull --name blog 4711', 'zones add', { kind: 'pull', name: 'blog', id: '4711' }],
  ['zones add --id 4711 pull blog', 'zones add', { kind: 'pull', name: 'blog', id: '4711' }],
  ['zones remove PULL blog', 'zones remove', { kind: 'PULL', name: 'blog' }],
  ['zones add pull blog 4711', 'zones add', { kind: 'pull', name: 'blog', id: '4711' }],
  ['status all', 'status', {}],
  ['logs shop HIT 10', 'logs', { pullZone: 'shop', cache: 'HIT', limit: '10' }],
  ['storage stats media last week', 'storage stats', { storageZone: 'media', since: 'last week' }],
  ['dns add shop www A 192.0.2.1', 'dns add', { zone: 'shop', name: 'www', type: 'A', value: '192.0.2.1' }],
  ['alerts test shop origin-failing 2d', 'alerts test', { pullZone: 'shop', kind: 'origin-failing', since: '2d' }],
  ['alerts digest 9:00', 'alerts digest', { at: '9:00' }],
  ['ack', 'alerts acknowledge', {}],
  ['ack shop the disk is full', 'alerts acknowledge', { incident: 'shop', text: 'the disk is full' }],
])('%s is understood', (typed, name, values) => {
  expect(read(typed)).toEqual({ name, values })
})

it('takes no word of four letters for another with two letters wrong', () => {
  expect(read('alert me when shop is over 5% errors')).toMatchObject({ name: 'alerts list' })
})

it('takes no words for a time for a slip of a verb', () => {
  expect(read('alerts last week')).toMatchObject({ name: 'alerts list' })
})

test.each(['purge shop', 'delete shop', 'frobnicate widgets', 'what is wrong with media?'])('%s is not', (typed) => {
  expect(read(typed)).toBe('unknown')
})

test.each([
  ['library create Clips --repl SYD', 'library create Clips --replication-regions SYD'],
  ['library create Clips --regions SYD', 'library create Clips --replication-regions SYD'],
  // Of two that are near, the nearer one.
  ['dns add shop --langitude 5', 'dns add shop --longitude 5'],
  ['logs 301 --path /img --from 2h --to 1h', 'logs 301 --url /img --since 2h --until 1h'],
  ['logs 301 --code 404 --lines 5 --group=path', 'logs 301 --status 404 --limit 5 --by=path'],
  // As many slips as are mended at once, in the command and behind it.
  [
    'lgs --ur a --statu 4 --cach b --countr c --limi 5 301',
    'logs --url a --status 4 --cache b --country c --limit 5 301',
  ],
])('a flag is known by how it begins, and by what others call it: %s means %s', (typed, text) => {
  expect(parseCommand(typed, OPERATIONS)).toMatchObject({ kind: 'meant', text })
})

test.each([
  ['library create Clips --rep SYD', { name: 'Clips' }, ['See: help library create.', 'expected at: SYD.']],
  [
    'logs 301 --ur a --statu 4 --cach b --countr c --limi 5 --untl 1h',
    { pullZone: '301' },
    ['--url?', '--status?', '--cache?', '--country?', '--limit?', '--until?'],
  ],
  ['log 301 --ur "/a', { pullZone: '301' }, ['The quote " at character 14', '--url?']],
  ['log --ur=/a 301 "', { pullZone: '301' }, ['The quote " at character 17', '--url?']],
  ['doctor --fast', {}, ['doctor takes no --fast. It takes no options at all.']],
  [`logs 301 ${'--x1 '.repeat(21)}`, { pullZone: '301' }, Array.from({ length: 20 }, () => 'no --x1')],
])('no more is made of it: %s', (typed, values, problems) => {
  const said = problems.map((part) => expect.stringContaining(part))
  expect(parseCommand(typed, OPERATIONS)).toMatchObject({ kind: 'operation', values, problems: said })
})

test('so many slips at a second look are not mended', () => {
  const slips = '--ur a --statu 4 --cach b --countr c --limi 5 --untl 1h'
  expect(parseCommand(`lgs 301 ${slips}`, OPERATIONS)).toEqual({ kind: 'unknown', typed: 'lgs 301', noun: undefined })
})

describe('words after the zone of a log', () => {
  test.each([
    ['logs shop errors', { status: 'errors' }],
    ['logs shop 5xx', { status: '5xx' }],
    ['log shop MISS,STALE 2h', { cache: 'MISS,STALE', since: '2h' }],
    ['logs shop MISS, STALE 5xx', { cache: 'MISS, STALE', status: '5xx' }],
    ['logs shop 03:10 03:40', { since: '03:10', until: '03:40' }],
    ['logs shop 2h 5xx none', { since: '2h', status: '5xx', cache: 'none' }],
  ])('%s is read as it looks', (typed, values) => {
    expect(read(typed)).toEqual({ name: 'logs', values: { pullZone: 'shop', ...values } })
  })

  test.each(['checkout', '5xx 404', '3h 2h 1h', '777'])('%s has no place, which is said', (words) => {
    const last = words.split(' ').at(-1)
    expect(read(`logs shop ${words}`)).toMatchObject({
      problems: [expect.stringContaining(`Nothing more was expected at: ${last}.`)],
    })
  })
})

test.each([
  ['alerts silence shop for 2h', { zone: 'shop', for: '2h' }],
  ['alerts silence shop for 2h for repairs', { zone: 'shop', for: '2h', reason: 'for repairs' }],
  ['alerts silence shop 1h30m --reason "new origin"', { zone: 'shop', for: '1h30m', reason: 'new origin' }],
  ['alerts silence shop 2h the origin is moved', { zone: 'shop', for: '2h', reason: 'the origin is moved' }],
  ['alerts add origin-failing shop 3%', { kind: 'origin-failing', pullZone: 'shop', warning: '3%' }],
  ['handover @Olga', { person: '@Olga' }],
  ['handover 0123abcd @Olga', { incident: '0123abcd', person: '@Olga' }],
  ['alerts silence all until morning', { zone: 'all', until: 'morning' }],
  ['alerts silence 301 17:30', { zone: '301', until: '17:30' }],
  ['alerts digest daily at 8:00', { cadence: 'daily', at: '8:00' }],
  ['alerts digest weekly on friday 08:00', { cadence: 'weekly', day: 'friday', at: '08:00' }],
  ['alerts digest daily 8:00 Europe/Berlin', { cadence: 'daily', at: '8:00', zone: 'Europe/Berlin' }],
  ['logs shop by path', { pullZone: 'shop', by: 'path' }],
  ['logs shop 5xx by country 2h', { pullZone: 'shop', status: '5xx', by: 'country', since: '2h' }],
  ['key 70010', { id: '70010' }],
  ['keys UserApi', { role: 'UserApi' }],
  ['history shop 7d', { zone: 'shop', since: '7d' }],
  ['history last night', { since: 'last night' }],
  ['history shop Last Night', { zone: 'shop', since: 'Last Night' }],
  ['history last night shop', { zone: 'shop', since: 'last night' }],
  ['history since last night', { since: 'last night' }],
  ['history shop from yesterday until 12:00', { zone: 'shop', since: 'yesterday', until: '12:00' }],
  ['history this week --csv', { since: 'this week', csv: 'true' }],
  ['library create last night', { name: 'last night' }],
  ['storage shop from 14d to 7d', { storageZone: 'shop', since: '14d', until: '7d' }],
  ['alerts test origin-failing shop 2d', { kind: 'origin-failing', pullZone: 'shop', since: '2d' }],
  ['audit @U012AB3CD 7d', { who: '@U012AB3CD', since: '7d' }],
])('%s needs no flags', (typed, values) => {
  const said = read(typed)
  expect(said).toEqual({ name: expect.any(String), values })
})

test.each([
  ['alerts silence shop for ages', 'for ages'],
  ['alerts silence shop 2 h', '2 h'],
  ['history shop 7d more', 'more'],
  ['logs shop by --csv', 'by'],
])('%s loses nothing: what finds no place is said', (typed, rest) => {
  expect(read(typed)).toMatchObject({ problems: [expect.stringContaining(`Nothing more was expected at: ${rest}.`)] })
})

test('a word before a value that is quoted, or of which the operation has none, is what it says', () => {
  expect(read('alerts mark shop by hand')).toMatchObject({ values: { pullZone: 'shop', text: 'by hand' } })
  expect(read('alerts mark shop at noon')).toMatchObject({ values: { pullZone: 'shop', text: 'at noon' } })
  expect(read('dns add shop A on 192.0.2.10')).toMatchObject({ values: { name: 'on', value: '192.0.2.10' } })
  expect(read('alerts silence "for" 2h')).toMatchObject({ values: { zone: 'for', for: '2h' } })
})

it.each([
  ['logs shop -since 1h', 'logs shop --since 1h'],
  ['logs shop -failing -by path', 'logs shop --failing --by path'],
])('an option with one dash is asked back: %s', (typed, text) => {
  expect(parseCommand(typed, OPERATIONS, zones)).toMatchObject({ kind: 'meant', text })
})

it.each(['logs shop "-since" 1h', 'logs shop -nothing', 'dns add shop TXT a -since'])('is no option: %s', (typed) => {
  expect(parseCommand(typed, OPERATIONS, zones).kind).toBe('operation')
})
