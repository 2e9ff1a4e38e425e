import type { AlertDesk } from '../alerts/alert-watch.ts'
import { type Message, message } from '../block-kit/message.ts'
import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { context, section } from '../block-kit/sections.ts'
import type { Cdn } from '../cdn/cdn.ts'
import type { AnswerFile } from '../operations/answer.ts'
import type { ChangeActions } from '../operations/change-actions.ts'
import type { Channels } from '../operations/channel-info.ts'
import type { NamedZone } from '../operations/field.ts'
import { findOperation } from '../operations/find-operation.ts'
import type {
  CatalogEntry,
  CheckContext,
  Invocation,
  Operation,
  OperationContext,
  PanelLink,
} from '../operations/operation.ts'
import { adminsNamed, FOR_MEMBERS } from '../operations/prompt-words.ts'
import type { Actor, Decision, Quorum } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import { UserError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Change } from '../store/change.ts'
import type { Once } from '../store/deliveries.ts'
import { StoreError } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import { withButtons } from './answer-buttons.ts'
import { auditEntry } from './audit-words.ts'
import type { Digest } from './change-hash.ts'
import { explain } from './explain.ts'
import type { InFlight } from './in-flight.ts'
import { decide, type Policy } from './policy.ts'

export type Audience = 'caller' | 'channel'

/**
 * Where an answer goes: implemented over Slack above, and by arrays in tests. Sending never throws for a reason a
 * person could not act on; what could not be delivered is logged by the implementation.
 */
export interface Conversation {
  reply(message: Message, audience: Audience): Promise<void>
  /** Says how far long work has come, plain text. Called often; the implementation shows a few. */
  progress(sentence: string): void
  /** Sends a file to the person's direct messages. Returns whether it arrived. */
  sendFile(file: AnswerFile): Promise<boolean>
}

/** Who people are and which role they have now; answered by Slack and the configuration, above. */
export interface People {
  /**
   * The actor with this user id, as Slack said within the last minute; with `fresh`, within seconds. Throws UserError
   * `not_permitted` when Slack cannot be asked.
   */
  actor(userId: string, how?: { readonly fresh?: boolean }): Promise<Actor>
  /** Ids of those whom lists and user groups name for this quorum; whether each may is asked one by one. At most 200. */
  candidates(quorum: Quorum): Promise<readonly string[]>
  /** Ids of all admins that lists and user groups name, as last known. At most 200. */
  admins(): readonly string[]
}

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
  readonly command: string
  readonly people: People
  readonly alerts: AlertDesk
  readonly channels: Channels
  /** As it stands now: the configuration may be read again at any time. */
  readonly policy: () => Policy
  /** Zones that the configuration names, beside those that people named. */
  readonly managedZones: () => readonly NamedZone[]
  /** Channels shared with other organisations in which the configuration allows alerts. */
  readonly sharedChannels: () => readonly string[]
  /** Whether a write leaves the id of its change in a free field of the platform. */
  readonly markRecords: boolean
  /** Where others are asked, and told what everybody has to see; nowhere when undefined. */
  readonly opsChannel?: string | undefined
  /** What stands for values where they are not kept. */
  readonly digest: Digest
  readonly inFlight: InFlight
  /** Whether a text holds one of the program's own secrets; without it none is known. */
  readonly holdsSecret?: ((text: string) => boolean) | undefined
  readonly count: (operation: string, outcome: string) => void
}

export interface AskedFrom {
  /** Where the answer is shown, and which rules of the policy hold; undefined outside of any channel. */
  readonly channelId: string | undefined
  /** Set where the delivery changes something: it has its effect once, however often Slack sends it. */
  readonly once?: Once | undefined
}

/** Takes an invocation that needs no confirmation from asked to answered: may they, do it, write it down, say so. */
export class Executor {
  readonly options: ExecutorOptions
  /** Set once by the part that acts on changes, which needs the executor itself. */
  #changeActions: ((actor: Actor) => ChangeActions) | undefined

  constructor(options: ExecutorOptions) {
    this.options = options
  }

  /** Gives operations their way to changes. Called once, while the program is put together. */
  actOnChangesBy(actions: (actor: Actor) => ChangeActions): void {
    this.#changeActions = actions
  }

  decide(actor: Actor, { operation, effect, zones, minimumRole }: Invocation, channelId: string | undefined): Decision {
    return decide(this.options.policy(), { actor, operation: operation.name, effect, zones, minimumRole, channelId })
  }

  /** What the policy says about an operation before there is any input. */
  decideBare(actor: Actor, operation: Operation, channelId: string | undefined): Decision {
    const { name, baseEffect: effect, minimumRole } = operation
    return decide(this.options.policy(), { actor, operation: name, effect, zones: [], minimumRole, channelId })
  }

  readonly holdsSecret = (text: string): boolean => this.options.holdsSecret?.(text) === true

  /** All zones with names, those of the configuration first; those alone while the store cannot be read. */
  async zones(): Promise<readonly NamedZone[]> {
    try {
      return await this.#allZones()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.options.log.warn({ err: error }, 'the names of zones could not be read')
      return this.options.managedZones()
    }
  }

  async #allZones(): Promise<readonly NamedZone[]> {
    const { store, managedZones } = this.options
    return [...managedZones(), ...(await store.zones.list())]
  }

  /**
   * What input is checked against now. A change leaves its mark, where that is turned on, and has to read as it did when
   * it was reviewed: for it every name is needed. Throws StoreError for a change only.
   */
  async check({ timeZone, changeId }: Pick<Actor, 'timeZone'> & { readonly changeId?: string }): Promise<CheckContext> {
    const { clock, panel } = this.options
    const zones = await (changeId === undefined ? this.zones() : this.#allZones())
    return { now: clock.now(), zones, timeZone, panel, marker: this.marker(changeId) }
  }

  /** What a change would do as it reads now; undefined where it does not read any more. Throws StoreError. */
  async readChange(change: Change, timeZone: string): Promise<Invocation | undefined> {
    const operation = findOperation(this.options.operations, change.operation)
    const parsed = operation?.parse(change.values, await this.check({ timeZone, changeId: change.id }))
    return parsed?.ok === true ? parsed.invocation : undefined
  }

  /** What a write leaves in a free field of the platform, so that it can be found again. */
  marker(changeId: string | undefined): string | undefined {
    return changeId === undefined || !this.options.markRecords ? undefined : `cdn-ops ${changeId}`
  }

  /** Answers a read or a write to the bot in the conversation, whatever happens: every failure ends as a message. */
  async answer(invocation: Invocation, actor: Actor, conversation: Conversation, from: AskedFrom): Promise<void> {
    const { operation } = invocation
    try {
      await this.options.inFlight.run(actor.id, () => this.#answer(invocation, actor, conversation, from))
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
    const { store, clock, log, count, people } = this.options
    count(invocation.operation.name, 'denied')
    const entry = auditEntry({ actor, invocation, event: 'denied', now: clock.now(), detail: decision.reason })
    try {
      // Whoever has no role can ask as often as they like.
      await (actor.role === 'none' ? store.refusals : store.audit).append(entry)
    } catch (error) {
      // Refusing needs no record to be right; that it is missing is for whoever runs the bot.
      log.error({ err: error, operation: invocation.operation.name }, 'a refusal could not be recorded')
    }
    return refusal(decision, actor, people.admins())
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
  async context(
    actor: Actor,
    { channelId, once }: AskedFrom,
    running: Pick<OperationContext, 'signal' | 'progress'> & { readonly changeId?: string },
  ): Promise<OperationContext> {
    const { cdn, store, clock, panel, command, people, alerts, channels, opsChannel } = this.options
    if (this.#changeActions === undefined) throw new TypeError('Nothing acts on changes yet')
    const { changeId, ...work } = running
    const catalogFor = (whom: Actor) => this.catalog(whom, channelId)
    return {
      cdn,
      store,
      actor,
      admins: people.admins(),
      once,
      now: clock.now(),
      zones: await this.zones(),
      panel,
      command,
      marker: this.marker(changeId),
      markerOf: (id) => this.marker(id),
      changes: this.#changeActions(actor),
      alerts,
      channelId,
      opsChannel,
      sharedChannels: this.options.sharedChannels(),
      channelInfo: (id) => channels.info(id),
      newId: () => clock.newId(),
      get catalog() {
        return catalogFor(actor)
      },
      lookUp: async (userId) => {
        const other = await people.actor(userId)
        return { actor: other, catalog: catalogFor(other) }
      },
      ...work,
    }
  }

  catalog(actor: Actor, channelId: string | undefined): readonly CatalogEntry[] {
    return this.options.operations.map((operation) => ({
      operation,
      decision: this.decideBare(actor, operation, channelId),
    }))
  }

  async #answer(invocation: Invocation, actor: Actor, conversation: Conversation, from: AskedFrom): Promise<void> {
    const { clock, store, count, log } = this.options
    const { operation } = invocation
    const decision = this.decide(actor, invocation, from.channelId)
    if (decision.kind === 'deny') return conversation.reply(await this.refuse(invocation, decision, actor), 'caller')
    if (decision.kind !== 'run') throw new TypeError(`${operation.name} has to be confirmed first`)
    if (invocation.effect === 'sensitive read') await this.#recordSensitiveRead(invocation, actor)
    const tooLong = new AbortController()
    const timer = clock.after(READ_LIMIT_MS, () => tooLong.abort())
    const said = `${operation.name}: asking the platform …`
    const firstWord = clock.after(FIRST_WORD_MS, () => conversation.progress(said))
    const progress = (sentence: string): void => {
      // It has words of its own, which say more.
      firstWord.cancel()
      conversation.progress(sentence)
    }
    try {
      const answer = await invocation.run(await this.context(actor, from, { signal: tooLong.signal, progress }))
      const place = { invocation, actor, channelId: from.channelId }
      const message = await withButtons(answer, place, { answers: store.answers, clock, log })
      await conversation.reply(message, operation.audience)
      if (answer.file !== undefined) await conversation.sendFile(answer.file)
      count(operation.name, 'answered')
    } finally {
      timer.cancel()
      firstWord.cancel()
    }
  }
  /** On record before it is read, not after: what cannot be put on record is not shown. Throws UserError then. */
  async #recordSensitiveRead(invocation: Invocation, actor: Actor): Promise<void> {
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

/** Why somebody may not do something, that nothing was done, and who can help. */
export function refusal(decision: Decision, actor: Actor, admins: readonly string[]): Message {
  const happened =
    decision.kind === 'approve'
      ? 'This may be billed or cannot be undone, so your role cannot start it alone. Nothing was done.'
      : `${decision.reason} Nothing was done.`
  const why =
    actor.role === 'none'
      ? `You are ${actor.id}: ${actor.roleSource}.`
      : `Your role is ${actor.role}: ${actor.roleSource}.`
  const { said, shown } = help(decision, actor, admins)
  return message({
    text: `${happened} ${why} ${said}`,
    blocks: [section(md`:no_entry: ${happened}`), context(md`${why}`, shown)],
  })
}

function help(
  { kind }: Decision,
  { barred }: Actor,
  admins: readonly string[],
): { readonly said: string; readonly shown: Mrkdwn } {
  if (barred === true) return { said: FOR_MEMBERS, shown: md`${FOR_MEMBERS}` }
  if (admins.length === 0) return { said: 'No admin is configured.', shown: md`No admin is configured: set ADMINS.` }
  const helper = kind === 'approve' ? 'An admin may do it' : 'An admin can help'
  return { said: `${helper}.`, shown: md`${helper}: ${adminsNamed(admins)}` }
}
