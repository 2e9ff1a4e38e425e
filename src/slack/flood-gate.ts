import type { Log } from '../shared/log.ts'
import { keepNewest } from '../shared/newest.ts'
import { TokenBuckets } from './flood-buckets.ts'

/**
 * Commands, clicks and submissions: 30 commands a minute with the clicks that a form and its review take. That is far
 * above what a person does by hand, and below what a script of theirs could do to others.
 */
const PERSON = { burst: 120, perMinute: 120 }
const CHANNEL = { burst: 480, perMinute: 480 }
/** All people together; what the bot has in work at once has a bound of its own. */
const ALL = { burst: 1_200, perMinute: 2_400 }
/** Menus ask once for nearly every letter typed, and are answered out of the store. */
const TYPING = { burst: 240, perMinute: 240 }

/** Somebody is told once a minute that they are not heard; what comes between is counted. */
const SILENT_MS = 60_000
const MAX_TOLD = 5_000

/** Whether a delivery is worked on. If not, `words` are for whoever sent it, and undefined while they know already. */
export type Admission =
  | { readonly isIn: true }
  | { readonly isIn: false; readonly words: { readonly happened: string; readonly next: string } | undefined }

/** Who wants something, and in which channel, where they are in one. */
export interface Comer {
  readonly userId: string
  readonly channelId?: string | undefined
}

interface Told {
  readonly untilMs: number
  readonly unheard: number
}

/**
 * Lets in what people ask for as fast as people ask, and keeps out floods before they cost anything: a question to
 * Slack, to the platform or to the store. A person's limit comes first, so that what they are refused takes nothing
 * from their channel or from all.
 */
export class FloodGate {
  readonly #monotonicMs: () => number
  readonly #log: Log
  readonly #people = new TokenBuckets(PERSON)
  readonly #channels = new TokenBuckets(CHANNEL)
  readonly #all = new TokenBuckets(ALL)
  readonly #typing = new TokenBuckets(TYPING)
  readonly #told = new Map<string, Told>()

  constructor({ monotonicMs, log }: { readonly monotonicMs: () => number; readonly log: Log }) {
    this.#monotonicMs = monotonicMs
    this.#log = log
  }

  /** For what somebody typed as a command or mention, pressed, submitted or opened. */
  admit(comer: Comer): Admission {
    const limit = this.#limitReached(comer)
    return limit === undefined ? { isIn: true } : { isIn: false, words: this.#refusal(comer, limit) }
  }

  /** For a letter typed into a menu that asks for its options. */
  admitsTyping(userId: string): boolean {
    return this.#typing.take(userId, this.#monotonicMs())
  }

  #limitReached({ userId, channelId }: Comer): Limit | undefined {
    const nowMs = this.#monotonicMs()
    if (!this.#people.take(userId, nowMs)) return 'person'
    if (channelId !== undefined && !this.#channels.take(channelId, nowMs)) return 'channel'
    return this.#all.take('all', nowMs) ? undefined : 'all'
  }

  #refusal({ userId }: Comer, limit: Limit): { happened: string; next: string } | undefined {
    const nowMs = this.#monotonicMs()
    const told = this.#told.get(userId)
    if (told !== undefined && told.untilMs > nowMs) {
      this.#told.set(userId, { ...told, unheard: told.unheard + 1 })
      return undefined
    }
    const unheard = told?.unheard ?? 0
    this.#told.delete(userId)
    this.#told.set(userId, { untilMs: nowMs + SILENT_MS, unheard: 0 })
    keepNewest(this.#told, MAX_TOLD)
    this.#log.warn({ user: userId, limit, unheard }, 'somebody asks for more than one can be answered')
    const before = unheard === 0 ? '' : ` Nor were ${unheard} before it.`
    return { happened: `${LIMITS[limit]} This was not started.${before}`, next: NEXT }
  }
}

type Limit = keyof typeof LIMITS

const LIMITS = {
  person: `You ask faster than CDN Ops answers one person, which is ${PERSON.perMinute} times a minute.`,
  channel: `This channel asks faster than CDN Ops answers one channel, which is ${CHANNEL.perMinute} times a minute.`,
  all: 'More is asked of CDN Ops at once than it can answer.',
} as const

const NEXT = 'Wait a few seconds and ask again. If it goes on, you are not told again for a minute.'
