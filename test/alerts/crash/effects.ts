import type { Notifier } from '../../../src/delivery/notifier.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import type { Store } from '../../../src/store/store.ts'

/** Where a process ends: before a step has its effect, or after it, so that nobody hears how it went. */
export interface Death {
  /** Which step, from 1. */
  readonly step: number
  readonly when: 'before' | 'after'
}

/** What everything gets from a process that has ended. */
class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
}

/** Reads of the store leave nothing behind: they are no steps, though a dead process does not do them either. */
const READS = new Set('view list get read span known incident incidents waitingPosts deadPosts'.split(' '))

/** A listener is hung up inside of the process: nothing outside sees it. */
const WITHIN = new Set(['onPut'])

/** Numbers everything one process does that is seen outside of it, and ends it at one of these. */
export class Effects {
  /** What each step was, first one first. */
  readonly steps: string[] = []
  readonly #death: Death | undefined
  #isDead = false
  #inFlight = 0
  #activity = 0
  #answered = Promise.withResolvers<void>()

  constructor(death?: Death) {
    this.#death = death
  }

  get isDead(): boolean {
    return this.#isDead
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Grows with all that begins and ends, so that somebody who waits sees whether anything goes on. */
  get activity(): number {
    return this.#activity
  }

  /** Resolves when the next of those in flight has ended. */
  get answered(): Promise<void> {
    return this.#answered.promise
  }

  /** The platform, as this process sees it. */
  cdn(cdn: Cdn): Cdn {
    return this.#watched(cdn, 'cdn', () => true)
  }

  /** Slack, as this process sees it. */
  notifier(notifier: Notifier): Notifier {
    return this.#watched(notifier, 'notifier', () => true)
  }

  /** The store, as this process sees it. */
  store(store: Store): Store {
    const parts = new Map<PropertyKey, object>()
    return new Proxy(store, {
      get: (target, name) => {
        const part: unknown = Reflect.get(target, name)
        if (typeof part !== 'object' || part === null) return part
        const watched = parts.get(name) ?? this.#watched(part, String(name), (method) => !READS.has(method))
        parts.set(name, watched)
        return watched
      },
    })
  }

  #watched<Part extends object>(part: Part, label: string, isStep: (method: string) => boolean): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const method = String(name)
        if (WITHIN.has(method)) return member.bind(target)
        return (...values: unknown[]) => {
          const work = async (): Promise<unknown> => member.apply(target, values)
          return isStep(method) ? this.#step(`${label}.${method}`, work) : this.#alive(work)
        }
      },
    })
  }

  async #step(name: string, work: () => Promise<unknown>): Promise<unknown> {
    if (this.#isDead) throw new ProcessEnded()
    this.steps.push(name)
    const dies = this.steps.length === this.#death?.step ? this.#death.when : undefined
    if (dies === 'before') this.#isDead = true
    const result = await this.#alive(work)
    if (dies === 'after') this.#isDead = true
    if (this.#isDead) throw new ProcessEnded()
    return result
  }

  async #alive(work: () => Promise<unknown>): Promise<unknown> {
    if (this.#isDead) throw new ProcessEnded()
    this.#inFlight += 1
    this.#activity += 1
    try {
      return await work()
    } finally {
      this.#inFlight -= 1
      this.#activity += 1
      this.#answered.resolve()
      this.#answered = Promise.withResolvers()
    }
  }
}
