import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { AlertSubject } from '../store/alert-records.ts'
import { hashOf } from './sampling.ts'
import type { SubjectWatch } from './subject-watch.ts'

/** Subjects that are looked at at once. A look at a busy zone is mostly waiting for its slots, so others go on beside it. */
const MAX_AT_ONCE = 24
/** How long a subject waits after a look that failed for a reason of ours, doubled with each. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000
/** The first looks at many new subjects are spread over this. */
const SPREAD_MS = 8_000
/** Earlier than when a turn was given by more than this: the clock was put back, and what was said by it counts no more. */
const PUT_BACK_MS = 5_000

interface Turn {
  readonly watch: SubjectWatch
  ruleIds: string
  dueMs: number
  givenMs: number
  isRunning: boolean
  failures: number
}

/** Whose turn it is: has every subject looked at when it is due, a few at once, each by itself. */
export class Scheduler {
  readonly #clock: Clock
  readonly #log: Log
  readonly #turns = new Map<AlertSubject, Turn>()
  readonly #running = new Set<Promise<void>>()

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** Has exactly these subjects looked at from now on. New ones, and those with other rules, have their turn soon. */
  keep(ruleIdsOf: ReadonlyMap<AlertSubject, string>, createWatch: (subject: AlertSubject) => SubjectWatch): void {
    for (const subject of this.#turns.keys()) if (!ruleIdsOf.has(subject)) this.#turns.delete(subject)
    const nowMs = this.#clock.now().getTime()
    // A few are looked at at once; only where there are many do they have to wait for each other.
    const spreadMs = ruleIdsOf.size > MAX_AT_ONCE ? SPREAD_MS : 1
    for (const [subject, ruleIds] of ruleIdsOf) {
      const turn = this.#turns.get(subject)
      if (turn === undefined) {
        const dueMs = nowMs + (hashOf(subject) % spreadMs)
        const watch = createWatch(subject)
        this.#turns.set(subject, { watch, ruleIds, dueMs, givenMs: nowMs, isRunning: false, failures: 0 })
      } else if (turn.ruleIds !== ruleIds) Object.assign(turn, { ruleIds, dueMs: nowMs, givenMs: nowMs })
    }
  }

  /** Begins the looks that are due, the longest due first, as far as there is room. Never rejects. */
  begin(stopping: AbortSignal): void {
    const nowMs = this.#clock.now().getTime()
    const due = [...this.#turns].filter(
      ([, { dueMs, givenMs, isRunning }]) => !isRunning && (dueMs <= nowMs || nowMs < givenMs - PUT_BACK_MS),
    )
    for (const [subject, turn] of due.toSorted(([, a], [, b]) => a.dueMs - b.dueMs)) {
      if (this.#running.size >= MAX_AT_ONCE || stopping.aborted) return
      const look = this.#look(subject, turn, stopping)
      this.#running.add(look)
      void look.then(() => this.#running.delete(look))
    }
  }

  get isEmpty(): boolean {
    return this.#turns.size === 0
  }

  async end(): Promise<void> {
    await Promise.all(this.#running)
  }

  isHealthy(): boolean {
    const nowMs = this.#clock.now().getTime()
    return [...this.#turns.values()].every(({ watch, failures }) => failures === 0 && watch.isHealthy(nowMs) === true)
  }

  async #look(subject: AlertSubject, turn: Turn, stopping: AbortSignal): Promise<void> {
    const { ruleIds } = turn
    turn.isRunning = true
    try {
      const dueMs = await turn.watch.look(stopping)
      turn.failures = 0
      // Rules that changed during the look were perhaps not seen by it.
      turn.dueMs = turn.ruleIds === ruleIds ? dueMs : this.#clock.now().getTime()
    } catch (error) {
      turn.failures += 1
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (turn.failures - 1), LONGEST_PAUSE_MS)
      turn.dueMs = this.#clock.now().getTime() + pauseMs
      const { failures } = turn
      if (!stopping.aborted) this.#log.error({ err: error, subject, failures }, 'looking at a subject of alerts failed')
    } finally {
      turn.givenMs = this.#clock.now().getTime()
      turn.isRunning = false
    }
  }
}
