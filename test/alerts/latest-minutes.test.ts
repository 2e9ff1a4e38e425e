import { expect, it } from 'vitest'
import { LatestMinutes } from '../../src/alerts/latest-minutes.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { COUNTS } from '../../src/store/minute-counts.ts'

const MINUTE = 29_600_000
const kept = { ...emptyMinute(MINUTE, 60_000) }
for (const [index, name] of COUNTS.entries()) kept[name] = 10 + index

it.each(COUNTS)('a minute with another number of %s is news', (name) => {
  const latest = new LatestMinutes(MINUTE - 5, [kept])
  expect(latest.isNews(kept)).toBe(false)
  expect(latest.isNews({ ...kept, [name]: kept[name] + 1 })).toBe(true)
})
