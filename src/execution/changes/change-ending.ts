import { type Message, withBlocks, wordsMessage } from '../../block-kit/message.ts'
import { code, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import { findOperation } from '../../operations/declaration/operation-names.ts'
import { maskSecrets } from '../../operations/declaration/define-operation.ts'
import type { Invocation, Operation } from '../../operations/declaration/operation.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { shortId } from '../../shared/short-id.ts'
import type { AuditEvent } from '../../store/schema/audit-entry.ts'
import { type Change, isFinal } from '../../store/schema/change.ts'
import type { NewNotice } from '../../store/outbox/outbox.ts'
import { invocationEntry, changeEntry, isPerson } from '../messages/audit-text.ts'
import { wayOn } from '../messages/change-card.ts'
import type { Parts } from '../requests/parts.ts'
import type { Rechecked } from './recheck.ts'

interface UnsentEnd {
  readonly id: string
  /** Who ends it: a user id, or `PROGRAM`. */
  readonly by: string
  readonly from: readonly ('draft' | 'waiting' | 'approved')[]
  readonly to: Extract<AuditEvent, 'cancelled' | 'denied'>
  readonly why: string
}

/**
 * Ends a change of which nothing was sent, with its entry in the record; its secret values are erased, and whoever
 * asked is told where somebody else ended it. Undefined when it is gone, or not in such a state any more. Throws
 * StoreError.
 */
export async function endUnsent(parts: Parts, { id, by, from, to, why }: UnsentEnd): Promise<Change | undefined> {
  const { store, clock, operations, command } = parts
  const change = await store.changes.get(id)
  if (change === undefined) return undefined
  const now = clock.now()
  const audit = changeEntry({ change, by, event: to, now, detail: why })
  const set = { values: maskEndedValues(change, operations), outcome: audit.detail ?? why, endedBy: by }
  const mustHear = by !== change.requestedBy && (await hasWaited(parts, change))
  const notices = mustHear ? [createEndNotice(command, change, to, set)] : []
  return store.changes.move(id, { from, to, set, now, audit, notices })
}

/** Somebody who confirms alone is at a prompt and sees there what becomes of it; whoever waits for others is told. */
async function hasWaited({ store }: Parts, { id, state }: Change): Promise<boolean> {
  return state === 'waiting' || (state === 'approved' && (await store.approvals.of(id)).length > 0)
}

/**
 * What whoever asked is told of the end in their direct messages, since an edited message tells nobody; under an id that
 * names it: it is told once.
 */
export function createEndNotice(
  command: string,
  { id, requestedBy: recipient, operation, sentence = operation }: Change,
  state: Change['state'],
  { outcome, endedBy, lookFor }: Pick<Change, 'outcome' | 'endedBy'> & { readonly lookFor?: string | undefined },
): NewNotice & { readonly message: Message } {
  const { icon, headline } = STATE_WORDS[state]
  const by = isPerson(endedBy) ? md` (by ${mention(endedBy)})` : md``
  const lines = [
    md`${icon} *${headline}*${by}\n${sentence}`,
    // What went as asked has nothing to add.
    ...(outcome === undefined || outcome === sentence ? [] : [md`${outcome}`]),
    ...(lookFor === undefined ? [] : [md`${lookFor} Then press what you found under its message.`]),
  ]
  const told = wordsMessage(lines, { small: [md`${code(`${command} changes show ${shortId(id)}`)}`] })
  return { id: `end-${id}-${state}`, recipient, message: withBlocks(told, ...wayOn({ id, state })) }
}

/** What to look for where nobody knows whether it happened; without an invocation, the sentence that was asked for. */
export function whatToLookFor(
  invocation: Pick<Invocation, 'lookFor'> | undefined,
  { sentence, operation }: Change,
): string {
  return invocation?.lookFor ?? `Look for it: ${sentence ?? operation}.`
}

/**
 * What the operations channel is told of a change that has become unknown: what nobody knows has to be seen. Nothing
 * where its message stands there anyway, or where there is no such channel.
 */
export function unknownNotices(
  { command, opsChannel }: Pick<Parts, 'command' | 'opsChannel'>,
  { id, requestedBy, messageChannel, channelId, sentence, operation }: Change,
  { outcome, lookFor }: Readonly<Record<'outcome' | 'lookFor', string>>,
): readonly (NewNotice & { readonly message: Message })[] {
  if (opsChannel === undefined || (messageChannel ?? channelId) === opsChannel) return []
  const { icon, headline } = STATE_WORDS.unknown
  const lines = [
    md`${icon} *${headline}*\n${sentence ?? operation}`,
    md`${outcome}`,
    md`${lookFor} Then say what you found: ${code(`${command} changes settle ${shortId(id)} happened`)} or ${code('not-happened')}.`,
  ]
  const place = md`Asked by ${mention(requestedBy)}; its message stands where it was asked.`
  const told = wordsMessage(lines, { small: [place, md`${code(`${command} changes show ${shortId(id)}`)}`] })
  return [{ id: `unknown-${id}`, recipient: opsChannel, message: told }]
}

/**
 * The values of a change once it has ended, secret ones masked. An operation that no longer exists cannot say what was
 * secret, so nothing of it is kept.
 */
export function maskEndedValues({ operation: name, values }: Change, operations: readonly Operation[]): RawValues {
  const operation = findOperation(operations, name)
  return operation === undefined ? {} : maskSecrets(operation.fields, values)
}

/** For every admin, that somebody went without the approval that the policy asks for, and why. */
export function breakGlassNotices(change: Change, admins: readonly string[], command: string): readonly NewNotice[] {
  const { id, requestedBy, sentence, operation, breakGlass = '' } = change
  const what = md`:rotating_light: ${mention(requestedBy)} confirmed alone what takes an approval: ${sentence ?? operation}.`
  const why = md`*Reason given:* ${breakGlass}`
  const small = md`${code(`${command} changes show ${shortId(id)}`)}`
  const told = wordsMessage([what, why], { small: [small] })
  return admins
    .filter((admin) => admin !== requestedBy)
    .map((admin) => ({ id: `break-glass-${id}-${admin}`, recipient: admin, message: told }))
}

/** What an answer means for a change that was given up as unknown meanwhile, its process thought dead. */
export const LATE = { done: 'done', rejected: 'not_done', not_sent: 'not_done' } as const

type LateOutcome = keyof typeof LATE

/**
 * Puts on record how a change ended that a person had settled before that was known, and tells whoever asked and who
 * settled it. It stays as it was settled: there is one end. Undefined when no person has settled it. Throws StoreError.
 */
export async function noteLate(
  { store, clock, command }: Parts,
  { id }: Change,
  { invocation, requester: actor }: Rechecked,
  { outcome, sentence }: { readonly outcome: LateOutcome; readonly sentence: string },
): Promise<{ readonly change: Change; readonly note: Mrkdwn } | undefined> {
  const change = await store.changes.get(id)
  if (change === undefined || !isFinal(change.state) || !isPerson(change.endedBy)) return undefined
  const detail = `Known only after ${change.endedBy} had settled it as ${change.state.replace('_', ' ')}: ${sentence}`
  const audit = invocationEntry({ actor, invocation, event: outcome, now: clock.now(), changeId: id, detail })
  const note = wordLateEnd(change, change.endedBy, outcome)
  const title = md`:warning: *It became known how this ended, after it was settled*\n${change.sentence ?? change.operation}`
  const small = [md`${code(`${command} changes show ${shortId(id)}`)}`]
  const told = wordsMessage([title, md`*${STATE_WORDS[outcome].headline}*. ${note}`], { small })
  const recipients = new Set([change.requestedBy, change.endedBy])
  const notices = [...recipients].map((recipient) => ({ id: `late-${id}-${recipient}`, recipient, message: told }))
  await store.audit.append(audit, notices)
  return { change, note }
}

/** What stands beside the end itself: what had been settled, and what follows from the two. */
function wordLateEnd({ state }: Change, settledBy: string, outcome: LateOutcome): Mrkdwn {
  const settled = state === 'done' ? 'happened' : 'did not happen'
  const agrees = (state === 'done') === (outcome === 'done')
  const next = agrees
    ? 'Both say the same.'
    : 'That stands, and the audit log has both. Check in the CDN’s panel which is true before anybody asks again.'
  return md`${mention(settledBy)} had settled before that it ${settled}. ${next}`
}
