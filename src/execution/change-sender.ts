import type { Block } from '../block-kit/blocks.ts'
import { md, mention } from '../block-kit/mrkdwn.ts'
import { type Message, withBlocks } from '../block-kit/message.ts'
import { context } from '../block-kit/sections.ts'
import type { Answer } from '../operations/answer.ts'
import type { Performed } from '../operations/operation.ts'
import { UserError } from '../shared/errors.ts'
import type { Change } from '../store/change.ts'
import { withButtons } from './answer-buttons.ts'
import { auditEntry, PROGRAM } from './audit-words.ts'
import type { Confirmed } from './change-desk.ts'
import { cancelChange } from './change-ending.ts'
import { endedMessage, endingWords } from './change-message.ts'
import type { Executor } from './executor.ts'
import { outcomeOf, type Outcome } from './outcome.ts'

/** Longer than the create deadline of the client (30 s) with all that surrounds it. */
const LEASE_MS = 60_000

/** How a change ended, and what to say about it. */
export interface Ended {
  readonly change: Change
  readonly outcome: Outcome
  /** For the channel: with who asked, and buttons. */
  readonly message: Message
  /** For the view of the person who asked, where such buttons have no place. */
  readonly viewed: Message
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
  async send(confirmed: Confirmed): Promise<Ended> {
    try {
      return await this.#executor.options.inFlight.run(`change:${confirmed.change.id}`, () => this.#send(confirmed))
    } catch (error) {
      // Refused at the door, since what is inside never throws.
      return this.#unsent(confirmed, error)
    }
  }

  async #send(confirmed: Confirmed): Promise<Ended> {
    const { invocation, actor } = confirmed
    let sending: Change
    try {
      sending = await this.#startSending(confirmed)
    } catch (error) {
      return this.#unsent(confirmed, error)
    }
    let performed: Performed
    try {
      performed = await invocation.perform(this.#executor.context(actor, new AbortController().signal, () => undefined))
    } catch (error) {
      return this.#endedWithout(sending, confirmed, outcomeOf(error), error)
    }
    let answer: Answer
    try {
      answer = performed.present()
    } catch (error) {
      return this.#endedWithout(sending, confirmed, 'done', error)
    }
    return this.#answered(sending, confirmed, answer)
  }

  /** Nothing was sent: the process is stopping, somebody was faster, or the record could not be written. */
  async #unsent({ change, invocation }: Confirmed, error: unknown): Promise<Ended> {
    const { count, log } = this.#executor.options
    const { name } = invocation.operation
    count(name, 'not_sent')
    const why = error instanceof UserError ? error.message : 'The record could not be written, so nothing was sent.'
    const cancelled = await cancelChange(this.#executor, { id: change.id, by: PROGRAM, from: 'approved', why }).catch(
      (failed: unknown) => {
        // It stays confirmed until its time is over; nothing but this could have sent it.
        log.error({ err: failed, change: change.id }, 'a change that was not sent could not be ended')
        return undefined
      },
    )
    const message = this.#executor.explain(error, name)
    return { change: cancelled ?? change, outcome: 'not_sent', message, viewed: message }
  }

  /** The one way to the call: from `approved`, with its entry in the record. Throws UserError when somebody was faster. */
  async #startSending({ change, invocation, actor }: Confirmed): Promise<Change> {
    const { store, clock } = this.#executor.options
    const now = clock.now()
    const audit = auditEntry({ actor, invocation, event: 'sending', now, changeId: change.id })
    const lease = { holder: this.#holder, durationMs: LEASE_MS }
    const sending = await store.changes.move(change.id, { from: ['approved'], to: 'sending', lease, now, audit })
    if (sending !== undefined) return sending
    throw new UserError('expired', 'This was answered already, or it waited too long. Nothing was sent.', 'Ask again.')
  }

  async #answered(change: Change, confirmed: Confirmed, answer: Answer): Promise<Ended> {
    const { store, clock, log } = this.#executor.options
    const { invocation, actor } = confirmed
    const end = await this.#record(change, confirmed, 'done', invocation.sentence)
    const signed = withBlocks(answer.message, context(md`Asked by ${mention(actor.id)}`), ...end.notes)
    const place = { invocation, actor, channelId: change.channelId }
    const tools = { answers: store.answers, clock, log }
    const message = await withButtons({ ...answer, message: signed }, place, tools)
    return { change: end.change, outcome: 'done', message, viewed: withBlocks(answer.message, ...end.notes) }
  }

  async #endedWithout(change: Change, confirmed: Confirmed, outcome: Outcome, error: unknown): Promise<Ended> {
    const { clock, log, command } = this.#executor.options
    const { sentence, lookFor, review, operation } = confirmed.invocation
    const words = endingWords(error, () => clock.newId().slice(0, 8))
    if (words.incident !== undefined) {
      log.error({ err: error, incident: words.incident, operation: operation.name }, 'a bug while sending')
    }
    const end = await this.#record(change, confirmed, outcome, words.happened)
    const { id, requestedBy } = change
    const ended = endedMessage({ ...words, id, sentence, requestedBy, outcome, lookFor, panel: review?.panel, command })
    const message = withBlocks(ended, ...end.notes)
    return { change: end.change, outcome, message, viewed: message }
  }

  /**
   * Puts the end on record and masks secret values. When that fails the change stays `sending`, which the next start
   * calls unknown; the person is told so now.
   */
  async #record(
    change: Change,
    confirmed: Confirmed,
    outcome: Outcome,
    sentence: string,
  ): Promise<{ readonly change: Change; readonly notes: readonly Block[] }> {
    const { log, count } = this.#executor.options
    count(confirmed.invocation.operation.name, outcome)
    try {
      const ended =
        (await this.#end(change, confirmed, 'sending', outcome, sentence)) ??
        (outcome === 'unknown' ? change : await this.#end(change, confirmed, 'unknown', LATE[outcome], sentence))
      if (ended !== undefined) return { change: ended, notes: [] }
      log.error({ change: change.id, outcome }, 'a change ended that was not being sent any more')
    } catch (error) {
      log.error({ err: error, change: change.id, outcome }, 'the end of a change could not be recorded')
    }
    return { change, notes: [context(UNRECORDED)] }
  }

  async #end(
    { id }: Change,
    { invocation, actor }: Confirmed,
    from: 'sending' | 'unknown',
    to: Outcome | 'not_done',
    sentence: string,
  ): Promise<Change | undefined> {
    const { store, clock } = this.#executor.options
    const now = clock.now()
    const audit = auditEntry({ actor, invocation, event: to, now, changeId: id, detail: sentence })
    const set = { values: invocation.maskedValues, outcome: audit.detail ?? sentence }
    return store.changes.move(id, { from: [from], to, set, now, audit })
  }
}

/** What an answer means for a change that was given up as unknown meanwhile, its process thought dead. */
const LATE = { done: 'done', rejected: 'not_done', not_sent: 'not_done' } as const

const UNRECORDED =
  'This end could not be put on record: after a restart the change is listed as unknown. Tell whoever runs CDN Ops.'
