import { describe, expect, it } from 'vitest'
import { World } from '../../../src/playground/cdn/world/world.ts'

const NOW = new Date('2026-11-20T18:00:00Z')

function world(seed = 'tests', canaries = {}): World {
  return new World({ seed, now: NOW, accessKey: 'own-key', canaries })
}

describe('the world', () => {
  it('is the same for the same seed, and has other keys and traffic for another', () => {
    const [one, same, other] = [world('one'), world('one'), world('other')]
    const minute = (of: World) => of.requestsIn(of.pullZone(302n)!, 29_000_000)
    expect(same.apiKeys).toEqual(one.apiKeys)
    expect(minute(same)).toEqual(minute(one))
    expect(other.apiKeys.slice(1)).not.toEqual(one.apiKeys.slice(1))
    expect(minute(other)).not.toEqual(minute(one))
  })

  it('has the zones, each with an id no other thing has', () => {
    const { storageZones, dnsZones, pullZones } = world()
    expect(storageZones.map(({ name }) => name)).toEqual(['shop', 'media', 'archive', 'newborn', 'uncounted'])
    expect(dnsZones.map(({ domain }) => domain)).toEqual(['shop.example', 'media.example'])
    expect(pullZones.map(({ name }) => name)).toContain('shop-web')
    const ids = [...storageZones, ...dnsZones, ...pullZones].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('gives a library a storage zone and a pull zone of its own', () => {
    const here = world()
    const library = here.addLibrary('Trailers', NOW)!
    expect(here.storageZone(library.storageZoneId)).toMatchObject({ name: `vz-storage-${library.id}` })
    expect(here.pullZone(library.pullZoneId)).toMatchObject({ logging: 'on', peakPerMinute: 0 })
    expect(here.libraries).toEqual([library])
  })

  it('takes 5,000 records a zone, 1,000 libraries and 100 incidents, and no more', () => {
    const here = world()
    const zone = here.dnsZone(201n)!
    for (let count = zone.records.length; count < 5_000; count += 1) {
      expect(here.addRecord(zone, { type: 0, name: 'x', value: '192.0.2.1' })).toBeDefined()
    }
    expect(here.addRecord(zone, { type: 0, name: 'x', value: '192.0.2.1' })).toBeUndefined()
    for (let count = 0; count < 1_000; count += 1) expect(here.addLibrary('x', NOW)).toBeDefined()
    expect(here.addLibrary('x', NOW)).toBeUndefined()
    for (let count = 0; count < 100; count += 1) here.addIncident({ pullZoneId: 301n, kind: 'surge', fromMs: 0 })
    expect(() => here.addIncident({ pullZoneId: 301n, kind: 'surge', fromMs: 0 })).toThrow('More than 100 incidents')
  })

  it('shows an incident in the traffic of its zone', () => {
    const here = world()
    const minute = NOW.getTime() / 60_000
    expect(here.requestsIn(here.pullZone(301n)!, minute).length).toBeGreaterThan(0)
    here.addIncident({ pullZoneId: 301n, kind: 'silence', fromMs: NOW.getTime() })
    expect(here.requestsIn(here.pullZone(301n)!, minute)).toEqual([])
    expect(here.requestsIn(here.pullZone(302n)!, minute).length).toBeGreaterThan(0)
  })
})
