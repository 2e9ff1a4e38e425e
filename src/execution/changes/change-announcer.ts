import { type MessagePlace, NotDelivered } from '../../delivery/notifier.ts'
import { type Message, withBlocks } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import type { Quorum } from '../../operations/declaration/role.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { lookFor } from '../../shared/clock.ts'
import { type Change, isFinal } from '../../store/schema/change.ts'
import { shortage } from '../policy/approvers.ts'
import { type CardFacts, cardOf } from '../messages/change-card.ts'
import type { WithInputs } from '../requests/parts.ts'
import type { People } from '../policy/people.ts'
import { countsFor } from '../policy/quorum.ts'
import { recheck } from './recheck.ts'

/** How long whoever tells a person where a message stands waits for another process to post it. */
export const POSTED_WITHIN_MS = 10_000
/** A change moves a few times while one message is on its way; more than this is left to the next round. */
const MAX_TURNS = 6
const MAX_IN_A_ROUND = 50
const MAX_RETRY_AFTER_MS = 60_000

type Posted = MessagePlace | 'another process shows it'

/**
 * Keeps the one message about each change true: whenever a change has moved on from what its message shows, the message
 * is edited, or posted if there is none. What a message shows is noted in the store, so no crash loses news.
 */
export class ChangeAnnouncer {
  readonly #options: WithInputs
  /** One after the other for each change: two at once would post two messages. */
  readonly #turns = new Map<string, Promise<Posted | undefined>>()
  /** What the messages about waiting changes say of approvals, by change; empty in a new process, which draws them anew. */
  readonly #fingerprints = new Map<string, string>()
  /** When Slack takes messages again, by the monotonic clock, where it has said so: a try before would be one too many. */
  #restsUntilMs = 0

  constructor(options: WithInputs) {
    this.#options = options
  }

  /**
   * Brings the message about a change up to date, and says where it stands. Where another process shows it at this
   * moment, that is known once it has: `waitMs` says how long to wait for it. Never throws: what fails is tried again later.
   */
  async announce(id: string, waitMs = 0): Promise<MessagePlace | undefined> {
    const shown = await this.#takeTurn(id, false)
    if (shown !== 'another process shows it') return shown
    const { clock, store, log } = this.#options
    const look = async (): Promise<MessagePlace | undefined> => getPlace(await store.changes.get(id))
    return lookFor(clock, waitMs, look).catch((error: unknown) => {
      log.warn({ err: error, change: id }, 'where another process posts the message about a change was not found out')
      return undefined
    })
  }

  /**
   * The messages of all these changes, which wait, where roles or user groups have changed what they say of approvals.
   * Never throws.
   */
  async lookAgain(waiting: readonly Change[]): Promise<void> {
    const ids = new Set(waiting.map(({ id }) => id))
    for (const id of this.#fingerprints.keys()) if (!ids.has(id)) this.#fingerprints.delete(id)
    for (const id of ids) {
      if (this.#isResting) return
      await this.#takeTurn(id, true)
    }
  }

  async #takeTurn(id: string, again: boolean): Promise<Posted | undefined> {
    const before = this.#turns.get(id) ?? Promise.resolve(undefined)
    const turn = before.then(() => this.#inTurn(id, again))
    this.#turns.set(id, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id)
    }
  }

  /**
   * All changes whose message is out of date, after a crash of the bot or an outage of Slack, until the bot stops.
   * Throws StoreError.
   */
  async announceAll(stopping?: AbortSignal): Promise<void> {
    for (const { id } of await this.#options.store.changes.unshown(MAX_IN_A_ROUND)) {
      if (this.#isResting || stopping?.aborted === true) return
      await this.announce(id)
    }
  }

  async #inTurn(id: string, again: boolean): Promise<Posted | undefined> {
    const { clock, log } = this.#options
    try {
      return await this.#options.inFlight.track(() => this.#bringUpToDate(id, again))
    } catch (error) {
      const why = error instanceof NotDelivered ? { reason: error.message } : { err: error }
      log.warn({ ...why, change: id }, 'the message about a change is out of date: it is tried again')
      if (error instanceof NotDelivered && error.retryAfterMs !== undefined)
        this.#restsUntilMs = clock.monotonicMs() + Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS)
      return undefined
    }
  }

  get #isResting(): boolean {
    return this.#options.clock.monotonicMs() < this.#restsUntilMs
  }

  async #bringUpToDate(id: string, again: boolean): Promise<Posted | undefined> {
    const { changes } = this.#options.store
    let place: MessagePlace | undefined
    // Another process showed something newer meanwhile, and this one has just put the older over it.
    let isOvertaken = false
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const change = await changes.get(id)
      if (change === undefined || change.requestedAt === undefined) return place
      place = getPlace(change)
      const isShown = change.shownRevision >= change.revision && !isOvertaken
      if (isShown && !(again && (await this.#isAskingOutdated(change)))) return place
      const facts = change.state === 'waiting' ? await findApprovalFacts(this.#options, change) : NOTHING_ASKED
      // Finding out who may approve takes a while. What has moved on meanwhile is drawn as it is then.
      if (change.state === 'waiting' && (await changes.get(id))?.revision !== change.revision) continue
      const shown = await this.#show(change, place, facts)
      if (shown === 'another process shows it') return place ?? shown
      place = shown
      isOvertaken = !(await changes.shown(id, { revision: change.revision, ...place }))
    }
    return place
  }

  /** False, too, where it is not known who may do what. */
  async #isAskingOutdated(change: Change): Promise<boolean> {
    if (change.state !== 'waiting') return false
    const { fingerprint } = await findApprovalFacts(this.#options, change)
    return fingerprint !== undefined && fingerprint !== this.#fingerprints.get(change.id)
  }

  /** Other processes may come to it at the same moment: one shows it, and the others leave it to that one. */
  async #show(change: Change, place: MessagePlace | undefined, { fingerprint, ...asking }: ApprovalFacts) {
    const { store, command, log } = this.#options
    const giveBack = await store.changes.claimMessage(change.id, change)
    if (giveBack === undefined) return 'another process shows it'
    try {
      const approvals = await store.approvals.of(change.id)
      const card = cardOf({ change, approvals, command, ...asking })
      const shown = (await this.#tryEdit(change, approvals, card, place)) ?? (await this.#post(change, approvals, card))
      if (fingerprint === undefined) this.#fingerprints.delete(change.id)
      else this.#fingerprints.set(change.id, fingerprint)
      return shown
    } catch (error) {
      // Where even this fails, it ends by itself.
      await giveBack().catch(() => undefined)
      // What nobody will ever take of a change that has ended would be tried for as long as that is kept: it is given up.
      if (!(error instanceof NotDelivered && error.final === true && isFinal(change.state))) throw error
      log.error({ change: change.id, reason: error.message }, 'nobody takes the message about a change: it is given up')
      return undefined
    }
  }

  /** Undefined where no edit can succeed any more: what the message would say is said by a new one. */
  async #tryEdit(change: Change, approvals: readonly Approval[], card: Message, place: MessagePlace | undefined) {
    if (place === undefined) return undefined
    const shown = isElsewhere(change, approvals, place) ? withBlocks(card, context(ELSEWHERE)) : card
    try {
      return (await this.#options.notifier.edit(place, shown)) ? place : undefined
    } catch (error) {
      if (error instanceof NotDelivered && error.final !== false) return undefined
      throw error
    }
  }

  /**
   * Where it was asked, for a change that its owner confirms; in the operations channel, where others approve. Where the
   * bot may not write, the next place in line.
   */
  async #post(change: Change, approvals: readonly Approval[], card: Message): Promise<MessagePlace> {
    const asksOthers = change.state === 'waiting' || approvals.length > 0
    const inLine = asksOthers ? [this.#options.opsChannel] : [change.channelId, this.#options.opsChannel]
    const places = [...inLine, change.requestedBy].filter((place) => place !== undefined)
    const why = asksOthers ? OPS_CHANNEL_CLOSED : ELSEWHERE
    let failed: unknown
    for (const [index, recipient] of [...new Set(places)].entries()) {
      try {
        return await this.#options.notifier.post(recipient, index === 0 ? card : withBlocks(card, context(why)))
      } catch (error) {
        if (!(error instanceof NotDelivered && error.final !== false)) throw error
        failed = error
      }
    }
    throw failed
  }
}

function getPlace(change: Change | undefined): MessagePlace | undefined {
  const { messageChannel: channel, messageTs: ts } = change ?? {}
  return channel === undefined || ts === undefined ? undefined : { channel, ts }
}

/** A change that its owner confirmed, told in another channel than the one it was asked in. */
function isElsewhere({ channelId, sentAt }: Change, approvals: readonly Approval[], place: MessagePlace): boolean {
  return sentAt !== undefined && approvals.length === 0 && channelId !== undefined && place.channel !== channelId
}

/** Nobody can be invited to a direct message. */
const ELSEWHERE = md`CDN Ops could not write where this was asked. In a channel it can be invited: with /invite.`
const OPS_CHANNEL_CLOSED = md`CDN Ops could not write in the channel where approvals are asked for: invite it there with /invite.`

/** So many of those who may be eligible are looked at to find whom the message names. */
const MAX_LOOKED_AT = 10
/** Day and night, Slack notifies whom it names. */
const MAX_NAMED = 2

/** What the message about a waiting change says of those who decide, as roles were within the last minute. */
export interface ApprovalFacts extends Pick<
  CardFacts,
  'invocation' | 'quorums' | 'asked' | 'open' | 'lapsed' | 'short'
> {
  /** Differs whenever what is said of approvals does; undefined when that is not known. */
  readonly fingerprint: string | undefined
}

/** What others have to know to decide. Where Slack cannot say who may, the message says what is asked for alone. */
export async function findApprovalFacts(options: WithInputs, change: Change): Promise<ApprovalFacts> {
  const { people, inputs, log } = options
  try {
    const now = await recheck(options, change, { fresh: false })
    if ('stopped' in now) return NOTHING_ASKED
    const { invocation, requester, decision, lapsed, open, isSure } = now
    const { quorums = [] } = decision
    const asked = await findAsked(people, quorums, change)
    const short = requester.unsure === undefined ? await shortage(people, quorums, requester) : undefined
    const fingerprint = isSure ? JSON.stringify([open, lapsed, short]) : undefined
    return { invocation, quorums, asked, open, lapsed, short, fingerprint }
  } catch (error) {
    log.warn({ err: error, change: change.id }, 'who may approve could not be found out')
    return { ...NOTHING_ASKED, invocation: await inputs.readChange(change, 'UTC') }
  }
}

const NOTHING_ASKED: ApprovalFacts = {
  invocation: undefined,
  quorums: [],
  asked: { groups: [], people: [] },
  fingerprint: undefined,
}

/** Of each quorum that names no user group itself: the one that gives somebody who may approve their role, else people. */
async function findAsked(people: People, quorums: readonly Quorum[], change: Change): Promise<CardFacts['asked']> {
  const groups = new Set<string>()
  const named = new Set<string>()
  for (const quorum of quorums.filter((each) => each.groups.length === 0)) {
    const others = (await people.candidates(quorum)).filter((id) => id !== change.requestedBy).slice(0, MAX_LOOKED_AT)
    const eligible = (await Promise.all(others.map((id) => people.actor(id)))).filter((actor) =>
      countsFor(quorum, actor),
    )
    const group = eligible.find(({ roleGroup }) => roleGroup !== undefined)?.roleGroup
    if (group !== undefined) groups.add(group)
    else for (const { id } of eligible) named.add(id)
  }
  return { groups: [...groups].slice(0, MAX_NAMED), people: [...named].slice(0, MAX_NAMED) }
}
