import { afterEach, describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

afterEach(() => emulator.clock.turn(10_000))

const v2 = async (zone = 304) => (await emulator.logging(`/v2/pullzones/${zone}/logs?limit=1`)).status
const v1 = async (zone = 304) => (await emulator.logging(`/11-20-26/${zone}.log`)).status

async function times(count: number, call: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push(await call())
  return statuses
}

describe('the limit of 30 requests in 10 seconds', () => {
  it('covers both versions together and refuses the 31st with 429', async () => {
    expect(new Set(await times(15, v2))).toEqual(new Set([200]))
    expect(new Set(await times(15, v1))).toEqual(new Set([200]))
    expect([await v2(), await v1()]).toEqual([429, 429])
    const reply = await emulator.logging('/v2/pullzones/304/logs')
    expect(reply.json.error.code).toBe('rate_limited')
    expect(reply.headers).not.toHaveProperty('retry-after')
  })

  it('slides: a place is free again 10 seconds after it was taken, and not before', async () => {
    await times(1, v2)
    emulator.clock.turn(4_000)
    await times(29, v2)
    emulator.clock.turn(5_999)
    expect(await v2()).toBe(429)
    emulator.clock.turn(1)
    expect(await times(2, v2)).toEqual([200, 429])
    emulator.clock.turn(4_000)
    expect(await times(30, v2)).toEqual([...Array.from({ length: 29 }, () => 200), 429])
  })

  it('is kept for each pull zone by itself', async () => {
    await times(30, v2)
    expect([await v2(), await v2(301)]).toEqual([429, 200])
  })

  it('does not count refused requests, and counts wrongly asked ones', async () => {
    await times(20, v2)
    await times(10, async () => (await emulator.logging('/v2/pullzones/304/logs?limit=0')).status)
    expect(await times(5, v2)).toEqual([429, 429, 429, 429, 429])
    emulator.clock.turn(10_000)
    expect(new Set(await times(30, v2))).toEqual(new Set([200]))
  })
})
