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

  it('takes 5,000 records a zone and 1,000 libraries, and no more', () => {
    const here = world()
    const zone = here.dnsZone(201n)!
    for (let count = zone.records.length; count < 5_000; count += 1) {
      expect(here.addRecord(zone, { type: 0, name: 'x', value: '192.0.2.1' })).toBeDefined()
    }
    expect(here.addRecord(zone, { type: 0, name: 'x', value: '192.0.2.1' })).toBeUndefined()
    for (let count = 0; count < 1_000; count += 1) expect(here.addLibrary('x', NOW)).toBeDefined()
    expect(here.addLibrary('x', NOW)).toBeUndefined()
  })

  it('shows an incident in the traffic of its zone', () => {
    const here = world()
    const minute = NOW.getTime() / 60_000
    expect(here.requestsIn(here.pullZone(301n)!, minute).length).toBeGreaterThan(0)
    here.incidents.add({ pullZoneId: 301n, kind: 'silence', fromMs: NOW.getTime() })
    expect(here.requestsIn(here.pullZone(301n)!, minute)).toEqual([])
    expect(here.requestsIn(here.pullZone(302n)!, minute).length).toBeGreaterThan(0)
  })

  it('takes more keys, which are listed last and let their holder in', () => {
    const here = world()
    const key = here.addApiKey()!
    expect(here.apiKeys.at(-1)).toBe(key)
    expect(here.apiKey(key.value!)).toBe(key)
    expect(here.apiKeys.filter(({ id, value }) => id === key.id || value === key.value)).toEqual([key])
    for (let more = 1; more < 1_000; more += 1) here.addApiKey()
    expect(here.addApiKey()).toBeUndefined()
    expect(here.apiKeys).toHaveLength(3_500)
  })

  it('shows an upload at once from its day on', () => {
    const here = world()
    const day = Math.floor(NOW.getTime() / 86_400_000)
    const held = (on: number) => here.storageOn(here.storageZone(101n)!, on)!
    const [yesterday, today, tomorrow] = [held(day - 1), held(day), held(day + 1)]
    expect(here.addJump(101n, { bytes: 5n, files: 2n }, NOW)).toBe(true)
    expect(held(day - 1)).toEqual(yesterday)
    expect(held(day)).toEqual({ bytes: today.bytes + 5n, files: today.files + 2n })
    expect(held(day + 1)).toEqual({ bytes: tomorrow.bytes + 5n, files: tomorrow.files + 2n })
    expect(here.addJump(999n, { bytes: 5n, files: 2n }, NOW)).toBe(false)
  })

  it('takes a hundred uploads at once into a zone', () => {
    const here = world()
    const add = () => here.addJump(101n, { bytes: 1n, files: 1n }, NOW)
    for (let count = 0; count < 100; count += 1) expect(add()).toBe(true)
    expect(add()).toBe(false)
  })

  it('switches the log of one pull zone', () => {
    const here = world()
    here.setLogging(301n, 'off')
    expect([here.pullZone(301n)?.logging, here.pullZone(302n)?.logging]).toEqual(['off', 'extended'])
    here.setLogging(301n, 'on')
    expect(here.pullZone(301n)?.logging).toBe('on')
  })
})
