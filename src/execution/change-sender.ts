import type { Message } from '../block-kit/message.ts'
import type { Answer } from '../operations/answer.ts'
import type { Invocation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Change } from '../store/change.ts'
import { withButtons } from './answer-buttons.ts'
import { auditEntry } from './audit-words.ts'
import type { Confirmed } from './change-desk.ts'
import { endedMessage, endingWords } from './change-message.ts'
import type { Executor } from './executor.ts'
import { outcomeOf, type Outcome } from './outcome.ts'

/** Longer than the create deadline of the client (30 s) with all that surrounds it. */
const LEASE_MS = 60_000

/** How a change ended, and what to say about it. */
export interface Ended {
  readonly change: Change
  readonly outcome: Outcome
  readonly message: Message
}

/** Sends what was confirmed: once, on record before and after, and with an honest word when nobody knows how it ended. */
export class ChangeSender {
  readonly #executor: Executor
  readonly #holder: string

  /** `holder` names this process in leases. */
  constructor(executor: Executor, holder: string) {
    this.#executor = executor
    this.#holder = holder
  }

  /** Sends a confirmed change, once, and says how it ended. Never throws: every end is a message. */
  async send({ change, invocation, actor }: Confirmed): Promise<Ended> {
    try {
      return await this.#executor.options.inFlight.run(`change:${change.id}`, () =>
        this.#send(change, invocation, actor),
      )
    } catch (error) {
      // Nothing was sent: the record could not be moved to `sending`, or the process is stopping.
      return { change, outcome: 'not_sent', message: this.#executor.explain(error, invocation.operation.name) }
    }
  }

  async #send(change: Change, invocation: Invocation, actor: Actor): Promise<Ended> {
    const { store, clock } = this.#executor.options
    const audit = auditEntry({ actor, invocation, event: 'sending', now: clock.now(), changeId: change.id })
    const lease = { holder: this.#holder, durationMs: LEASE_MS }
    const sending = await store.changes.move(change.id, {
      from: ['approved'],
      to: 'sending',
      lease,
      now: clock.now(),
      audit,
    })
    if (sending === undefined)
      throw new UserError(
        'expired',
        'This has been answered already, or it waited too long. Nothing was sent.',
        'Ask again.',
      )
    try {
      const context = this.#executor.context(actor, new AbortController().signal, () => undefined)
      const performed = await invocation.perform(context)
      return await this.#succeeded(sending, invocation, actor, () => performed.present())
    } catch (error) {
      return await this.#failed(sending, invocation, actor, error)
    }
  }

  async #succeeded(change: Change, invocation: Invocation, actor: Actor, present: () => Answer): Promise<Ended> {
    const { store, clock } = this.#executor.options
    const ended = await this.#end(change, invocation, actor, 'done', invocation.sentence)
    try {
      const place = { invocation, actor, channelId: change.channelId }
      return { change: ended, outcome: 'done', message: await withButtons(present(), place, store.answers, clock) }
    } catch (error) {
      return {
        change: ended,
        outcome: 'done',
        message: this.#message(change, invocation, 'done', this.#words(error, invocation)),
      }
    }
  }

  async #failed(change: Change, invocation: Invocation, actor: Actor, error: unknown): Promise<Ended> {
    const outcome = outcomeOf(error)
    const words = this.#words(error, invocation)
    const ended = await this.#end(change, invocation, actor, outcome, words.happened)
    return { change: ended, outcome, message: this.#message(change, invocation, outcome, words) }
  }

  /** Puts the end on record and masks secret values. When that fails the change stays `sending`, and a restart calls it unknown. */
  async #end(
    change: Change,
    invocation: Invocation,
    actor: Actor,
    outcome: Outcome,
    sentence: string,
  ): Promise<Change> {
    const { store, clock, log, count } = this.#executor.options
    count(invocation.operation.name, outcome)
    try {
      const now = clock.now()
      const audit = auditEntry({ actor, invocation, event: outcome, now, changeId: change.id, detail: sentence })
      const set = { values: invocation.maskedValues, outcome: audit.detail ?? sentence }
      return (await store.changes.move(change.id, { from: ['sending'], to: outcome, set, now, audit })) ?? change
    } catch (error) {
      log.error({ err: error, change: change.id, outcome }, 'the end of a change could not be recorded')
      return change
    }
  }

  #words(error: unknown, invocation: Invocation): { happened: string; next: string } {
    const { clock, log } = this.#executor.options
    const words = endingWords(error, () => clock.newId().slice(0, 8))
    if (words.incident !== undefined) {
      log.error({ err: error, incident: words.incident, operation: invocation.operation.name }, 'a bug while sending')
    }
    return words
  }

  #message(
    change: Change,
    invocation: Invocation,
    outcome: Outcome,
    words: { happened: string; next: string },
  ): Message {
    const { sentence, lookFor, review } = invocation
    const { command } = this.#executor.options
    return endedMessage({
      ...words,
      id: change.id,
      sentence,
      requestedBy: change.requestedBy,
      outcome,
      lookFor,
      panel: review?.panel,
      command,
    })
  }
}
