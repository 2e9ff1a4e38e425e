import { expect, test } from 'vitest'
import { whyNoPostgres } from '../../store/postgres-harness.ts'
import { playTrio } from './run.ts'
import { worstWindow } from './trio.ts'

const { SAFETY_ROUNDS = '3', SAFETY_SEED = 'slow test', SAFETY_BESIDE } = process.env
const MS_PER_ROUND = 60_000
const noPostgres = await whyNoPostgres()

test.skipIf(noPostgres !== undefined)(
  'three bots on one store do nothing twice and lose nothing while one of them ends or is frozen',
  { timeout: 240_000 + Number(SAFETY_ROUNDS) * MS_PER_ROUND },
  async () => {
    const { wrong, takeOverMs, told } = await playTrio(Number(SAFETY_ROUNDS), SAFETY_SEED, SAFETY_BESIDE)
    expect(wrong).toEqual([])
    expect(takeOverMs.killed).toBeLessThan(15_000)
    expect(told).toBeGreaterThan(0)
  },
)

test('the most requests in ten seconds are counted for each zone, at the seam of any two', () => {
  const at = (zone: string, atMs: number) => ({ zone, atMs, isRefused: false })
  const requests = [at('a', 9_000), at('a', 0), at('a', 9_999), at('a', 10_000), at('a', 18_999), at('b', 9_500)]
  expect(worstWindow(requests)).toBe(4)
})
