import type { Message } from '../block-kit/message.ts'
import type { Cdn } from '../cdn/cdn.ts'
import type { CatalogEntry, Invocation, Operation, OperationContext, PanelLink } from '../operations/operation.ts'
import type { Actor, Decision } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import { UserError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Store } from '../store/store.ts'
import { withButtons } from './answer-buttons.ts'
import { auditEntry } from './audit-words.ts'
import type { Conversation } from './conversation.ts'
import { explain } from './explain.ts'
import type { InFlight } from './in-flight.ts'
import { decide } from './policy.ts'
import { refusal } from './refusal.ts'

/** Longer than any read may take: a day file has 10 minutes, waiting for its slot included. */
const READ_LIMIT_MS = 11 * 60_000
/** Somebody who sees nothing for longer wonders whether they were heard. Conversations speak from 1.5 s on. */
const FIRST_WORD_MS = 1_600

export interface ExecutorOptions {
  readonly operations: readonly Operation[]
  readonly cdn: Cdn
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly panel: PanelLink
  /** The slash command, with its slash. */
  readonly command: string
  /** User ids of the admins, named where somebody else has to decide. */
  readonly admins: ReadonlySet<string>
  readonly inFlight: InFlight
  readonly count: (operation: string, outcome: string) => void
}

/** Takes an invocation that needs no confirmation from asked to answered: may they, do it, write it down, say so. */
export class Executor {
  readonly options: ExecutorOptions

  constructor(options: ExecutorOptions) {
    this.options = options
  }

  decide(actor: Actor, invocation: Pick<Invocation, 'operation' | 'effect'>): Decision {
    return decide(actor.role, invocation.operation, invocation.effect)
  }

  /**
   * Answers a read or a write to the bot in the conversation, whatever happens: every failure ends as a message.
   * `channelId` is where the answer is shown, so that its Share button knows.
   */
  async answer(
    invocation: Invocation,
    actor: Actor,
    conversation: Conversation,
    channelId: string | undefined,
  ): Promise<void> {
    const { operation } = invocation
    try {
      await this.options.inFlight.run(actor.id, () => this.#answer(invocation, actor, conversation, channelId))
    } catch (error) {
      this.options.count(operation.name, 'failed')
      await conversation.reply(this.explain(error, operation.name), 'caller')
    }
  }

  /** Refuses in the conversation and puts that on record, as far as the record can be written. */
  async refuse(
    invocation: Pick<Invocation, 'operation' | 'sentence'>,
    decision: Decision,
    actor: Actor,
  ): Promise<Message> {
    const { store, clock, log, count, admins } = this.options
    count(invocation.operation.name, 'denied')
    try {
      await store.audit.append(
        auditEntry({ actor, invocation, event: 'denied', now: clock.now(), detail: decision.reason }),
      )
    } catch (error) {
      // Refusing needs no record to be right; that it is missing is for whoever runs the bot.
      log.error({ err: error, operation: invocation.operation.name }, 'a refusal could not be recorded')
    }
    return refusal(decision, actor, admins)
  }

  /** Any error as a message; a bug gets an incident number and is logged under it. */
  explain(error: unknown, operation: string): Message {
    const { clock, log } = this.options
    const { message, incident } = explain(error, () => clock.newId().slice(0, 8))
    if (incident !== undefined) log.error({ err: error, incident, operation }, 'a bug')
    else log.info({ operation, reason: error instanceof Error ? error.message : 'unknown' }, 'refused or failed')
    return message
  }

  /** What an operation may reach while it runs as this actor. */
  context(actor: Actor, signal: AbortSignal, progress: (sentence: string) => void): OperationContext {
    const { cdn, store, clock, panel, command } = this.options
    return { cdn, store, actor, now: clock.now(), signal, panel, command, catalog: this.catalog(actor), progress }
  }

  catalog(actor: Actor): readonly CatalogEntry[] {
    return this.options.operations.map((operation) => ({
      operation,
      decision: decide(actor.role, operation, operation.baseEffect),
    }))
  }

  async #answer(
    invocation: Invocation,
    actor: Actor,
    conversation: Conversation,
    channelId: string | undefined,
  ): Promise<void> {
    const { clock, store, count, log } = this.options
    const { operation } = invocation
    const decision = this.decide(actor, invocation)
    if (decision.kind === 'deny') return conversation.reply(await this.refuse(invocation, decision, actor), 'caller')
    if (decision.kind !== 'run') throw new TypeError(`${operation.name} has to be confirmed first`)
    await this.#recordSensitive(invocation, actor)

    const tooLong = new AbortController()
    const timer = clock.after(READ_LIMIT_MS, () => tooLong.abort())
    const firstWord = clock.after(FIRST_WORD_MS, () =>
      conversation.progress(`${operation.name}: asking the platform …`),
    )
    try {
      const answer = await invocation.run(
        this.context(actor, tooLong.signal, (sentence) => {
          // It has words of its own, which say more.
          firstWord.cancel()
          conversation.progress(sentence)
        }),
      )
      const tools = { answers: store.answers, clock, log }
      const message = await withButtons(answer, { invocation, actor, channelId }, tools)
      await conversation.reply(message, operation.audience)
      if (answer.file !== undefined) await conversation.sendFile(answer.file)
      count(operation.name, 'answered')
    } finally {
      timer.cancel()
      firstWord.cancel()
    }
  }

  /** Before it is read, not after: what cannot be put on record is not shown. */
  async #recordSensitive(invocation: Invocation, actor: Actor): Promise<void> {
    if (invocation.effect !== 'sensitive read') return
    const { store, clock, log } = this.options
    try {
      await store.audit.append(auditEntry({ actor, invocation, event: 'read', now: clock.now() }))
    } catch (error) {
      log.error({ err: error, operation: invocation.operation.name }, 'a sensitive read could not be recorded')
      throw new UserError(
        'store_unavailable',
        'The audit log cannot be written, so nothing was read: this may be shown only when it is on record.',
        'Tell whoever runs CDN Ops. Plain reads go on.',
      )
    }
  }
}
