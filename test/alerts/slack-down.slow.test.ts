import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteHarness, type SqliteHarness } from '../store/sqlite-harness.ts'
import { NoticeBoard } from '../support/notice-board.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import type { Mishap, Scripted } from './simulation/script.ts'
import { SITES } from './simulation/sites.ts'
import { StoredPlay } from './simulation/stored-play.ts'

const START = '2026-11-20T09:00:00Z'
const MINUTE_MS = 60_000
const CHANNEL = 'C0TEAM'
const DOWN_MINUTES = 120
/** What a lane that asks again every minute, and sooner at first, comes to in one channel. */
const MAX_CALLS_WHILE_DOWN = DOWN_MINUTES + 10

/** From one minute of the play to another. */
function scripted(what: Mishap, name: string, from: number, until: number): Scripted {
  const site = SITES.find((each) => each.name === name)!
  const start = Date.parse(START)
  return { what, site, fromMs: start + from * MINUTE_MS, untilMs: start + until * MINUTE_MS }
}

describe('Slack is down for two hours, in which three things go wrong', () => {
  let harness: SqliteHarness
  beforeEach(() => {
    harness = createSqliteHarness()
  })
  afterEach(() => harness.close())

  it('tells each in one message that shows how it stands by then, without a flood', async () => {
    const clock = new TurnedClock(START)
    const board = new NoticeBoard()
    let calls = 0
    board.before = () => (calls += 1)
    const script = [
      scripted('origin outage', 'good-shop', 20, 50),
      scripted('purge storm', 'big-media', 30, 60),
      scripted('bypass slip', 'middle-api', 70, 200),
    ]
    const sites = script.map(({ site }) => site)
    const play = new StoredPlay({
      seed: 'slack down',
      sites,
      script,
      store: await harness.open({ clock }),
      notifier: board,
      clock,
      channelId: CHANNEL,
    })
    await play.watch()
    await play.pass(5)
    board.refusing.set(CHANNEL, 'for a while')
    await play.pass(DOWN_MINUTES)
    expect(board.posted).toEqual([])
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThanOrEqual(MAX_CALLS_WHILE_DOWN)

    board.refusing.clear()
    calls = 0
    await play.pass(5)
    const stands = (name: string): string => board.in(CHANNEL).find((text) => text.includes(name)) ?? ''
    expect(board.posted.map(({ thread }) => thread)).toEqual([undefined, undefined, undefined])
    expect(stands('good-shop')).toContain('Resolved')
    expect(stands('big-media')).toContain('Resolved')
    expect(stands('middle-api')).toContain('bypass-share')
    expect(stands('middle-api')).not.toContain('Resolved')
    // One for each incident, and an edit of what is still going on.
    expect(calls).toBeLessThanOrEqual(5)

    await play.pass(130)
    expect(stands('middle-api')).toContain('Resolved')
    expect(board.posted.filter(({ thread }) => thread === undefined)).toHaveLength(3)
  })
})
