import { type Clock, waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { LEASE_MS, MAX_REPLICAS, type ReplicaRecord, type Replicas, type Standing } from '../store/replicas.ts'

/** Short, so that a standby hears soon of a lease that was given up. */
const BEAT_MS = 1_000
/** Before its lease ends a holder that could not renew it stops, as far as that is in its hands. */
const MARGIN_MS = 1_000
/** One that has not reached Slack for so long lets another replica try, and again after as long. */
const UNFIT_MS = 30_000
/** For looks and deliveries that are under way. */
const END_MS = 10_000

export interface ReplicaOptions {
  /** Undefined where nobody shares the store: then this process does everything. */
  readonly replicas: Pick<Replicas, 'beat' | 'leave' | 'holdAs'> | undefined
  readonly self: Pick<ReplicaRecord, 'id' | 'name' | 'version'>
  readonly configuration: () => string
  /** Whether each replica has links of its own to Slack, which allows ten. */
  readonly hasLinks: boolean
  /** Whether Slack can be reached: without it most of the work cannot be done. */
  readonly isFit: () => boolean
  /** What is done once for all who share the store, until it is told to stop. Never rejects. */
  readonly work: (stopping: AbortSignal) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}

interface Term {
  readonly fence: number
  readonly stopping: AbortController
  readonly done: Promise<unknown>
}

/** This process among those that share its store: says that it is there, and works in the background while it holds the lease. */
export function createReplica(options: ReplicaOptions) {
  const { replicas, self, configuration, hasLinks, isFit, work, clock, log } = options
  let standing: Standing | undefined
  let term: Term | undefined
  /** Until when nobody else can have the lease, by the monotonic clock. */
  let heldUntilMs = Number.NEGATIVE_INFINITY
  /** Since when Slack cannot be reached, or since the lease was given up for that. */
  let unfitSinceMs: number | undefined
  /** What was said last, so that it is said once. */
  let said: string | undefined
  replicas?.holdAs(undefined)

  const say = (sentence: string | undefined, error?: unknown): void => {
    if (sentence !== undefined && sentence !== said) log.warn({ err: error }, sentence)
    said = sentence
  }

  const whyBarred = (): string | undefined => {
    const working = standing?.replicas.find(({ id }) => id === standing?.holder)
    if (working === undefined || working.id === self.id || working.configuration === configuration()) return undefined
    return (
      `This copy of CDN Ops runs with another configuration than the one on ${working.name}, which decides. ` +
      'Until both are the same it only reads. Whoever runs CDN Ops can mend that'
    )
  }

  /** Begins or ends what the lease is for, as it stands. */
  const goOn = (): void => {
    const fence = clock.monotonicMs() < heldUntilMs ? standing?.fence : undefined
    // Another fence than the term's: somebody else had the lease in between, and this process did not notice.
    if (term?.fence !== fence) void end()
    if (fence === undefined || term !== undefined) return
    replicas?.holdAs(fence)
    log.info({ fence }, 'working in the background from now on')
    const stopping = new AbortController()
    const done = work(stopping.signal).finally(() => (term = undefined))
    term = { fence, stopping, done }
  }

  const end = async (): Promise<void> => {
    if (term === undefined) return
    const { stopping, done } = term
    if (!stopping.signal.aborted) {
      replicas?.holdAs(undefined)
      log.warn('the lease is over: on standby from now on')
      stopping.abort()
    }
    await waitAtMost(clock, END_MS, done)
  }

  /** The term is over before the lease is, also while the store does not say so. */
  const beat = async (): Promise<void> => {
    if (replicas === undefined) return
    const startedMs = clock.monotonicMs()
    const timer = clock.after(Math.max(0, heldUntilMs - startedMs), () => void end())
    try {
      const how = { isFit: isFit(), letsGo: letsGo() }
      standing = await replicas.beat({ ...self, configuration: configuration() }, how)
    } finally {
      timer.cancel()
    }
    if (standing.fence !== undefined) heldUntilMs = startedMs + LEASE_MS - MARGIN_MS
    const place = standing.replicas.findIndex(({ id }) => id === self.id)
    const others = standing.replicas.filter(({ id }) => id !== self.id).map(({ name }) => name)
    if (hasLinks && place >= MAX_REPLICAS)
      return say(`Slack allows links for ${MAX_REPLICAS} replicas, and this is one more: stop one`)
    say(whyBarred() ?? (others.length > 0 ? `shares its store with ${others.join(', ')}` : undefined))
  }

  /** Whether another replica shall work instead, which may reach Slack. */
  const letsGo = (): boolean => {
    const nowMs = clock.monotonicMs()
    unfitSinceMs = isFit() ? undefined : (unfitSinceMs ?? nowMs)
    const isDue = unfitSinceMs !== undefined && nowMs - unfitSinceMs >= UNFIT_MS
    if (!isDue || standing?.fence === undefined || standing.replicas.length < 2) return false
    unfitSinceMs = nowMs
    log.warn({}, 'Slack cannot be reached from here: the lease is left to another replica')
    return true
  }

  return {
    get standing() {
      return standing
    },
    get isWorking() {
      return replicas === undefined || term?.stopping.signal.aborted === false
    },
    /** Why this replica only reads, without a last full stop: the one that works has another configuration. Undefined where it has the same. */
    get writesBarred() {
      return whyBarred()
    },
    /** Hears how the replicas stand, before anybody asks anything of this one. Throws StoreError. */
    enter: beat,
    /** Until it is told to stop; then whoever waits for the lease has it at once. Never rejects. */
    async run(stopping: AbortSignal): Promise<void> {
      if (replicas === undefined) return void (await work(stopping))
      while (!stopping.aborted) {
        goOn()
        await clock.sleep(BEAT_MS, stopping).catch(() => undefined)
        if (!stopping.aborted)
          await beat().catch((error: unknown) => say('the store does not say who works in the background', error))
      }
      // What is being committed may still be: the lease is this one's until it leaves.
      term?.stopping.abort()
      await end()
      await replicas.leave(self.id).catch((error: unknown) => log.warn({ err: error }, 'the lease ends by time'))
    },
  }
}
