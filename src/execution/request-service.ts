import type { Message } from '../block-kit/message.ts'
import { type Answer, type AnswerButton, type AnswerFile, pageButton } from '../operations/declaration/answer.ts'
import type { NamedZone } from '../operations/declaration/field.ts'
import type { Invocation, Issue, Operation, OperationContext } from '../operations/declaration/operation.ts'
import { type Actor, writesToBot } from '../operations/declaration/role.ts'
import { UserError } from '../shared/errors.ts'
import { TtlMap } from '../shared/ttl-map.ts'
import { DAY_MS } from '../shared/durations.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Once } from '../store/outbox/idempotency-keys.ts'
import type { Change } from '../store/schema/change.ts'
import type { ChangeService, ReviewPrompt } from './changes/change-service.ts'
import { invocationEntry } from './messages/audit-text.ts'
import { explainAndLog, isPassing } from './messages/error-messages.ts'
import { decideInvocation, decideOperation } from './policy/policy.ts'
import { withButtons } from './requests/answer-buttons.ts'
import type { WithInputs, CreateOperationContext } from './requests/parts.ts'
import { refuse } from './requests/refusals.ts'

/** Longer than any read may take: a day file has 10 minutes, waiting for its slot included. */
const READ_LIMIT_MS = 11 * 60_000
/** Somebody who sees nothing for longer wonders whether they were heard. Conversations speak from then on. */
const FIRST_WORD_MS = 2_000
const OFFERED = { lifeMs: 7 * DAY_MS, most: 1_000 }

export interface Request {
  readonly operation: Operation
  readonly values: RawValues
  /** What could not be taken up of a typed text, as sentences. */
  readonly problems?: readonly string[]
  /** Whether they want the form, even where nothing is missing. */
  readonly wantsForm?: boolean
  readonly actor: Actor
  /** Where the answer is shown, and which rules of the policy hold; undefined outside of any channel. */
  readonly channelId: string | undefined
  /** With it, a write to the bot has its effect once, however often Slack sends the delivery. */
  readonly once?: Once | undefined
  /**
   * Called before anything is done but a write that `once` guards: acknowledges the delivery. False for a repetition of what
   * has been answered already.
   */
  readonly accept?: (() => Promise<boolean>) | undefined
  /** Told how far long work has come, plain text. */
  readonly progress: (sentence: string) => void
}

export type Result =
  | {
      readonly kind: 'answered'
      readonly message: Message
      readonly audience: Operation['audience']
      readonly file: AnswerFile | undefined
    }
  /** They may not, which is on record; or it failed. The message says so, and that nothing was changed. */
  | { readonly kind: 'denied' | 'failed'; readonly message: Message }
  /** It has to be reviewed before it is sent: `begin` makes the change and binds it to what the review shows. */
  | { readonly kind: 'review'; readonly begin: () => Promise<ReviewPrompt> }
  /** Something is missing or wrong, or they want the form: `begin` makes the draft that the form fills in. */
  | { readonly kind: 'form'; readonly issues: readonly Issue[]; readonly begin: () => Promise<Draft> }
  /** The same for an operation without a form. */
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  /** It was answered before, so nothing was done. */
  | { readonly kind: 'repeated' }

export interface Draft {
  readonly change: Change
  readonly zones: readonly NamedZone[]
}

type RequestParts = WithInputs & { readonly changes: ChangeService; readonly createContext: CreateOperationContext }

/** Takes what somebody asks for to its answer, or to the form or review that it needs first. */
export class RequestService {
  readonly #options: RequestParts

  /** To whom a name for which zone was offered. */
  readonly #offered: TtlMap<true>

  constructor(options: RequestParts) {
    this.#options = options
    this.#offered = new TtlMap(options.clock, OFFERED)
  }

  /** Whoever lacks the right hears that first, before they fill in a form for nothing. Throws StoreError. */
  async handle(request: Request): Promise<Result> {
    const { inputs, policy, changes } = this.#options
    const { operation, values, problems = [], wantsForm = false, actor, channelId, once } = request
    const parsed = operation.parse(values, await inputs.check(actor, request))
    const inGeneral = decideOperation(policy(), actor, operation, channelId)
    const isComplete = parsed.ok && problems.length === 0 && !(wantsForm && operation.form !== undefined)
    const invocation = isComplete && inGeneral.kind !== 'deny' ? parsed.invocation : undefined
    const decision = invocation === undefined ? inGeneral : decideInvocation(policy(), actor, invocation, channelId)
    const isGuarded =
      once !== undefined && invocation !== undefined && decision.kind === 'run' && writesToBot(invocation.effect)
    if (!isGuarded && request.accept !== undefined && !(await request.accept())) return { kind: 'repeated' }
    if (decision.kind === 'deny') {
      const asked = parsed.ok ? parsed.invocation : { operation, sentence: `${operation.name}, not filled in` }
      return { kind: 'denied', message: await refuse(this.#options, asked, decision, actor) }
    }
    if (invocation === undefined) {
      const issues = [
        ...problems.map((problem) => ({ field: undefined, problem })),
        ...(parsed.ok ? [] : parsed.issues),
      ]
      if (operation.form === undefined) return { kind: 'invalid', issues }
      return { kind: 'form', issues, begin: () => this.#beginForm(request) }
    }
    if (decision.kind === 'run') return this.#run(invocation, isGuarded ? request : { ...request, once: undefined })
    return {
      kind: 'review',
      begin: async () => changes.review(await changes.begin(operation, values, actor, channelId), values, actor),
    }
  }

  async #beginForm({ operation, values, actor, channelId }: Request): Promise<Draft> {
    const { changes, inputs, createContext } = this.#options
    const context = await createContext(actor, { channelId })
    const given = { ...(await operation.current(context)), ...values }
    const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(operation.fields, name)))
    const [change, zones] = await Promise.all([changes.begin(operation, known, actor, channelId), inputs.zones()])
    return { change, zones }
  }

  /** A read or a write to the bot. Never throws: every failure ends as a message. */
  async #run(invocation: Invocation, request: Request): Promise<Result> {
    const { inFlight, count } = this.#options
    const { operation } = invocation
    const { actor, channelId } = request
    try {
      return await inFlight.run(actor.id, async () => {
        if (invocation.effect === 'sensitive read') await this.#recordSensitiveRead(invocation, actor)
        const answer = await this.#answer(invocation, request)
        const message = await withButtons(answer, { invocation, actor, channelId }, this.#options)
        count(operation.name, 'answered')
        return { kind: 'answered', message, audience: answer.audience ?? operation.audience, file: answer.file }
      })
    } catch (error) {
      count(operation.name, 'failed')
      return { kind: 'failed', message: await this.#withWayOn(error, invocation, request) }
    }
  }

  /** What passes can be asked for again as it was, unless it may have had its effect; the rest goes back to its form. */
  async #withWayOn(error: unknown, invocation: Invocation, { actor, channelId }: Request): Promise<Message> {
    const { effect, values, operation } = invocation
    const message = explainAndLog(error, operation.name, this.#options)
    const toForm: AnswerButton = { kind: 'form', label: 'Back to the form', operation: operation.name, values }
    const again = isPassing(error) && !writesToBot(effect) ? [pageButton('Try again', values)] : undefined
    const buttons = again ?? (operation.form === undefined ? [] : [toForm])
    const place = { invocation: { operation: { ...operation, shareable: false }, values }, actor, channelId }
    return withButtons({ message, buttons }, place, this.#options)
  }

  async #answer(invocation: Invocation, { actor, channelId, once, progress: say }: Request): Promise<Answer> {
    const { clock, createContext } = this.#options
    const tooLong = new AbortController()
    const limit = clock.after(READ_LIMIT_MS, () => tooLong.abort())
    // The operation has words of its own, which say more.
    let newest = 'Asking the CDN …'
    const firstWord = clock.after(FIRST_WORD_MS, () => say(newest))
    const progress = (sentence: string): void => {
      newest = sentence
      say(sentence)
    }
    try {
      const context = await createContext(actor, { channelId, once, signal: tooLong.signal, progress })
      return this.#offerName(await invocation.run(context), invocation, context)
    } finally {
      limit.cancel()
      firstWord.cancel()
    }
  }

  /** After the first answer about a zone by its id, whoever may give it a name is offered that. */
  #offerName(
    answer: Answer,
    { zones, operation }: Invocation,
    { actor, catalog, zones: named }: OperationContext,
  ): Answer {
    const [zone, ...others] = zones
    const adding = catalog.find((entry) => entry.operation.name === 'zones add')
    const isNamed = named.some(({ kind, zoneId }) => kind === zone?.kind && zoneId === String(zone.id))
    if (zone === undefined || others.length > 0 || isNamed || adding?.decision.kind !== 'run') return answer
    if (operation.baseEffect !== 'read' || !this.#offered.add(`${actor.id}:${zone.kind}/${zone.id}`, true))
      return answer
    const values = { kind: zone.kind, id: String(zone.id) }
    const offer = { kind: 'form', label: 'Name this zone', operation: 'zones add', values } as const
    return { ...answer, buttons: [...(answer.buttons ?? []), offer] }
  }

  /** On record before it is read, not after: what cannot be put on record is not shown. Throws UserError then. */
  async #recordSensitiveRead(invocation: Invocation, actor: Actor): Promise<void> {
    const { store, clock, log } = this.#options
    try {
      await store.audit.append(invocationEntry({ actor, invocation, event: 'read', now: clock.now() }))
    } catch (error) {
      log.error({ err: error, operation: invocation.operation.name }, 'a sensitive read could not be recorded')
      throw new UserError(
        'store_unavailable',
        'The audit log cannot be written, so nothing was read: API keys are shown only with an entry there.',
        'Tell whoever runs CDN Ops. Plain reads go on.',
      )
    }
  }
}
