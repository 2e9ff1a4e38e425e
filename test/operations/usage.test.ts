import { describe, expect, it } from 'vitest'
import { flagName } from '../../src/operations/flag-name.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { commandTable, optionUsages, usageLine } from '../../src/operations/usage.ts'
import { sample, sampleList } from '../support/sample-operation.ts'

describe('how an operation is typed', () => {
  it('has positionals, needed or not, and flags, the first of many', () => {
    expect(usageLine(sampleList)).toBe('records list [dns-zone] [--csv]')
    expect(usageLine(sample)).toBe(
      'record add <dns-zone> <type> <value> [--priority <number>] [--weight-factor <number>] [--tags <one,…>] [--regions <one,…>] …',
    )
  })

  it('lists every option with its rule and its choices', () => {
    const options = optionUsages(sample)
    expect(options.map(({ typed }) => typed)).toEqual([
      '--zone <dns-zone>',
      '--type <one>',
      '--priority <number>',
      '--value <text>',
      '--weight-factor <number>',
      '--tags <one,…>',
      '--regions <one,…>',
      '--accelerated|--no-accelerated',
      '--variables <text>',
      '--dry-run',
    ])
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

describe('the table of commands', () => {
  it('has one row of five cells for each operation, whatever stands in it', () => {
    const lines = commandTable([...OPERATIONS, sampleList], '/cdn').split('\n')
    expect(lines).toHaveLength(OPERATIONS.length + 3)
    for (const line of lines) expect(line.replaceAll(String.raw`\|`, '').split('|')).toHaveLength(7)
    expect(lines).toContainEqual(
      '| `/cdn records list [dns-zone] [--csv]` | List the records | read | viewer | caller, Share |',
    )
  })
})
