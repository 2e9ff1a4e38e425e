import { describe, expect, it } from 'vitest'
import type { NamedZone } from '../../../src/operations/declaration/field.ts'
import { zoneChoice, zoneKindOfBlock, zoneOptions } from '../../../src/slack/form/field-input.ts'

const zones: readonly NamedZone[] = [
  { kind: 'pull', name: 'web-shop', zoneId: '12' },
  { kind: 'pull', name: 'shop', zoneId: '345' },
  { kind: 'pull', name: 'Shop-test', zoneId: '9' },
  { kind: 'pull', name: 'alias', zoneId: '345' },
  { kind: 'dns', name: 'shop', zoneId: '77' },
]
const offered = (query: string) => zoneOptions('pull', query, zones).map(({ text, value }) => [text.text, value])

describe('what a zone menu offers', () => {
  it('is every zone of its kind, each once with all its names, before anything is typed', () => {
    expect(offered('')).toEqual([
      ['shop, alias (345)', '345'],
      ['Shop-test (9)', '9'],
      ['web-shop (12)', '12'],
    ])
  })

  it('puts the very name first, then what begins with it, then what holds it', () => {
    expect(offered(' SHOP ').map(([, id]) => id)).toEqual(['345', '9', '12'])
    expect(offered('nothing')).toEqual([])
  })

  it('takes digits for an id, also one that nobody has named', () => {
    expect(offered('345')).toEqual([['shop, alias (345)', '345']])
    expect(offered('34')).toEqual([
      ['Zone 34', '34'],
      ['shop, alias (345)', '345'],
    ])
    expect(offered('9223372036854775807')).toEqual([['Zone 9223372036854775807', '9223372036854775807']])
    expect(offered('9223372036854775808')).toEqual([])
    expect(offered('0')).toEqual([])
  })

  it('is at most 100 entries of at most 75 characters', () => {
    const many = Array.from({ length: 150 }, (_, index) => ({
      kind: 'pull' as const,
      name: `${'n'.repeat(200)}${index}`,
      zoneId: String(10n ** 17n + BigInt(index)),
    }))
    const options = zoneOptions('pull', 'n', many)
    expect(options).toHaveLength(100)
    for (const { text, value } of options) expect(text.text).toBe(`${'n'.repeat(49)}… (${value})`)
  })

  it('is of the kind that its block is of', () => {
    const blocks = ['zone:dns', 'x:pull', 'x:storage', 'zone', 'dns', 'dns:zone']
    expect(blocks.map(zoneKindOfBlock)).toEqual(['dns', 'pull', 'storage', undefined, undefined, undefined])
  })

  it('is written the same way when it is filled in', () => {
    const [option] = zoneOptions('pull', '345', zones)
    expect(zoneChoice('pull', '345', zones)).toEqual({ value: '345', label: option!.text.text })
  })
})
