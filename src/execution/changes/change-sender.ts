import type { MessagePlace } from '../../delivery/notifier.ts'
import { type Message, withBlocks } from '../../block-kit/message.ts'
import { md, type Mrkdwn, utcText } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import type { Answer } from '../../operations/declaration/answer.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import { holdsSecret } from '../../operations/declaration/define-operation.ts'
import type { OperationContext } from '../../operations/declaration/operation.ts'
import type { Clock } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import { shortId } from '../../shared/short-id.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import type { Change } from '../../store/schema/change.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import { withButtons } from '../requests/answer-buttons.ts'
import { invocationEntry } from '../messages/audit-text.ts'
import { type ChangeAnnouncer, POSTED_WITHIN_MS } from './change-announcer.ts'
import { createEndNotice, endUnsent, LATE, noteLate, unknownNotices, whatToLookFor } from './change-ending.ts'
import { endedMessage, wordEnding, explainAndLog, failure } from '../messages/error-messages.ts'
import type { WithInputs, CreateOperationContext } from '../requests/parts.ts'
import { type Outcome, classifyFailure } from '../messages/write-outcome.ts'
import { CHANGED, recheck, type Rechecked, type Stopped } from './recheck.ts'

type SenderParts = WithInputs & { readonly announcer: ChangeAnnouncer; readonly createContext: CreateOperationContext }

/** A call that is answered sooner shows its end at once; for a longer one its message says meanwhile that it is being sent. */
const SLOW_MS = 2_000

/** Sends what was confirmed or approved: once, on record before and after, and with an honest word when nobody knows how it ended. */
export class ChangeSender {
  readonly #options: SenderParts

  constructor(options: SenderParts) {
    this.#options = options
  }

  /** Sends an approved change, once, and says how it ended; the message about it follows. Never throws. */
  async send(change: Change): Promise<Ended> {
    const { inFlight, announcer } = this.#options
    let ended: Unannounced
    try {
      ended = await inFlight.run(`change:${change.id}`, () => this.#send(change))
    } catch (error) {
      // Refused at the door, since what is inside never throws.
      ended = keepForLater(this.#options, change, error, 'CDN Ops is being restarted, or has all it can work on.')
    }
    return { ...ended, announced: announcer.announce(change.id, POSTED_WITHIN_MS) }
  }

  async #send(change: Change): Promise<Unannounced> {
    const { clock, announcer, leaseMs, createContext, policy } = this.#options
    const { version } = policy()
    let now: Rechecked | Stopped
    try {
      now = await recheck(this.#options, change)
    } catch (error) {
      const why = 'At this moment nobody can say who may do what, or the audit log does not answer.'
      return keepForLater(this.#options, change, error, why)
    }
    let running: OperationContext
    let sending: Change
    let isOver: () => boolean
    try {
      now = assertAllowed(now)
      running = await createContext(now.requester, { channelId: change.channelId, changeId: change.id })
      // From before the lease begins, so that it is over here before it is for anybody else.
      isOver = timeLimit(clock, leaseMs)
      sending = await this.#startSending(change, now)
    } catch (error) {
      return endNotSent(this.#options, change, error)
    }
    let present: () => Answer
    try {
      // Nothing else stands between this and the call: what failed there would look like a call without an answer.
      if (isOver())
        throw new UserError(
          'expired',
          'CDN Ops stood still for too long just before this was to be sent. It may have been given up meanwhile, so it was not sent.',
          'Ask again if it is still wanted, and was not asked for anew.',
        )
      // Looking up people and writing down take a while, in which the rules may have been read anew.
      if (policy().version !== version)
        throw new UserError('expired', `${CHANGED} It was not sent.`, 'Ask again if it is still wanted.')
      const call = now.invocation.perform(running)
      const isSlow = clock.after(SLOW_MS, () => void announcer.announce(change.id))
      present = await call.finally(() => isSlow.cancel())
    } catch (error) {
      return this.#endedWithout(sending, now, classifyFailure(error), error)
    }
    let answer: Answer
    try {
      answer = present()
    } catch (error) {
      return this.#endedWithout(sending, now, 'done', error)
    }
    return this.#answered(sending, now, answer)
  }

  /** The one way to the call: from `approved`, with its entry in the record. Throws UserError when somebody was faster. */
  async #startSending(change: Change, { invocation, requester: actor }: Rechecked): Promise<Change> {
    const { store, clock, holder, leaseMs: durationMs } = this.#options
    const now = clock.now()
    const audit = invocationEntry({ actor, invocation, event: 'sending', now, changeId: change.id })
    const lease = { holder, durationMs }
    const sending = await store.changes.move(change.id, { from: ['approved'], to: 'sending', lease, now, audit })
    if (sending !== undefined) return sending
    throw new UserError('expired', 'This was answered already, or it waited too long. Nothing was sent.', 'Ask again.')
  }

  async #answered(change: Change, now: Rechecked, answer: Answer): Promise<Unannounced> {
    const place = { invocation: now.invocation, actor: now.requester, channelId: change.channelId }
    const shown = await withButtons(answer, place, this.#options)
    const { sentence } = now.invocation
    return this.#recorded(change, now, { outcome: 'done', sentence, shown }, answer.message)
  }

  async #endedWithout(change: Change, now: Rechecked, outcome: Outcome, error: unknown): Promise<Unannounced> {
    const { clock, log } = this.#options
    const { sentence, review, operation, values } = now.invocation
    const words = wordEnding(error, () => clock.newId().slice(0, 8), holdsSecret(operation.fields, values))
    if (words.incident !== undefined) {
      log.error({ err: error, incident: words.incident, operation: operation.name }, 'a bug while sending')
    }
    // A redirect is not followed. Its address is configured wrongly.
    if (error instanceof CdnError && error.failure.kind === 'rejected' && error.failure.status < 400)
      log.error({ operation: operation.name }, 'the CDN redirects: CDN_API_URL is not its address')
    const lookFor = whatToLookFor(now.invocation, change)
    const shown = endedMessage({ ...words, sentence, outcome, lookFor, panel: review?.panel })
    return this.#recorded(change, now, { outcome, sentence: words.happened, shown }, shown)
  }

  /**
   * Puts the end of a change that was being sent on record, and masks secret values. When that fails the change stays
   * `sending` until its lease is over, and is unknown then; the person is told so now. Never throws.
   */
  async #recorded(change: Change, now: Rechecked, end: End, said: Message): Promise<Unannounced> {
    const { log, count } = this.#options
    const { outcome } = end
    count(now.invocation.operation.name, outcome)
    const told = (ended: Change, note?: Mrkdwn): Unannounced => {
      return { change: ended, outcome, viewed: note === undefined ? said : withBlocks(said, context(note)) }
    }
    try {
      const ended = await this.#move(change, now, end, 'sending', outcome)
      if (ended !== undefined || outcome === 'unknown') return told(ended ?? change)
      const settled = await this.#move(change, now, end, 'unknown', LATE[outcome])
      if (settled !== undefined) return told(settled)
      const late = await noteLate(this.#options, change, now, { ...end, outcome })
      if (late !== undefined) return told(late.change, late.note)
      log.error({ change: change.id, outcome }, 'a change ended that was not being sent any more')
    } catch (error) {
      log.error({ err: error, change: change.id, outcome }, 'the end of a change could not be recorded')
    }
    return told(change, UNRECORDED)
  }

  async #move(
    change: Change,
    { invocation, requester: actor, approvers }: Rechecked,
    { sentence, shown }: End,
    from: 'sending' | 'unknown',
    to: Outcome | 'not_done',
  ): Promise<Change | undefined> {
    const { store, clock, command } = this.#options
    const now = clock.now()
    const audit = invocationEntry({ actor, invocation, event: to, now, changeId: change.id, detail: sentence })
    const outcome = audit.detail ?? sentence
    const set = { values: invocation.maskedValues, outcome, answer: shown }
    const lookFor = to === 'unknown' ? whatToLookFor(invocation, change) : undefined
    // Whoever waited for others is at no prompt any more; whoever was told that nobody knows waits for this.
    const mustHear = approvers.length > 0 || from === 'unknown'
    const notices = [
      ...(mustHear ? [createEndNotice(command, change, to, { outcome, lookFor })] : []),
      ...(lookFor === undefined ? [] : unknownNotices(this.#options, change, { outcome, lookFor })),
    ]
    return store.changes.move(change.id, { from: [from], to, set, now, audit, notices })
  }
}

/** The last look before the call: what was approved is what runs, and those who approved it still may. */
function assertAllowed(now: Rechecked | Stopped): Rechecked {
  if ('stopped' in now) throw new UserError('expired', `${now.stopped} Nothing was sent.`, 'Ask again.')
  if (now.open.length === 0) return now
  throw new UserError('expired', 'It has not the approvals it takes, as roles are now. Nothing was sent.', 'Ask again.')
}

/** Whether this time is over since now. One clock may stand still while the machine sleeps, the other may be set: the later counts. */
function timeLimit(clock: Clock, limitMs: number): () => boolean {
  const startMs = clock.monotonicMs()
  const startAt = clock.now().getTime()
  return () => Math.max(clock.monotonicMs() - startMs, clock.now().getTime() - startAt) >= limitMs
}

/** What is said when nothing is against a change but this moment: it was promised, so it is kept, and sent in its time. */
function keepForLater(
  options: SenderParts,
  change: Change,
  error: unknown,
  why = error instanceof StoreError ? 'The audit log cannot be used now.' : 'A fault of CDN Ops hinders it.',
): Unannounced {
  const { count, log, command } = options
  count(change.operation, 'later')
  log.warn({ err: error, change: change.id }, 'an approved change could not be sent now: it is kept')
  if (error instanceof StoreError && error.kind === 'unanswered') return { change, outcome: 'later', viewed: HALF_WAY }
  const happened = `${why} It stays approved, and nothing was sent yet.`
  const until = utcText(change.expiresAt)
  const next = `CDN Ops sends it by itself when it can, until ${until}. To stop it: ${command} changes cancel ${shortId(change.id)}`
  return { change, outcome: 'later', viewed: failure(happened, next) }
}

/**
 * Ends an approved change that was not sent, and says why: it may not be any more, or somebody was faster. It is kept
 * where the record could not be written.
 */
async function endNotSent(options: SenderParts, change: Change, error: unknown): Promise<Unannounced> {
  const { count, log, store, command } = options
  if (!(error instanceof UserError)) return keepForLater(options, change, error)
  const why = error.message
  count(change.operation, 'not_sent')
  try {
    const ended = await endUnsent(options, { id: change.id, by: PROGRAM, from: ['approved'], to: 'cancelled', why })
    if (ended !== undefined) return notSent(ended, explainAndLog(error, change.operation, options))
    const found = (await store.changes.get(change.id)) ?? change
    const said = `Somebody or something was faster: this is ${found.state.replace('_', ' ')} now. Nothing was sent twice.`
    return notSent(found, failure(said, `See ${command} changes show ${shortId(change.id)}.`))
  } catch (failed) {
    // It stays approved until its time is over; nothing but another attempt of this kind could send it.
    log.error({ err: failed, change: change.id }, 'a change that was not sent could not be ended')
    return notSent(change, explainAndLog(error, change.operation, options))
  }
}

function notSent(change: Change, viewed: Message): Unannounced {
  return { change, outcome: 'not_sent', viewed }
}

/** The step to `sending` may be on record; then nobody takes it, and it is called unknown later. */
const HALF_WAY = failure(
  'The database did not answer, and nothing was sent yet.',
  'CDN Ops sends it by itself if it is still approved; else it is listed as unknown, though it was not sent.',
)

export interface Ended {
  readonly change: Change
  /** `later`: nothing hinders it but this moment, so it stays approved and is sent by itself. */
  readonly outcome: Outcome | 'later'
  /** For whoever is at the prompt. */
  readonly viewed: Message
  /** Where the message about it stands once it says how it ended; undefined when Slack did not take it yet. */
  readonly announced: Promise<MessagePlace | undefined>
}

/** The same while the message about it does not say so yet. */
type Unannounced = Omit<Ended, 'announced'>

interface End {
  readonly outcome: Outcome
  readonly sentence: string
  readonly shown: Message
}

const UNRECORDED = md`This end could not be written into the audit log. Once that can be written, the change is listed as unknown: say then how it ended. Tell whoever runs CDN Ops.`
