import type { Policy } from '../../../src/execution/policy/policy.ts'
import { deliverDue } from '../../support/delivery-bench.ts'
import { NoticeBoard } from '../../support/notice-board.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { beginLife, type Life, type Process } from './life.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import { Platform } from './platform.ts'
import { POLICIES } from './policies.ts'
import { Town } from './town.ts'
import { Witness } from './witness.ts'

/** What became of something that somebody did. `under way` when it waits for Slack or the platform. */
export type Did<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'under way' }

/** People, Slack, the platform, a store, and process after process of the bot among them. */
export class World {
  readonly clock: TurnedClock
  readonly memory: MemoryStore
  readonly town = new Town()
  readonly board = new NoticeBoard()
  readonly platform = new Platform()
  readonly witness: Witness
  policy: Policy = POLICIES[0]!
  slack: 'up' | 'down' | 'takes it and fails' = 'up'
  /** So many writes of the store fail from now on. */
  failingWrites = 0
  /** True once something happened after which a message may stand there twice. */
  disturbed = false
  /** What is delivered next takes so long at one of the questions who somebody is. */
  slow: { readonly after: number; readonly ms: number } | undefined
  /** Makes whatever passes between a process and the world wait, so that others can come in between. */
  pace: (passing: string) => unknown = () => undefined
  /** Whether `pace` makes anything wait, so that what is under way may stay so. */
  paced = false
  /** Ids of the changes that were begun, in order; undefined where none came of it. */
  readonly changes: (string | undefined)[] = []
  /** Everything that people did, to be delivered again. */
  readonly deliveries: (() => Promise<unknown>)[] = []
  #lives = 0
  #life: Life

  private constructor(clock: TurnedClock, memory: MemoryStore) {
    this.clock = clock
    this.memory = memory
    this.witness = new Witness(this)
    this.#life = this.#begin()
  }

  static async create(): Promise<World> {
    const clock = new TurnedClock()
    return new World(clock, await createMemoryStore(clock))
  }

  get process(): Process {
    return this.#life.process
  }

  get holder(): string {
    return `process ${this.#lives}`
  }

  /** Whether nothing fails or hangs now, so that what somebody does has the effect it should have. */
  get calm(): boolean {
    return this.town.answers && this.slow === undefined && this.failingWrites === 0 && this.#life.passings === undefined
  }

  /** Does something, and lets everything go on until it ends or waits for what does not come by itself. */
  async does<T>(work: () => Promise<T>): Promise<Did<T>> {
    const life = this.#life
    const { hanging } = this.platform
    const doing = watched(work())
    await turnOfTheLoop()
    const did = doing.did()
    const waitsForNothing = this.town.answers && this.platform.hanging <= hanging && life.alive && !this.paced
    if (did.kind === 'under way' && waitsForNothing) this.witness.unanswered()
    return did
  }

  /** Somebody does something in Slack; it may be delivered again later. */
  async deliver<T>(work: () => Promise<T>): Promise<Did<T>> {
    this.deliveries.push(work)
    const { slow } = this
    if (slow === undefined) return this.does(work)
    this.slow = undefined
    this.town.reach('hangs', slow.after)
    const doing = watched(work())
    await turnOfTheLoop()
    this.clock.turn(slow.ms)
    this.town.reach('answers')
    await turnOfTheLoop()
    return doing.did()
  }

  /** What is done now and then. One round after the other: a new one does not begin while another hangs. */
  async round(): Promise<void> {
    const life = this.#life
    if (life.rounding) return
    life.rounding = true
    const { reconciler, dispatcher, store } = life.process
    await this.does(async () => {
      try {
        await reconciler.reconcile()
        // To one person or channel there is a second between two.
        while ((await deliverDue(dispatcher)) > 0) this.clock.turn(1_000)
        await store.prune(this.clock.now())
      } finally {
        life.rounding = false
      }
    })
  }

  /** The process ends after it has passed this many times more between itself and the world. */
  crashAfter(passings: number): void {
    this.disturbed = true
    this.#life.passings = passings
  }

  /** Another process takes over. The one before goes on with what it is waiting for, as one that was only paused. */
  async takeOver(): Promise<void> {
    this.disturbed = true
    this.#life = this.#begin()
    await this.round()
  }

  /** After each step: a process that has ended is started again. */
  async restartIfDead(): Promise<void> {
    if (this.#life.alive) return
    await this.takeOver()
  }

  /** All faults end; what hangs is answered, and time passes in which every deadline but that of approvals is over. */
  async calmDown(): Promise<void> {
    this.failingWrites = 0
    this.slack = 'up'
    this.#life.passings = undefined
    this.town.reach('answers')
    while (this.platform.hanging > 0) this.platform.answerLate('ok')
    this.platform.answer = 'ok'
    await turnOfTheLoop()
    await this.restartIfDead()
    await this.pass(10, 15_000)
  }

  /** Time passes in steps, with a round after each. */
  async pass(steps: number, stepMs: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      this.clock.turn(stepMs)
      await this.round()
    }
  }

  #begin(): Life {
    this.#lives += 1
    return beginLife(this, this.holder)
  }
}

function watched<T>(work: Promise<T>): { did: () => Did<T> } {
  let did: Did<T> = { kind: 'under way' }
  work.then(
    (value) => (did = { kind: 'returned', value }),
    (error: unknown) => (did = { kind: 'threw', error }),
  )
  return { did: () => did }
}
