import { describe, expect, it } from 'vitest'
import { zonesAdd, zonesRemove } from '../../../src/operations/zones/zones.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { whoami } from '../../../src/operations/help/whoami.ts'
import { operationNamed, parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { sample, sampleList } from '../../support/sample-operation.ts'

/** The list stands first: its alias must not hide the longer name that comes later. */
const operations = [sampleList, sample, zonesAdd, zonesRemove, whoami]
const parse = (text: string) => parseCommand(text, operations)

function read(text: string) {
  const parsed = parse(text)
  if (parsed.kind !== 'operation') throw new Error(`${text} is ${JSON.stringify(parsed)}`)
  return { name: parsed.operation.name, values: parsed.values, problems: parsed.problems }
}

const valuesOf = (text: string) => {
  const { values, problems } = read(text)
  expect(problems).toEqual([])
  return values
}
const problemsOf = (text: string) => read(text).problems

describe('a verb behind a noun alone', () => {
  const verbs =
    'add change check clear copy create del delete destroy disable drop edit enable export find flush get import invalidate ls list lookup modify move new purge remove rename renew restore revoke rm rotate set show update'
  it.each(verbs.split(' '))('that the noun does not have is no value: storage %s', (verb) => {
    const unknown = { kind: 'unknown', typed: `Storage ${verb}`, noun: 'storage' }
    expect(parseCommand(`Storage ${verb} backups`, OPERATIONS)).toEqual(unknown)
  })

  it.each([
    ['library "delete Oncall"', 'library create'],
    ['library Oncall', 'library create'],
    ['help remove', 'help'],
  ])('is none in quotes, where it is the name of a zone, or behind a whole name: %s', (text, name) => {
    expect(parseCommand(text, OPERATIONS)).toMatchObject({ kind: 'operation', operation: { name } })
  })

  it('is none where a zone has that name', () => {
    const zones = [{ kind: 'storage', name: 'export', zoneId: '101' }] as const
    expect(parseCommand('storage export', OPERATIONS, zones)).toMatchObject({ operation: { name: 'storage stats' } })
  })
})

describe('a name of somebody', () => {
  const watch = (text: string) => {
    const parsed = parseCommand(`alerts watch ${text}`, OPERATIONS)
    return parsed.kind === 'operation' ? { ...parsed.values, problems: parsed.problems } : parsed
  }
  it.each([
    ['shop --mention @Otto Kimura', { mention: '@Otto Kimura' }],
    [
      'shop --mention=Otto Kimura --escalate @cdn-leads --after 20m',
      { mention: 'Otto Kimura', escalate: '@cdn-leads', after: '20m' },
    ],
    ['--mention @otto shop', { mention: '@otto' }],
    ['shop --mention "Otto Kimura"', { mention: 'Otto Kimura' }],
  ])('is all the words that nothing else expects: %s', (text, expected) => {
    expect(watch(text)).toEqual({ pullZone: 'shop', ...expected, problems: [] })
  })

  it('that Slack has made a mention of is whole, and what follows is too much', () => {
    expect(watch('shop --mention <@U0OTTO|otto> Kimura')).toEqual({
      pullZone: 'shop',
      mention: 'U0OTTO',
      problems: [expect.stringContaining('Nothing more was expected at: Kimura')],
    })
  })
})

describe('which operation is meant', () => {
  it('says when nothing was typed', () => {
    expect(parse('  \n ')).toEqual({ kind: 'empty' })
  })

  it.each([
    ['record add', 'record add'],
    ['records add', 'record add'],
    ['RECORD ADD', 'record add'],
    ['records list', 'records list'],
    ['records', 'records list'],
    ['record', 'records list'],
  ])('reads %j as %s', (text, name) => {
    expect(read(text).name).toBe(name)
  })

  it('takes the longest name, so that a verb is no value', () => {
    expect(read('records list shop')).toMatchObject({ name: 'records list', values: { zone: 'shop' } })
    expect(read('records shop')).toMatchObject({ name: 'records list', values: { zone: 'shop' } })
  })

  it.each([
    ['recrod add', 'record add'],
    ['add record', 'record add'],
    ['records lst', 'records list'],
    ['rceord ad', 'record add'],
    ['whoma', 'whoami'],
  ])('asks about %j whether %s is meant', (text, meant) => {
    expect(parse(text)).toMatchObject({ kind: 'meant', operation: { name: meant }, text: meant, problems: [] })
  })

  it.each([
    ['rceord ad shop A x --ttl=5 “a b”', 'record add shop A x --ttl=5 “a b”'],
    ['add shop A x', undefined],
    ['Shop records', 'records list Shop'],
    ['remove pull shop', 'zones remove pull shop'],
    ['whoma <@U012|ann> &amp; co', 'whoami @ann & co'],
  ])('takes over all that was typed: %s', (text, meant) => {
    const parsed = parseCommand(text, operations, [{ kind: 'dns', name: 'shop', zoneId: '7' }])
    expect('text' in parsed ? parsed.text : undefined).toBe(meant)
  })

  it('knows a mention behind a slip by its id', () => {
    const values = { person: 'U012', operation: 'x' }
    for (const typed of ['whoma <@U012|ann> x', 'whoami --persn <@U012|ann> --opertion x'])
      expect(parse(typed)).toMatchObject({ kind: 'meant', values })
  })

  it('makes one question of all slips, and keeps what else is wrong', () => {
    expect(parse('recrod ad shop --weigth-factor=1 --dry-rum A x --colour blue')).toMatchObject({
      kind: 'meant',
      text: 'record add shop --weight-factor=1 --dry-run A x --colour blue',
      values: { zone: 'shop', weightFactor: '1', dryRun: 'true', type: 'A' },
      problems: [expect.stringContaining('--colour'), expect.stringContaining('blue')],
    })
  })

  it('has nothing to suggest for words near nothing', () => {
    expect(parse('make coffee please')).toEqual({ kind: 'unknown', typed: 'make coffee', noun: undefined })
    expect(parse('zone paint 7')).toEqual({ kind: 'unknown', typed: 'zone paint', noun: 'zone' })
  })

  it('takes a word near a verb for a zone when a zone bears that name, or when it is quoted', () => {
    const zones = [{ kind: 'dns', name: 'Lst', zoneId: '7' }] as const
    expect(parseCommand('records lst', operations, zones)).toMatchObject({ kind: 'operation', values: { zone: 'lst' } })
    expect(read('records "lst"').values).toEqual({ zone: 'lst' })
  })

  it('refuses text of more than a bound', () => {
    expect(parse(`record add shop A ${'x'.repeat(3_982)}`)).toMatchObject({ kind: 'operation' })
    const problem = 'The command has 4001 characters; at most 4000 are read. Open the form and put long values there.'
    expect(parse(`record add shop A ${'x'.repeat(3_983)}`)).toEqual({ kind: 'unreadable', problem })
  })

  it('is known by the first words alone, for what cannot wait for the rest', () => {
    expect(operationNamed(`${' '.repeat(300)}records LIST "open`, operations)).toBe(sampleList)
    expect(operationNamed(`x${' '.repeat(200)}record add`, operations)).toBeUndefined()
    expect(operationNamed(`${'"'.repeat(2)} record add`, operations)).toBeUndefined()
  })
})

describe('values without a flag', () => {
  it('lets the type decide what follows it', () => {
    expect(valuesOf('record add shop MX 10 mail.example.net')).toEqual({
      zone: 'shop',
      type: 'MX',
      priority: '10',
      value: 'mail.example.net',
    })
    expect(valuesOf('record add shop A 10')).toEqual({ zone: 'shop', type: 'A', value: '10' })
  })

  it('skips what a flag has already given', () => {
    expect(valuesOf('record add --type MX shop 10 mail')).toEqual(valuesOf('record add shop MX 10 mail'))
  })

  it('gives the last the rest of the line as it was typed', () => {
    expect(valuesOf("record add shop A v=spf1  “x”  -all — it's")['value']).toBe("v=spf1  “x”  -all — it's")
    expect(valuesOf('record add shop A "a"  "b"')['value']).toBe('"a"  "b"')
  })

  it('takes the quotes off when they hold all of it', () => {
    expect(valuesOf('record add shop A "a  b"')['value']).toBe('a  b')
    expect(valuesOf('record add shop A “a — b”')['value']).toBe('a — b')
  })

  it('ends the rest at a flag, unless the flag is quoted', () => {
    expect(valuesOf('record add shop A a b --dry-run')).toMatchObject({ value: 'a b', dryRun: 'true' })
    expect(valuesOf('record add shop A a "--dry-run" b')['value']).toBe('a "--dry-run" b')
  })

  it('refuses what comes after the rest', () => {
    expect(problemsOf('record add shop A a --dry-run b  c')).toEqual([
      'Nothing more was expected at: b  c. Text with spaces goes in quotes, options begin with --.',
    ])
  })

  it('takes only one word for a zone', () => {
    expect(read('records list shop more')).toMatchObject({
      values: { zone: 'shop' },
      problems: [expect.stringContaining('more')],
    })
  })

  it('moves a word that cannot be what was expected to where it fits', () => {
    expect(valuesOf('zones remove pull shop')).toEqual({ kind: 'pull', name: 'shop' })
    expect(valuesOf('zones remove shop')).toEqual({ name: 'shop' })
  })

  it('takes a mention for whom it means, and in other text for what was typed', () => {
    expect(valuesOf('whoami <@U012|ann>')).toEqual({ person: 'U012' })
    expect(valuesOf('whoami --operation=<@U012|ann>')).toEqual({ operation: 'U012' })
    expect(valuesOf('record add shop A ask <@U012|ann> now')['value']).toBe('ask @ann now')
    expect(valuesOf('record add shop A "ask <@U012|ann> now"')['value']).toBe('ask @ann now')
  })
})

describe('values with a flag', () => {
  const add = 'record add shop A x'

  it.each<readonly [flags: string, expected: Readonly<Record<string, string>>]>([
    ['--weight-factor 0.5', { weightFactor: '0.5' }],
    ['--weightfactor=0.5', { weightFactor: '0.5' }],
    ['--weight-factor -5', { weightFactor: '-5' }],
    ['--variables "A=1 2"', { variables: 'A=1 2' }],
    ['--dry-run', { dryRun: 'true' }],
    ['--dry-run=no', { dryRun: 'no' }],
    ['--no-dry-run', { dryRun: 'false' }],
    ['--accelerated', { accelerated: 'true' }],
    ['--accelerated default', { accelerated: 'default' }],
    ['--tags v1 --tags v2,v3', { tags: 'v1,v2,v3' }],
    ['--tags v1, v2 ,v3', { tags: 'v1, v2 ,v3' }],
    ['--tags "v1," --dry-run', { tags: 'v1,', dryRun: 'true' }],
    ['--variables A=1 --variables B=2', { variables: 'A=1\nB=2' }],
    ['--weight-factor 1 --weight-factor 1', { weightFactor: '1' }],
    ...['on', 'off', 'yes', 'no', 'true', 'false'].map((word) => [`--dry-run ${word}`, { dryRun: word }] as const),
    ['--dry-run ON', { dryRun: 'on' }],
    ['--accelerated=on', { accelerated: 'on' }],
    ['--no-accelerated', { accelerated: 'false' }],
    ['--tags=v1, v2', { tags: 'v1, v2' }],
    ['--WEIGHT_FACTOR 0.5', { weightFactor: '0.5' }],
  ])('reads %s', (flags, expected) => {
    expect(valuesOf(`${add} ${flags}`)).toEqual({ zone: 'shop', type: 'A', value: 'x', ...expected })
    expect(valuesOf(`record add ${flags} shop A x`)).toEqual({ zone: 'shop', type: 'A', value: 'x', ...expected })
  })

  it('ends a list before what is in quotes', () => {
    const values = { zone: 'shop', type: 'A', tags: 'v1,', value: 'v2' }
    expect(valuesOf(`record add shop A --tags v1, "v2"`)).toEqual(values)
  })

  it.each([
    [
      '--colour blue',
      'record add takes no --colour. See: help record add. If it belongs to a value, put the value in quotes.',
    ],
    ['--weight-factor', '--weight-factor needs a value: Weight.'],
    ['--weight-factor --dry-run', '--weight-factor needs a value: Weight.'],
    ['--weight-factor 1 --weight-factor 2', 'Weight was given twice: 1 and 2.'],
    ['--no-dry-run=yes', '--no-dry-run takes no value: write --dry-run=… instead.'],
    [
      '--constructor 1',
      'record add takes no --constructor. See: help record add. If it belongs to a value, put the value in quotes.',
    ],
  ])('has to say about %s: %s', (flags, problem) => {
    expect(problemsOf(`${add} ${flags}`)[0]).toBe(problem)
  })

  it('leaves to the next value what is no word for on or off', () => {
    expect(valuesOf('record add --dry-run "no" A x')).toEqual({ dryRun: 'true', zone: 'no', type: 'A', value: 'x' })
    expect(valuesOf('record add --dry-run default A x')).toMatchObject({ dryRun: 'true', zone: 'default' })
    expect(problemsOf(`${add} --no-tags`)[0]).toMatch(/takes no --no-tags\./)
  })

  it('reads what stands before an open quote and says where the quote is', () => {
    expect(read('record add shop A "x')).toEqual({
      name: 'record add',
      values: { zone: 'shop', type: 'A' },
      problems: [
        'The quote " at character 19 is never closed, so nothing from there on was read. Close it, or put a backslash before it.',
      ],
    })
    for (const [text, position] of [
      ['“record add', 1],
      ['paint “record', 7],
    ] as const)
      expect(parse(text)).toMatchObject({
        kind: 'unreadable',
        problem: expect.stringContaining(`character ${position} `),
      })
  })
})
