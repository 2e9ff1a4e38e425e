import type { AlertService } from '../../alerts/watch/scheduler.ts'
import type { Cdn } from '../../cdn/contract/cdn.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { AuditEntry, AuditEvent } from '../../store/schema/audit-entry.ts'
import type { Change } from '../../store/schema/change.ts'
import type { Once } from '../../store/outbox/idempotency-keys.ts'
import type { Store } from '../../store/store.ts'
import type { ZoneKind } from '../../store/schema/tables.ts'
import type { Answer } from './answer.ts'
import type { Doctor } from './examination.ts'
import type { Fields, InputOf, NamedPerson, NamedZone, ParseContext } from './field.ts'
import type { Actor, Decision, Effect, Role, WriteEffect } from './role.ts'

/** Something wrong with what was given. Without a field it is about the whole. */
export interface Issue {
  readonly field: string | undefined
  readonly problem: string
  /** The value is absent though this input needs it, which is answered with the form rather than with a refusal. */
  readonly missing?: boolean
}

/** Makes links into the platform's panel from the configured template, without an id to its front; undefined when there is none. */
export type PanelLink = (kind: PanelPlace, id?: bigint) => URL | undefined
export type PanelPlace = 'storage-zone' | 'pull-zone' | 'dns-zone' | 'video-library'

export interface ChannelInfo {
  readonly isMember: boolean
  readonly isArchived: boolean
  /** Whether people of another organisation are in it, or are invited. */
  readonly isShared: boolean
}

export interface Channels {
  /**
   * Never throws; `absent` when Slack shows the bot no such channel, as with a private one that it is not in, and `unknown` when
   * Slack does not say.
   */
  info(id: string): Promise<ChannelInfo | 'absent' | 'unknown'>
}

export type ChangeActionEnd =
  | { readonly kind: 'done'; readonly change: Change }
  /** `change` is as it was found. `why` is a sentence for people. */
  | { readonly kind: 'not_now'; readonly change: Change; readonly why: string }

/** What a command can do to a change that is there already, as the person who runs it: carried out above. */
export interface ChangeActions {
  /** Withdraws a change that waits for approval. Only who asked for it may. */
  cancel(id: string): Promise<ChangeActionEnd>
  settle(id: string, happened: boolean): Promise<ChangeActionEnd>
  /** Those among these that this person could approve now; none where that cannot be found out. */
  waitingFor(changes: readonly Change[]): Promise<readonly Change[]>
}

/** Everything an operation may reach while it runs. A member is added only when an operation needs it. */
export interface OperationContext {
  readonly cdn: Cdn
  readonly store: Pick<
    Store,
    | 'zones'
    | 'changes'
    | 'approvals'
    | 'audit'
    | 'minutes'
    | 'alertRules'
    | 'alerts'
    | 'outbox'
    | 'silences'
    | 'marks'
    | 'digests'
  >
  readonly actor: Actor
  readonly admins: readonly string[]
  readonly zones: readonly NamedZone[]
  readonly changes: ChangeActions
  readonly alerts: AlertService
  readonly doctor: Doctor
  readonly channelId: string | undefined
  readonly sharedChannels: readonly string[]
  channelInfo: (id: string) => ReturnType<Channels['info']>
  newId(): string
  /** Set where the delivery changes something: it has its effect once, however often Slack sends it. */
  readonly once?: Once | undefined
  readonly marker?: string | undefined
  /** The marker that a change leaves which is not the one being carried out. */
  markerOf(changeId: string): string | undefined
  findNamed(name: string): Promise<readonly NamedPerson[]>
  lookUp(userId: string): Promise<{ readonly actor: Actor; readonly catalog: readonly CatalogEntry[] }>
  readonly now: Date
  readonly signal: AbortSignal
  readonly panel: PanelLink
  /** Every operation with what the policy says to this actor about it. */
  readonly catalog: readonly CatalogEntry[]
  readonly command: string
  /** Tells the person how far long work has come, as plain text. May be called often; only some calls are shown. */
  progress(sentence: string): void
}

export interface CatalogEntry {
  readonly operation: Operation
  readonly decision: Decision
}

/** What checking and reviewing may depend on, besides the input. No I/O is possible with it. */
export interface CheckContext extends ParseContext {
  /** What a write leaves in a free field of the platform so that it can be found again; absent when turned off. */
  readonly marker?: string | undefined
  readonly panel: PanelLink
}

export interface FormStep<Name extends string = string> {
  /** At most 24 characters: Slack's limit for the title of a modal. */
  readonly title: string
  readonly intro?: string
  readonly fields: (values: RawValues) => readonly Name[]
  readonly redrawOn?: readonly Name[]
  /** What a field is called, its rule, and whether it must be given, where these depend on what is entered so far. */
  readonly wording?: (values: RawValues) => Readonly<Partial<Record<Name, FieldWording>>>
}

export interface FieldWording {
  readonly label?: string
  readonly hint?: string
  /** True for a field that this input cannot do without, though others can: the form does not call it optional. */
  readonly needed?: boolean
}

/** What one writes to add an operation; everything a person sees of it is derived from this. */
export type OperationDefinition<F extends Fields, Output> = CommonDefinition<F, Output> &
  (WriteDefinition<F> | OtherDefinition)

/** What a write to the platform has besides: a person confirms it, and looks for it when it got no answer. */
interface WriteDefinition<F extends Fields> {
  readonly effect: WriteEffect | ((input: Partial<InputOf<F>>) => WriteEffect)
  /** What the button says that does it, with its object: "Add record". At most 24 characters. */
  readonly verb: string
  review(input: InputOf<F>, context: CheckContext): Review
  lookFor(input: InputOf<F>, context: CheckContext): string
}

interface OtherDefinition {
  readonly effect: Exclude<Effect, WriteEffect>
  readonly verb?: string
  readonly review?: never
  readonly lookFor?: never
}

interface CommonDefinition<F extends Fields, Output> {
  /** The words typed after the command, and the name in the audit log: never reused for something else. */
  readonly name: string
  /** Other words for the same: a noun alone, which runs its only read. */
  readonly aliases?: readonly string[]
  /** One line, in the imperative, without a full stop. */
  readonly summary: string
  /** For the few that help and Home begin with: what somebody wants to know or to have who asks for it. */
  readonly question?: string
  /** Where it is not the one that its effect takes. */
  readonly minimumRole?: Role
  /** Where certain input takes a higher role than the operation itself. */
  readonly roleFor?: (input: Partial<InputOf<F>>) => Role
  /** Who sees the answer: the caller, if not given, and always of what holds anything secret or personal. */
  readonly audience?: 'caller' | 'channel'
  readonly shareable?: boolean
  readonly undoable?: boolean
  readonly fields: F
  /** Fields typed without a flag, in order, none if not given; the last of them takes the rest of the line. */
  readonly positionals?: readonly (keyof F & string)[] | ((values: RawValues) => readonly (keyof F & string)[])
  /** The form that opens when something needed is missing. Without one, the answer says what is missing. */
  readonly form?: FormStep<keyof F & string> | readonly FormStep<keyof F & string>[]
  /** What is set now, in the place of what was not given: the form is filled in with it. */
  current?(context: Pick<OperationContext, 'store' | 'channelId'>): Promise<RawValues>
  /** Without the command: `dns add shop A www 192.0.2.10`. Each must parse; a test tries. */
  readonly examples: readonly string[]
  /** Rules that span fields. Gets what could be read so far, so that a step of a form can be checked alone. */
  check?(input: Partial<InputOf<F>>, context: CheckContext): readonly Issue[]
  /** One plain sentence for the audit log and the list of changes. Names ids, holds no secret. */
  describe(input: InputOf<F>): string
  run(input: InputOf<F>, context: OperationContext): Promise<Output>
  present(output: Output, input: InputOf<F>, context: OperationContext): Answer
}

type Shown = Pick<
  CommonDefinition<Fields, unknown>,
  'name' | 'aliases' | 'summary' | 'minimumRole' | 'audience' | 'shareable' | 'undoable' | 'fields' | 'examples'
>

/** A definition with its types sealed in, so that the rest of the program holds a plain list of operations. */
export interface Operation extends Required<Shown> {
  readonly question: string | undefined
  readonly verb: string
  /** The gravest effect is found by asking with each input; this is the one of an empty input. */
  readonly baseEffect: Effect
  readonly effectVaries: boolean
  positionals(values: RawValues): readonly string[]
  readonly form: readonly FormStep[] | undefined
  current(context: Pick<OperationContext, 'store' | 'channelId'>): Promise<RawValues>
  /** Reads raw values and binds them to the operation. Does no I/O. */
  parse(values: RawValues, context: CheckContext): Parsed
}

type Parsed =
  | { readonly ok: true; readonly invocation: Invocation }
  | { readonly ok: false; readonly issues: readonly Issue[] }

export interface InvolvedZone {
  readonly kind: ZoneKind
  readonly id: bigint
}

/** An operation with checked input: all that is left is to be allowed, and to run. */
export interface Invocation {
  readonly operation: Operation
  /** What was given, which is what the store keeps: it is read and checked again when the change is sent. */
  readonly values: RawValues
  /** The same with secret values masked, kept once the change has ended. */
  readonly maskedValues: RawValues
  /** The checked input in one fixed spelling, ids for names: what a change is bound to by its hash. */
  readonly canonical: string
  readonly effect: Effect
  readonly minimumRole: Role
  readonly zones: readonly InvolvedZone[]
  readonly sentence: string
  readonly review: Review | undefined
  readonly lookFor: string | undefined
  /**
   * Does it. Presenting is what it answers with, on its own, so that a mistake in showing a result can never make a write
   * that was carried out look as if it had failed.
   */
  perform(context: OperationContext): Promise<() => Answer>
  run(context: OperationContext): Promise<Answer>
}

/**
 * What a person reads before confirming a write: exactly what will be sent and what follows from it. All strings are
 * plain text, possibly from outside; they are escaped where they are shown. Values of secret fields are masked.
 */
export interface Review {
  /** What happens, in one sentence: "Add an A record www to DNS zone shop (4711)". */
  readonly sentence: string
  readonly request: readonly (readonly [label: string, value: string])[]
  /** What was filled in, changed or left to the platform on the way: "Transcribing is turned on, because …". */
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
  readonly costs: readonly string[]
  /** What follows from it as a rule, and can be undone, though not by CDN Ops. */
  readonly follows?: readonly string[]
  /** What cannot be undone at all. */
  readonly irreversible: readonly string[]
  /** Where the result can be seen in the platform's panel, when its address is configured. */
  readonly panel: URL | undefined
}

export function auditEntry(
  event: AuditEvent,
  operation: string,
  summary: string,
  { actor, now }: Pick<OperationContext, 'actor' | 'now'>,
): AuditEntry {
  return { at: now, actor: actor.id, team: actor.team, operation, event, summary }
}
