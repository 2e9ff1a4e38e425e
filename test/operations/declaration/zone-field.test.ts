import { describe, expect, it } from 'vitest'
import type { NamedZone } from '../../../src/operations/declaration/field.ts'
import {
  unknownZone,
  zone,
  zoneLabel,
  zones,
  zonesLabel,
  zoneTitle,
} from '../../../src/operations/declaration/zone-field.ts'
import { checkContext } from '../../support/operation-context.ts'

function read(typed: string, zones: readonly NamedZone[]) {
  const result = zone({ label: 'Zone', zoneKind: 'pull' }).read(typed, checkContext({ zones }))
  return result.ok ? result.value : result.problem
}

const shop: NamedZone = { kind: 'pull', name: 'Shop', zoneId: '9007199254740993' }
const storage: NamedZone = { kind: 'storage', name: 'backup', zoneId: '7' }

describe('a zone', () => {
  it('is found by its name, whatever the case, with its id without loss', () => {
    expect(read(' sHOP ', [storage, shop])).toEqual({ id: 9_007_199_254_740_993n, name: 'Shop' })
  })

  it('given by its id has the name it was given, if any', () => {
    expect(read('9007199254740993', [shop])).toEqual({ id: 9_007_199_254_740_993n, name: 'Shop' })
    expect(read('8', [shop])).toEqual({ id: 8n, name: undefined })
  })

  it('has neither name nor id of another kind', () => {
    expect(read('7', [storage])).toEqual({ id: 7n, name: undefined })
    expect(read('backup', [storage])).toBe(
      "No pull zone is named backup. None has a name yet: type its id, the number in its address in the CDN's panel.",
    )
  })

  it('that is not known is answered with the name that was meant, or with those there are', () => {
    const named = Array.from({ length: 9 }, (_, index) => ({ ...shop, name: `zone-${index}`, zoneId: `${index + 1}` }))
    expect(read('shpo', [shop])).toBe('No pull zone is named shpo. Did you mean Shop?')
    expect(read('elsewhere', [shop])).toBe(
      "No pull zone is named elsewhere. There is Shop; for another, type its id, the number in its address in the CDN's panel.",
    )
    expect(read('elsewhere', [...named, { ...shop, name: 'elsewise-far' }])).toMatch(/There are elsewise-far, zone-/)
    expect(read('elsewhere', named)).toMatch(/There are zone-\d(, zone-\d){7}, …; for another/)
    expect(read('zone6', named)).toMatch(/Did you mean zone-6\? There are also zone-\d(, zone-\d){6}, …\.$/)
  })

  it('of any kind that is not known is answered with each name once', () => {
    const all = [
      shop,
      { ...shop, kind: 'dns' },
      { ...storage, name: 'Media' },
      { ...storage, kind: 'dns', name: 'Media' },
    ] as const
    expect(unknownZone(undefined, 'elsewhere', all)).toMatch(/There are (Shop, Media|Media, Shop); for another/)
  })

  it('is written with its name where it has one, and always with its id', () => {
    const both = [
      { id: 7n, name: 'x'.repeat(25) },
      { id: 7n, name: undefined },
    ]
    expect(both.map(zoneLabel)).toEqual([`${'x'.repeat(25)} (7)`, '7'])
    expect(both.map((each) => zoneTitle(each, 'Storage'))).toEqual([`${'x'.repeat(23)}…`, 'Storage zone 7'])
    expect(unknownZone('dns', 'x', [])).toMatch(/^No DNS zone is named x\. None has/)
  })
})

describe('several zones', () => {
  const named = (count: number): readonly NamedZone[] =>
    Array.from({ length: count }, (_, index) => ({ kind: 'pull', name: `z${index}`, zoneId: String(index + 1) }))
  const readAll = (typed: string | readonly string[], known: readonly NamedZone[] = named(3)) => {
    const result = zones({ label: 'Zones', zoneKind: 'pull', most: 3 }).read(typed, checkContext({ zones: known }))
    return result.ok ? result.value.map(zoneLabel) : result.problem
  }

  it.each(['z0,9,z2', 'z0 9 z2', ' z0 ,, 9\tz2, ', ['z0', '9', 'z2'], ['z0, 9', 'z2']])(
    'are separated by commas or spaces: %j',
    (typed) => {
      expect(readAll(typed)).toEqual(['z0 (1)', '9', 'z2 (3)'])
    },
  )

  it('are each there once, by whatever name', () => {
    expect(readAll('z0, 1, Z0')).toEqual(['z0 (1)'])
  })

  it('are those of their kind that have a name, where all are meant', () => {
    expect(String(readAll('ALL', [...named(3), storage]))).toBe('z0 (1),z1 (2),z2 (3)')
    expect(readAll('all', [shop, { ...shop, name: 'store' }])).toEqual(['Shop (9007199254740993)'])
    expect(readAll('all, 9', named(1))).toEqual(['z0 (1)', '9'])
    expect(readAll('all', [storage])).toContain('No name has been given to a pull zone yet, so all means none')
  })

  it('are refused as a whole where one is not known, or there are too many', () => {
    expect(readAll('z0, nobody')).toContain('No pull zone is named nobody.')
    expect(readAll('all', named(4))).toBe('Zones: at most 3 are taken; these are 4.')
  })

  it('are written with the first of them', () => {
    const all = Array.from({ length: 10 }, (_, index) => ({ id: BigInt(index + 1), name: undefined }))
    expect(zonesLabel(all)).toBe('1, 2, 3, 4, 5, 6, 7, 8 and 2 more')
    expect(zonesLabel(all.slice(0, 2))).toBe('1, 2')
  })
})
