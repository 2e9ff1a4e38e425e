import { describe, expect, it } from 'vitest'
import { faultById, faultByName, SENTINELS } from '../../../src/playground/cdn/fault.ts'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

describe('the faults a person can reach by hand', () => {
  it.each(Object.entries(SENTINELS))('%s by name and by id are the same', (name, { id, fault }) => {
    expect(faultByName(name)).toBe(fault)
    expect(faultByName(`${name}.www`)).toBe(fault)
    expect(faultById(id)).toBe(fault)
  })

  it('have ids of their own, which no zone of the world has', () => {
    const ids = Object.values(SENTINELS).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const { storageZones, dnsZones, pullZones } = emulator.it.world
    const taken = [...storageZones, ...dnsZones, ...pullZones].map(({ id }) => faultById(id))
    expect(taken.filter((fault) => fault !== undefined)).toEqual([])
  })

  it('include every status from 400 to 599, and nothing else', () => {
    expect(faultByName('fault-418')).toEqual({ kind: 'status', status: 418 })
    expect(faultById(9_599n)).toEqual({ kind: 'status', status: 599 })
    for (const name of ['fault-600', 'fault-', 'default-500', 'my fault-500', 'constructor']) {
      expect(faultByName(name)).toBeUndefined()
    }
    for (const id of [9_000n, 9_399n, 9_600n]) expect(faultById(id)).toBeUndefined()
  })

  it('are reached by each endpoint', async () => {
    const { management, logging } = {
      management: emulator.management.bind(emulator),
      logging: emulator.logging.bind(emulator),
    }
    const replies = await Promise.all([
      management('/storagezone/9503/statistics'),
      management('/apikey?page=9503'),
      management('/videolibrary', { method: 'POST', body: { Name: 'fault-503' } }),
      management('/dnszone/201/records', { method: 'PUT', body: { Name: 'fault-503', Value: '192.0.2.1' } }),
      management('/dnszone/9503/records', { method: 'PUT', body: { Value: '192.0.2.1' } }),
      logging('/v2/pullzones/9503/logs'),
      logging('/11-20-26/9503.log'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503, 503])
  })

  it('stand in for a zone of the world where an answer is still needed', async () => {
    const { status, headers, json } = await emulator.management('/storagezone/9016/statistics')
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(json).toEqual({})
    const more = await emulator.management('/storagezone/9010/statistics')
    expect(Object.keys(more.json.StorageUsedChart)).toHaveLength(30)
  })

  it('carry a write out or not, as the table says', async () => {
    const records = () => emulator.it.world.dnsZone(201n)!.records.length
    const add = (Name: string) =>
      emulator.management('/dnszone/201/records', { method: 'PUT', body: { Name, Value: '192.0.2.1' } })
    const before = records()
    await expect(add('fault-reset')).rejects.toThrow(/ECONNRESET|other side closed/)
    expect(records()).toBe(before)
    await expect(add('fault-accepted-reset')).rejects.toThrow(/ECONNRESET|other side closed/)
    expect(records()).toBe(before + 1)
  })

  it('are not met without a key', async () => {
    const { status } = await emulator.management('/storagezone/9503/statistics', { headers: {} })
    expect(status).toBe(401)
  })
})
