import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EdgeRequest } from '../../../src/playground/cdn/world/traffic.ts'
import type { Call } from '../../../src/playground/slack/wire/parts.ts'
import { OPS } from '../../../src/playground/slack/state/seed.ts'
import { WiredPlay } from '../../alerts/wired-play.ts'
import { createSqliteHarness } from '../../store/sqlite-harness.ts'
import { outgoingProblemsOf } from '../../support/outgoing-walker.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const MINUTE_MS = 60_000
const START_MS = Date.parse('2026-11-20T16:00:00Z')
const SHOP = 301n
const BYPASSED = { from: 1, until: 6 }
/** More than ten minutes after the alert was told. */
const END = 20
/** Slack fetches what it unfurls from several places; each address brings so many lines. */
const LINES_PER_ADDRESS = 200
const ADDRESS = /(?:https?:\/\/|www\.)[^\s"<>|\\]+/g
const POSTS = new Set(['chat.postMessage', 'chat.update', 'response_url'])

/** A Slack that fetches addresses in messages through the same CDN, so that each is one more line of BYPASS. */
class Unfurling {
  readonly #play: WiredPlay
  readonly #always: boolean
  readonly #fetchedAt: number[] = []
  #seen = 0

  /** Where `always` is set it does so whatever the app asks for. */
  constructor(play: WiredPlay, always: boolean) {
    this.#play = play
    this.#always = always
    const { world } = play.cdn
    const read = world.requestsIn.bind(world)
    vi.spyOn(world, 'requestsIn').mockImplementation((zone, minute) => {
      const requests = read(zone, minute)
      const [sample] = requests
      const here = this.#fetchedAt.filter((at) => Math.floor(at / MINUTE_MS) === minute)
      if (sample === undefined || zone.id !== SHOP || here.length === 0) return requests
      return [...requests, ...here.flatMap((at) => fetches(sample, at))].toSorted((a, b) => a.atMs - b.atMs)
    })
  }

  /** Addresses fetched so far. */
  get fetched(): number {
    return this.#fetchedAt.length
  }

  /** Addresses of all that was posted so far, fetched or not. */
  get offered(): number {
    return this.#play.slack.calls.filter(({ method }) => POSTS.has(method)).flatMap(addressesIn).length
  }

  /** Fetches what has been posted since it was last asked to. */
  look(): void {
    const { calls } = this.#play.slack
    for (const call of calls.slice(this.#seen)) {
      const wanted = call.method === 'chat.postMessage' && String(call.args['unfurl_links']) !== 'false'
      if (POSTS.has(call.method) && (wanted || this.#always)) {
        for (const _ of addressesIn(call)) this.#fetchedAt.push(this.#play.clock.now().getTime())
      }
    }
    this.#seen = calls.length
  }
}

function addressesIn({ args }: Call): readonly string[] {
  return JSON.stringify(args).match(ADDRESS) ?? []
}

/** The share of lines that went round the cache, as the card of the alert says. */
function shareIn(card: string | undefined): number {
  return Number(/([\d.]+) % BYPASS/.exec(card ?? '')?.[1])
}

function fetches(sample: EdgeRequest, atMs: number): readonly EdgeRequest[] {
  return Array.from({ length: LINES_PER_ADDRESS }, (_, index) => ({
    ...sample,
    atMs,
    requestId: `${atMs.toString(16)}${index.toString(16)}`.padStart(32, 'f'),
    cacheStatus: 'BYPASS',
    userAgent: 'Slackbot-LinkExpanding 1.0',
    shielded: false,
  }))
}

describe('a Slack that fetches addresses out of messages', () => {
  const harness = forEachTest(createSqliteHarness)
  let play: WiredPlay
  beforeEach(async () => {
    play = await WiredPlay.start({
      startMs: START_MS,
      zoneIds: [SHOP],
      kinds: ['cache-not-working'],
      channelId: OPS,
      openStore: (clock) => harness.open({ clock }),
    })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await play.close()
  })

  it('gets none to fetch: an alert is told once, and does not feed itself', async () => {
    const unfurling = new Unfurling(play, false)
    const cards = await playBypass(unfurling)
    expect(cards).toHaveLength(1)
    expect(unfurling.offered).toBeGreaterThan(0)
    expect(unfurling.fetched).toBe(0)
    expect(cards[0]).toContain('cache works again')
    expect(outgoingProblemsOf(play.slack)).toEqual([])
  }, 60_000)

  it('would feed the alert if it fetched whatever it is asked: each edit brings more lines', async () => {
    const unfurling = new Unfurling(play, true)
    const [card] = await playBypass(unfurling)
    const [first] = play.slack.calls.filter(({ method }) => method === 'chat.postMessage').map(addressesIn)
    expect(unfurling.fetched).toBeGreaterThan(2 * (first?.length ?? 0))
    expect(card).not.toContain('cache works again')
    expect(shareIn(card)).toBeGreaterThan(30)
  }, 60_000)

  async function playBypass(unfurling: Unfurling): Promise<readonly string[]> {
    play.cdn.world.incidents.add({
      pullZoneId: SHOP,
      kind: 'bypass',
      fromMs: START_MS + BYPASSED.from * MINUTE_MS,
      untilMs: START_MS + BYPASSED.until * MINUTE_MS,
    })
    for (let minute = 0; minute < END; minute += 1) {
      await play.pass(1)
      unfurling.look()
    }
    const messages = play.slack.messages.filter(({ channel, threadTs }) => channel === OPS && threadTs === undefined)
    return messages.map(({ text }) => text)
  }
})
