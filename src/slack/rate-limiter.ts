import type { Message } from '../block-kit/message.ts'
import { failure } from '../execution/messages/error-messages.ts'
import type { Clock } from '../shared/clock.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import type { Log } from '../shared/log.ts'
import { TtlMap } from '../shared/ttl-map.ts'
import { noticeView } from './form/notice-views.ts'
import type { Origin } from './listeners/delivery.ts'
import { type ResponderOptions, Responder } from './listeners/responder.ts'

/**
 * How many times a minute something may be done, and at once. Commands, clicks and submissions: 30 commands a minute with
 * the clicks that a form and its review take. That is far above what a person does by hand, and below what a script of
 * theirs could do to others.
 */
const PERSON = 120
const CHANNEL = 480
/** All people together; what the bot has in work at once has a bound of its own. */
const ALL = 2_400
/** Menus ask once for nearly every letter typed, and are answered out of the store. */
const TYPING = 240

/** Whoever is rate limited is told once a minute, and may do everything again after one. */
const REMEMBERED = { lifeMs: MINUTE_MS, most: 5_000 }

/** That a delivery is not processed, with words for the requester; without while they know already. */
interface Refusal {
  readonly words: Message | undefined
}

type Requester = Pick<Origin, 'userId'> & Partial<Pick<Origin, 'channelId'>>

/**
 * Rate limits for what people ask, before it costs anything: a call to Slack, to the platform or to the store. A person's
 * limit comes first, so that what they are refused takes nothing from their channel or from all.
 */
export function createRateLimiter(clock: Pick<Clock, 'monotonicMs'>, log: Log) {
  const ofPeople = tokenBuckets(PERSON, clock)
  const ofChannels = tokenBuckets(CHANNEL, clock)
  const ofAll = tokenBuckets(ALL, clock)
  const notified = new TtlMap<true>(clock, REMEMBERED)
  const limitReached = ({ userId, channelId }: Requester): keyof typeof LIMITS | undefined => {
    if (!ofPeople(userId)) return 'person'
    if (channelId !== undefined && !ofChannels(channelId)) return 'channel'
    return ofAll('all') ? undefined : 'all'
  }
  return {
    /** For what somebody typed as a command or mention, pressed, submitted or opened; undefined where they may. */
    refuse(requester: Requester): Refusal | undefined {
      const limit = limitReached(requester)
      if (limit === undefined) return undefined
      const { userId } = requester
      if (!notified.add(userId, true)) return { words: undefined }
      log.warn({ user: userId, limit }, 'rate limited')
      return { words: failure(`${LIMITS[limit]} This was not started.`, NEXT) }
    },
    /** For a letter typed into a menu that asks for its options. */
    admitsTyping: tokenBuckets(TYPING, clock),
  }
}
export type RateLimiter = ReturnType<typeof createRateLimiter>

/**
 * A token bucket for each key: every request takes a token, time brings them back, and an empty bucket refuses. One that was
 * left alone for a minute is full, like one that never was.
 */
function tokenBuckets(perMinute: number, clock: Pick<Clock, 'monotonicMs'>): (key: string) => boolean {
  const buckets = new TtlMap<{ readonly tokens: number; readonly atMs: number }>(clock, REMEMBERED)
  return (key) => {
    const nowMs = clock.monotonicMs()
    const { tokens, atMs } = buckets.get(key) ?? { tokens: perMinute, atMs: nowMs }
    const left = Math.min(perMinute, tokens + ((nowMs - atMs) * perMinute) / MINUTE_MS)
    const isTaken = left >= 1
    buckets.set(key, { tokens: isTaken ? left - 1 : left, atMs: nowMs })
    return isTaken
  }
}

/** Is put over a form or review whose submission is rate limited: that keeps what was filled in. */
export const TOO_FAST = noticeView(
  'Too fast',
  'You ask faster than CDN Ops answers. Nothing was sent by this click.',
  'What you filled in is behind this. Wait a few seconds, close this and submit again.',
)

/** Tells somebody who is rate limited so, if that is due. */
export async function replyRefusal({ words }: Refusal, origin: Origin, options: ResponderOptions): Promise<void> {
  if (words !== undefined) await new Responder(origin, options).reply(words, 'caller')
}

const LIMITS = {
  person: `You ask faster than CDN Ops answers one person, which is ${PERSON} times a minute.`,
  channel: `This channel asks faster than CDN Ops answers one channel, which is ${CHANNEL} times a minute.`,
  all: 'More is asked of CDN Ops at once than it can answer.',
} as const

const NEXT = 'Wait a few seconds and ask again. If it goes on, you are not told again for a minute.'
