import { describe, expect, it } from 'vitest'
import {
  exampleWith,
  flagName,
  optionUsages,
  plainExample,
  shortUsage,
  usageLine,
} from '../../../src/operations/declaration/usage.ts'
import { choices } from '../../../src/operations/declaration/choice-field.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { sample, sampleList } from '../../support/sample-operation.ts'

describe('how an operation is typed', () => {
  it('has positionals, needed or not, and flags, the first of many', () => {
    expect(usageLine(sampleList)).toBe('records list [dns-zone] [--csv]')
    const { zone, value } = sample.fields
    const flagged = { ...sampleList, fields: { zone: zone!, value: value! } }
    expect(usageLine(flagged)).toBe('records list <dns-zone> --value <text>')
    expect(usageLine(sample)).toBe(
      'record add <dns-zone> <A|MX> <value> [--priority <number>] [--weight-factor <number>] [--tags <v1,v2,…>] [--regions <v1,v2,…>] …',
    )
  })

  it('has both of two values that go together, and no sign of more', () => {
    const tags = choices({
      label: 'Tags',
      choices: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    })
    expect(usageLine({ ...sampleList, fields: { tags }, positionals: () => [] })).toBe('records list [--tags <a,b>]')
  })

  it('is short where options are left out, which an ellipsis stands for', () => {
    expect(shortUsage(sample)).toBe('record add <dns-zone> <A|MX> <value> …')
    const named = (name: string) => shortUsage(OPERATIONS.find((operation) => operation.name === name)!)
    expect(named('help')).toBe('help [operation]')
    expect(named('alerts watch')).toBe('alerts watch <pull-zones> …')
    expect(named('zones add')).toBe('zones add <pull|storage|dns> <id> <name>')
    expect(named('dns add')).toBe('dns add <dns-zone> <type> <name> [value] …')
  })

  it('says what kind of text a value is', () => {
    const typed = OPERATIONS.flatMap((operation) => optionUsages(operation).map((option) => option.typed))
    expect(typed).toEqual(
      expect.arrayContaining(['--since <time>', '--day <day>', '--ttl <seconds|5m>', '--before <id>']),
    )
    expect(typed).toEqual(expect.arrayContaining(['--status <404,5xx,…>', '--variables <NAME=value>']))
  })

  const zones = [
    { kind: 'dns', name: 'home', zoneId: '1' },
    { kind: 'pull', name: 'site', zoneId: '2' },
    { kind: 'pull', name: 'blog', zoneId: '3' },
    { kind: 'storage', name: 'files', zoneId: '4' },
  ] as const
  it.each([
    ['alerts watch', 'alerts watch 301, 302, 302', 'alerts watch site, blog, <pull-zone>'],
    ['alerts silence', 'alerts silence shop 2h', 'alerts silence site 2h'],
    ['dns add', 'dns add shop PullZone cdn 301', 'dns add home PullZone cdn site'],
    ['storage stats', 'storage 101 14d', 'storage files 14d'],
    ['zones add', 'zones add pull 301 shop', 'zones add pull 301 shop'],
    ['keys list', 'keys list shop', 'keys list shop'],
  ])('has examples of %s with zones that there are: %s', (name, example, own) => {
    expect(
      exampleWith(
        zones,
        OPERATIONS.find((operation) => operation.name === name)!,
        example,
      ),
    ).toBe(own)
  })

  it.each([
    ['logs', 'logs site --failing'],
    ['keys list', 'keys list'],
    ['library create', 'library create Trailers'],
    ['alerts list', 'alerts list'],
  ])('has a plain example of %s', (name, example) => {
    expect(
      plainExample(
        OPERATIONS.find((operation) => operation.name === name)!,
        zones,
      ),
    ).toBe(example)
    expect(plainExample({ ...sample, examples: ['rec shop --dry-run', 'record add shop A --tags v1'] }, zones)).toBe(
      'record add home A',
    )
  })

  it('lists every option with its rule and its choices', () => {
    const options = optionUsages(sample)
    expect(options.map(({ typed }) => typed).join(' ')).toBe(
      '--zone <dns-zone> --type <A|MX> --priority <number> --value <text> --weight-factor <number> ' +
        '--tags <v1,v2,…> --regions <v1,v2,…> --[no-]accelerated --variables <text> --dry-run',
    )
    expect(options.filter(({ required }) => required).map(({ label }) => label)).toEqual(['Zone', 'Type', 'Value'])
    expect(options[1]?.rule).toBe('One of: A, MX.')
    expect(options[3]?.rule).toBe('What the record says.')
    expect(options[6]?.rule).toMatch(/^Any of: v1, .*v16 and 40 more\.$/)
    expect(options[9]?.rule).toBe('')
  })

  it.each([
    ['name', '--name'],
    ['replicationRegions', '--replication-regions'],
    ['enableDRM', '--enable-drm'],
    ['enableMP4Fallback', '--enable-mp4-fallback'],
    ['useHTTPSOnly', '--use-https-only'],
  ])('writes the flag of %s as %s', (field, flag) => {
    expect(flagName(field)).toBe(flag)
  })
})
