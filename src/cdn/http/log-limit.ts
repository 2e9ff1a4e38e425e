import Bottleneck from 'bottleneck'
import type { Clock } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { LogCallOptions, LogPriority } from '../contract/cdn.ts'

/** The contract's limit on log calls, for each pull zone. */
const SLOTS_PER_WINDOW = 30
/** Background work may use a fifth of the limit, so that people always find some of it left. */
const BACKGROUND_SLOTS = 6
/** Of what processes share, background work takes none of the last ones: a person of another process may be about to ask. */
const LEFT_FOR_PEOPLE = 3
const SHARES: Readonly<Record<LogPriority, SlotShare>> = {
  person: { all: SLOTS_PER_WINDOW, most: SLOTS_PER_WINDOW, left: 0 },
  background: { all: SLOTS_PER_WINDOW, most: BACKGROUND_SLOTS, left: LEFT_FOR_PEOPLE },
}
/**
 * The contract's 10 s and a margin. Counted from the answer: the platform saw the request before that, so no delay on
 * the way can bring more than 30 requests into one of its windows.
 */
export const GIVE_BACK_MS = 10_050

const MAX_QUEUED_PER_ZONE = 500
const MAX_ZONES = 1_000
const PERSON_MAX_WAIT_MS = 20_000
const BACKGROUND_MAX_WAIT_MS = 60_000

/** Keeps log calls within the platform's limit. Each attempt is a call of its own, repeats included. */
export type LogLimiter = Pick<LogLimit, 'run'>

/** Has a slot given back after so many milliseconds. */
type GiveBack = (afterMs: number) => Promise<void>

/** Which of all the slots of a zone somebody may have: of the first `most` one, while more than `left` of all are free. */
export interface SlotShare {
  readonly all: number
  readonly most: number
  readonly left: number
}

/** The limit's slots where several processes share them. */
export interface SharedSlots {
  /** A slot, or how long to wait before the next try. Throws StoreError. */
  take(
    pullZoneId: bigint,
    share: SlotShare,
  ): Promise<{ readonly taken: true; readonly giveBack: GiveBack } | { readonly taken: false; readonly waitMs: number }>
}

export interface LogLimitOptions {
  readonly clock: Clock
  /** Whoever has a slot of this process needs one of these, too. */
  readonly shared?: SharedSlots | undefined
  /**
   * Whether it is certain that nobody has made log calls in the last ten seconds. Unless given, a process waits out
   * its first 10.05 s, since the one before it may have used them up.
   */
  readonly warm?: boolean
  /** How long a person waits before being refused; 20 s unless given. */
  readonly personMaxWaitMs?: number
}

interface Zone {
  readonly slots: Bottleneck
  readonly background: Bottleneck
  /** One after the other asks for a slot that all processes share, so that many who wait do not ask at once. */
  readonly asking: Readonly<Record<LogPriority, Bottleneck>>
  /** Waiting calls, and slots that have not been given back: a zone is forgotten only when it has neither. */
  busy: number
}

/** The limit for one process: a queue for each pull zone, people before background. */
export class LogLimit {
  readonly #clock: Clock
  readonly #zones = new Map<bigint, Zone>()
  readonly #openAtMs: number
  readonly #shared: SharedSlots | undefined
  readonly #maxWaitMs: Readonly<Record<LogPriority, number>>

  constructor({ clock, shared, warm = false, personMaxWaitMs = PERSON_MAX_WAIT_MS }: LogLimitOptions) {
    this.#clock = clock
    this.#shared = shared
    this.#openAtMs = clock.monotonicMs() + (warm ? 0 : GIVE_BACK_MS)
    this.#maxWaitMs = { person: personMaxWaitMs, background: BACKGROUND_MAX_WAIT_MS }
  }

  /**
   * Runs `call` when a slot is free. `call` says when it was `answered`, if that is before it ends. Throws `UserError`
   * (busy) when no slot comes in time, and the signal's reason when it is aborted; then `call` has not run.
   */
  async run<T>(pullZoneId: bigint, wish: LogCallOptions, call: (answered: () => void) => Promise<T>): Promise<T> {
    const zone = this.#zone(pullZoneId)
    if (waitingFor(zone.slots) + waitingFor(zone.background) >= MAX_QUEUED_PER_ZONE) throw busy()
    zone.busy += 1
    let answered: () => void
    try {
      answered = await this.#takeSlots(pullZoneId, zone, wish)
    } finally {
      zone.busy -= 1
    }
    try {
      return await call(answered)
    } finally {
      answered()
    }
  }

  /** Waits for all the slots a call needs; the function returned gives them back, once, 10.05 s after it is called. */
  async #takeSlots(
    pullZoneId: bigint,
    zone: Zone,
    { priority = 'person', signal, onWaiting }: LogCallOptions,
  ): Promise<() => void> {
    const clock = this.#clock
    const wait = { priority, signal, clock, giveUpAtMs: clock.monotonicMs() + this.#maxWaitMs[priority] }
    const taken: Bottleneck[] = []
    const free = (): void => taken.forEach((limiter) => void limiter.incrementReservoir(1))
    const tell = clock.after(TELL_AFTER_MS, () => onWaiting?.())
    let giveBack: GiveBack | undefined
    try {
      for (const limiter of priority === 'background' ? [zone.background, zone.slots] : [zone.slots]) {
        await waitForSlot(limiter, wait)
        taken.push(limiter)
      }
      giveBack = this.#shared && (await takeShared(this.#shared, pullZoneId, zone.asking[priority], wait))
    } catch (error) {
      free()
      throw error
    } finally {
      tell.cancel()
    }
    zone.busy += 1
    let given = false
    return () => {
      if (given) return
      given = true
      // Where that fails the slot is given back by time.
      giveBack?.(GIVE_BACK_MS).catch(() => undefined)
      clock.after(GIVE_BACK_MS, () => {
        zone.busy -= 1
        free()
      })
    }
  }

  #zone(id: bigint): Zone {
    const known = this.#zones.get(id)
    if (known !== undefined) return known
    this.#makeRoom()
    const closedForMs = this.#openAtMs - this.#clock.monotonicMs()
    const slots = new Bottleneck({ reservoir: closedForMs > 0 ? 0 : SLOTS_PER_WINDOW })
    const asking = { person: new Bottleneck({ reservoir: 1 }), background: new Bottleneck({ reservoir: 1 }) }
    const zone: Zone = { slots, background: new Bottleneck({ reservoir: BACKGROUND_SLOTS }), asking, busy: 0 }
    this.#zones.set(id, zone)
    if (closedForMs > 0) this.#clock.after(closedForMs, () => void slots.incrementReservoir(SLOTS_PER_WINDOW))
    return zone
  }

  /** Forgets zones nobody uses; their slots are all back, so a new start with all of them is no more than allowed. */
  #makeRoom(): void {
    if (this.#zones.size < MAX_ZONES) return
    for (const [id, zone] of this.#zones) {
      if (zone.busy === 0) this.#zones.delete(id)
    }
    if (this.#zones.size >= MAX_ZONES) throw busy()
  }
}

/** Places in a queue, those of waits that were given up included: they stay until their turn comes. */
function waitingFor(limiter: Bottleneck): number {
  const { RECEIVED, QUEUED } = limiter.counts()
  return RECEIVED + QUEUED
}

function busy(): UserError {
  return new UserError(
    'busy',
    'The CDN allows 30 log requests in 10 seconds for each pull zone, and no slot came free in time. Nothing was read.',
    'Try again in a minute, or ask for fewer lines.',
  )
}

/** A wait that lasts longer than this is worth telling the person about. */
const TELL_AFTER_MS = 1_000

interface SlotWait extends Pick<LogCallOptions, 'signal'> {
  readonly priority: LogPriority
  readonly clock: Clock
  /** By the monotonic clock. */
  readonly giveUpAtMs: number
}

const PRIORITIES: Readonly<Record<LogPriority, number>> = { person: 0, background: 5 }

/** Asks until a slot that all processes share is free. Whoever else waits here asks after that. Throws as `waitForSlot` does. */
async function takeShared(
  shared: SharedSlots,
  pullZoneId: bigint,
  asking: Bottleneck,
  wait: SlotWait,
): Promise<GiveBack> {
  const { clock, priority, signal, giveUpAtMs } = wait
  await waitForSlot(asking, wait)
  try {
    for (;;) {
      const answer = await shared.take(pullZoneId, SHARES[priority])
      if (answer.taken) return answer.giveBack
      if (clock.monotonicMs() + answer.waitMs >= giveUpAtMs) throw busy()
      await clock.sleep(answer.waitMs, signal).catch(() => signal?.throwIfAborted())
    }
  } finally {
    void asking.incrementReservoir(1)
  }
}

/**
 * Resolves when the limiter gives a slot, which the caller then has to give back. A wait given up (in time, or by the
 * signal) takes no slot: its place in the queue, which cannot be removed, hands the slot on when its turn comes.
 *
 * The slot is only a turn; what is done with it runs where it was awaited, so its async context is the caller's.
 */
async function waitForSlot(limiter: Bottleneck, wait: SlotWait): Promise<void> {
  const { clock, signal, giveUpAtMs } = wait
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isGone = false
  /** Ends the wait; changes nothing once the slot is given. */
  const leave = (reason: unknown): void => {
    isGone = true
    reject(reason)
  }
  const abort = (): void => leave(signal?.reason)
  const tooLong = clock.after(giveUpAtMs - clock.monotonicMs(), () => leave(busy()))
  signal?.addEventListener('abort', abort, { once: true })

  const turn = limiter.schedule({ priority: PRIORITIES[wait.priority] }, async () => {
    if (isGone) await limiter.incrementReservoir(1)
    else resolve()
  })
  turn.catch(leave)
  try {
    await promise
  } finally {
    tooLong.cancel()
    signal?.removeEventListener('abort', abort)
  }
}
