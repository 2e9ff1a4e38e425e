import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { IncidentKind } from '../../src/playground/cdn/world/traffic.ts'
import { OPS } from '../../src/playground/slack/state/seed.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { WiredPlay } from './wired-play.ts'
import { forEachTest } from '../support/for-each-test.ts'

const MINUTE_MS = 60_000
const START_MS = Date.parse('2026-11-20T16:00:00Z')
const SHOP = 301n
const MEDIA = 302n
const KINDS = ['origin-failing', 'cache-not-working', 'traffic-surge', 'traffic-gone', 'cannot-look']
const TIMEOUT_MS = 200_000

interface Mishap {
  readonly zone: bigint
  readonly kind: IncidentKind | 'logging off'
  readonly from: number
  readonly until: number
}

/** In minutes of the play, and far enough apart for each to be over before the next begins on the same zone. */
const SCRIPT: readonly Mishap[] = [
  { zone: SHOP, kind: 'origin outage', from: 10, until: 35 },
  { zone: MEDIA, kind: 'bypass', from: 15, until: 50 },
  { zone: SHOP, kind: 'purge', from: 110, until: 140 },
  { zone: MEDIA, kind: 'surge', from: 120, until: 150 },
  { zone: SHOP, kind: 'silence', from: 210, until: 245 },
  { zone: MEDIA, kind: 'logging off', from: 215, until: 255 },
]
const END = 310

/** What of the script a message came with, by the minute it was posted in. */
function aboutWhat({ ts, text }: { readonly ts: string; readonly text: string }): Mishap | undefined {
  const minute = (Number(ts) * 1_000 - START_MS) / MINUTE_MS
  return SCRIPT.find(({ zone, from, until }) => text.includes(String(zone)) && minute >= from && minute <= until)
}

describe('hours of an emulated platform and an emulated Slack', () => {
  const harness = forEachTest(createSqliteHarness)
  let play: WiredPlay
  beforeEach(async () => {
    play = await WiredPlay.start({
      startMs: START_MS,
      zoneIds: [SHOP, MEDIA],
      kinds: KINDS,
      channelId: OPS,
      openStore: (clock) => harness.open({ clock }),
    })
  })
  afterEach(() => play.close())

  it(
    'bring word of each of six incidents once, in messages edited until it is over',
    async () => {
      const { world } = play.cdn
      const ends = new Map<Mishap, (untilMs: number) => void>()
      for (let minute = 0; minute < END; minute += 1) {
        const nowMs = START_MS + minute * MINUTE_MS
        for (const each of SCRIPT.filter(({ from }) => from === minute)) {
          if (each.kind === 'logging off') world.setLogging(each.zone, 'off')
          else ends.set(each, world.addIncident({ pullZoneId: each.zone, kind: each.kind, fromMs: nowMs }))
        }
        for (const each of SCRIPT.filter(({ until }) => until === minute)) {
          if (each.kind === 'logging off') world.setLogging(each.zone, 'on')
          else ends.get(each)?.(nowMs)
        }
        await play.pass(1)
      }
      const messages = play.slack.messages.filter(({ channel }) => channel === OPS)
      const cards = messages.filter(({ threadTs }) => threadTs === undefined)
      // Within six hours, what happens to the same zone goes on in the same message; the channel sees that it begins.
      const begins = messages.filter(({ threadTs, text }) => threadTs === undefined || text.includes(' again: '))
      const inOrder = SCRIPT.flatMap((each) => begins.map(aboutWhat).filter((what) => what === each))
      // Not in the order of their beginnings: of the cache it takes longer to tell.
      expect(inOrder).toEqual(SCRIPT)
      expect(begins).toHaveLength(SCRIPT.length)
      expect(cards.map(({ text }) => text.startsWith('✅'))).toEqual([true, true])
      expect(begins.every(({ threadTs, broadcast }) => threadTs === undefined || broadcast)).toBe(true)
      expect(play.cdn.requests.filter(({ status }) => status === 429)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
