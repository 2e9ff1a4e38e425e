import { describe, expect, it } from 'vitest'
import type { NamedZone } from '../../src/operations/field.ts'
import { zone, zoneLabel } from '../../src/operations/zone-field.ts'
import { checkContext } from '../support/operation-context.ts'

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
      'No pull zone is named backup. No name has been given to a pull zone yet: use its numeric id.',
    )
  })

  it('that is not known is answered with the name that was meant, or with those there are', () => {
    const named = Array.from({ length: 9 }, (_, index) => ({ ...shop, name: `zone-${index}`, zoneId: `${index + 1}` }))
    expect(read('shpo', [shop])).toBe('No pull zone is named shpo. Did you mean Shop?')
    expect(read('elsewhere', [shop])).toBe('No pull zone is named elsewhere. Known: Shop. A numeric id works too.')
    expect(read('elsewhere', named)).toContain(
      'Known: zone-0, zone-1, zone-2, zone-3, zone-4, zone-5, zone-6, zone-7, ….',
    )
  })

  it('is written with its name where it has one, and always with its id', () => {
    expect([zoneLabel({ id: 7n, name: 'shop' }), zoneLabel({ id: 7n, name: undefined })]).toEqual(['shop (7)', '7'])
  })
})
