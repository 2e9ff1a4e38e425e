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
export class Replica {
  readonly #options: ReplicaOptions
  #standing: Standing | undefined
  #term: Term | undefined
  /** Until when nobody else can have the lease, by the monotonic clock. */
  #heldUntilMs = Number.NEGATIVE_INFINITY
  /** Since when Slack cannot be reached, or since the lease was given up for that. */
  #unfitSinceMs: number | undefined
  /** What was said last, so that it is said once. */
  #said: string | undefined

  constructor(options: ReplicaOptions) {
    this.#options = options
    options.replicas?.holdAs(undefined)
  }

  get standing(): Standing | undefined {
    return this.#standing
  }

  get isWorking(): boolean {
    return this.#options.replicas === undefined || this.#term?.stopping.signal.aborted === false
  }

  /** Why this replica only reads, without a last full stop: the one that works has another configuration. Undefined where it has the same. */
  get writesBarred(): string | undefined {
    const { self, configuration } = this.#options
    const { holder, replicas = [] } = this.#standing ?? {}
    const working = replicas.find(({ id }) => id === holder)
    if (working === undefined || working.id === self.id || working.configuration === configuration()) return undefined
    return (
      `This copy of CDN Ops runs with another configuration than the one on ${working.name}, which decides. ` +
      'Until both are the same it only reads. Whoever runs CDN Ops can mend that'
    )
  }

  /** Hears how the replicas stand, before anybody asks anything of this one. Throws StoreError. */
  async enter(): Promise<void> {
    await this.#beat()
  }

  /** Until it is told to stop; then whoever waits for the lease has it at once. Never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    const { replicas, work, self, clock, log } = this.#options
    if (replicas === undefined) return void (await work(stopping))
    while (!stopping.aborted) {
      this.#work()
      await clock.sleep(BEAT_MS, stopping).catch(() => undefined)
      if (!stopping.aborted)
        await this.#beat().catch((error: unknown) =>
          this.#say('the store does not say who works in the background', error),
        )
    }
    // What is being committed may still be: the lease is this one's until it leaves.
    this.#term?.stopping.abort()
    await this.#end()
    await replicas.leave(self.id).catch((error: unknown) => log.warn({ err: error }, 'the lease ends by time'))
  }

  /** Begins or ends what the lease is for, as it stands. */
  #work(): void {
    const { replicas, work, clock, log } = this.#options
    const fence = clock.monotonicMs() < this.#heldUntilMs ? this.#standing?.fence : undefined
    // Another fence than the term's: somebody else had the lease in between, and this process did not notice.
    if (this.#term?.fence !== fence) void this.#end()
    if (fence === undefined || this.#term !== undefined) return
    replicas?.holdAs(fence)
    log.info({ fence }, 'working in the background from now on')
    const stopping = new AbortController()
    const done = work(stopping.signal).finally(() => (this.#term = undefined))
    this.#term = { fence, stopping, done }
  }

  async #end(): Promise<void> {
    const { replicas, clock, log } = this.#options
    const term = this.#term
    if (term === undefined) return
    if (!term.stopping.signal.aborted) {
      replicas?.holdAs(undefined)
      log.warn('the lease is over: on standby from now on')
      term.stopping.abort()
    }
    await waitAtMost(clock, END_MS, term.done)
  }

  /** The term is over before the lease is, also while the store does not say so. */
  async #beat(): Promise<void> {
    const { replicas, self, configuration, clock, hasLinks, isFit } = this.#options
    if (replicas === undefined) return
    const startedMs = clock.monotonicMs()
    const timer = clock.after(Math.max(0, this.#heldUntilMs - startedMs), () => void this.#end())
    try {
      const beat = { isFit: isFit(), letsGo: this.#letsGo() }
      this.#standing = await replicas.beat({ ...self, configuration: configuration() }, beat)
    } finally {
      timer.cancel()
    }
    if (this.#standing.fence !== undefined) this.#heldUntilMs = startedMs + LEASE_MS - MARGIN_MS
    const place = this.#standing.replicas.findIndex(({ id }) => id === self.id)
    const others = this.#standing.replicas.filter(({ id }) => id !== self.id).map(({ name }) => name)
    if (hasLinks && place >= MAX_REPLICAS)
      this.#say(`Slack allows links for ${MAX_REPLICAS} replicas, and this is one more: stop one`)
    else if (this.writesBarred !== undefined) this.#say(this.writesBarred)
    else if (others.length > 0) this.#say(`shares its store with ${others.join(', ')}`)
    else this.#say(undefined)
  }

  /** Whether another replica shall work instead, which may reach Slack. */
  #letsGo(): boolean {
    const { clock, isFit, log } = this.#options
    const nowMs = clock.monotonicMs()
    this.#unfitSinceMs = isFit() ? undefined : (this.#unfitSinceMs ?? nowMs)
    const { fence, replicas = [] } = this.#standing ?? {}
    const isDue = this.#unfitSinceMs !== undefined && nowMs - this.#unfitSinceMs >= UNFIT_MS
    if (!isDue || fence === undefined || replicas.length < 2) return false
    this.#unfitSinceMs = nowMs
    log.warn({}, 'Slack cannot be reached from here: the lease is left to another replica')
    return true
  }

  #say(sentence: string | undefined, error?: unknown): void {
    if (sentence !== undefined && sentence !== this.#said) this.#options.log.warn({ err: error }, sentence)
    this.#said = sentence
  }
}
