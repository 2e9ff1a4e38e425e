import { describe, expect, it } from 'vitest'
import { flagName, optionUsages, shortUsage, usageLine } from '../../../src/operations/declaration/usage.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { sample, sampleList } from '../../support/sample-operation.ts'

describe('how an operation is typed', () => {
  it('has positionals, needed or not, and flags, the first of many', () => {
    expect(usageLine(sampleList)).toBe('records list [dns-zone] [--csv]')
    expect(usageLine(sample)).toBe(
      'record add <dns-zone> <A|MX> <value> [--priority <number>] [--weight-factor <number>] [--tags <v1,v2,…>] [--regions <v1,v2,…>] …',
    )
  })

  it('is short where options are left out, which an ellipsis stands for', () => {
    expect(shortUsage(sample)).toBe('record add <dns-zone> <A|MX> <value> …')
    const named = (name: string) => shortUsage(OPERATIONS.find((operation) => operation.name === name)!)
    expect(named('help')).toBe('help [operation]')
    expect(named('dns add')).toBe('dns add <dns-zone> <type> <name> [value] …')
  })

  it('says what kind of text a value is', () => {
    const typed = OPERATIONS.flatMap((operation) => optionUsages(operation).map((option) => option.typed))
    expect(typed).toEqual(
      expect.arrayContaining(['--since <time>', '--day <day>', '--ttl <seconds|5m>', '--before <id>']),
    )
    expect(typed).toEqual(expect.arrayContaining(['--status <404,5xx,…>', '--variables <NAME=value>']))
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
