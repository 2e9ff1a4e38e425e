import { type Message, wordsMessage } from '../block-kit/message.ts'
import { code, md, mention, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { type Change, isFinal } from '../store/change.ts'
import { auditEntry, isPerson } from './audit-words.ts'
import { noticeOf, unknownNotices } from './change-ending.ts'
import type { Executor } from './executor.ts'
import type { Outcome } from './outcome.ts'
import type { Rechecked } from './recheck.ts'

/** How a call ended, ready to be put on record and shown. */
export interface End {
  readonly outcome: Outcome
  readonly sentence: string
  readonly shown: Message
}

/** The change as the record has it now, and what has to be said beside how it ended. */
interface Recorded {
  readonly change: Change
  readonly notes: readonly Mrkdwn[]
}

/**
 * Puts the end of a change that was being sent on record, and masks secret values. When that fails the change stays
 * `sending`, which the next start calls unknown; the person is told so now. Never throws.
 */
export async function recordEnd(executor: Executor, change: Change, now: Rechecked, end: End): Promise<Recorded> {
  const { log, count } = executor.options
  const { outcome } = end
  count(now.invocation.operation.name, outcome)
  const step = { executor, change, now, end }
  try {
    const ended =
      (await move(step, 'sending', outcome)) ??
      (outcome === 'unknown' ? change : await move(step, 'unknown', LATE[outcome]))
    if (ended !== undefined) return { change: ended, notes: [] }
    const late = outcome === 'unknown' ? undefined : await noteLate(executor, change, now, { ...end, outcome })
    if (late !== undefined) return { change: late.change, notes: [late.note] }
    log.error({ change: change.id, outcome }, 'a change ended that was not being sent any more')
  } catch (error) {
    log.error({ err: error, change: change.id, outcome }, 'the end of a change could not be recorded')
  }
  return { change, notes: [UNRECORDED] }
}

interface Step {
  readonly executor: Executor
  readonly change: Change
  readonly now: Rechecked
  readonly end: End
}

async function move(
  { executor, change, now: { invocation, requester: actor, approvers }, end: { sentence, shown } }: Step,
  from: 'sending' | 'unknown',
  to: Outcome | 'not_done',
): Promise<Change | undefined> {
  const { store, clock } = executor.options
  const now = clock.now()
  const audit = auditEntry({ actor, invocation, event: to, now, changeId: change.id, detail: sentence })
  const outcome = audit.detail ?? sentence
  const set = { values: invocation.maskedValues, outcome, answer: shown }
  const lookFor =
    to === 'unknown' ? (invocation.lookFor ?? `Whether this is there: ${invocation.sentence}.`) : undefined
  // Whoever waited for others is at no prompt any more; whoever was told that nobody knows waits for this.
  const mustHear = approvers.length > 0 || from === 'unknown'
  const notices = [
    ...(mustHear ? [noticeOf(executor, change, to, { outcome, lookFor })] : []),
    ...(lookFor === undefined ? [] : unknownNotices(executor, change, { outcome, lookFor })),
  ]
  return store.changes.move(change.id, { from: [from], to, set, now, audit, notices })
}

/** What an answer means for a change that was given up as unknown meanwhile, its process thought dead. */
const LATE = { done: 'done', rejected: 'not_done', not_sent: 'not_done' } as const

const UNRECORDED = md`This end could not be put on record: after a restart the change is listed as unknown. Tell whoever runs CDN Ops.`

/** How a call ended of which that was not known for a while. */
interface LateEnd {
  readonly outcome: Exclude<Outcome, 'unknown'>
  readonly sentence: string
}

/**
 * Puts on record how a change ended that a person had settled before that was known, and tells whoever asked and who
 * settled it. It stays as it was settled: there is one end. Undefined when no person has settled it. Throws StoreError.
 */
async function noteLate(
  executor: Executor,
  { id }: Change,
  { invocation, requester: actor }: Rechecked,
  { outcome, sentence }: LateEnd,
): Promise<{ readonly change: Change; readonly note: Mrkdwn } | undefined> {
  const { store, clock, command } = executor.options
  const change = await store.changes.get(id)
  if (change === undefined || !isFinal(change.state) || !isPerson(change.endedBy)) return undefined
  const detail = `Known only after ${change.endedBy} had settled it as ${change.state.replace('_', ' ')}: ${sentence}`
  const audit = auditEntry({ actor, invocation, event: outcome, now: clock.now(), changeId: id, detail })
  const told = lateMessage({ change, settledBy: change.endedBy, outcome, command })
  const recipients = new Set([change.requestedBy, change.endedBy])
  const notices = [...recipients].map((recipient) => ({ id: `late-${id}-${recipient}`, recipient, message: told }))
  await store.audit.append(audit, notices)
  return { change, note: noteOf(change, change.endedBy, outcome) }
}

interface LateFacts {
  readonly change: Change
  readonly settledBy: string
  readonly outcome: LateEnd['outcome']
  readonly command: string
}

function lateMessage({ change, settledBy, outcome, command }: LateFacts): Message {
  const { id, sentence = change.operation } = change
  const lines: readonly Mrkdwn[] = [
    md`:warning: *It became known how this ended, after it was settled*\n${sentence}`,
    md`${OUTCOMES[outcome]} ${noteOf(change, settledBy, outcome)}`,
  ]
  const small = md`All about it: ${code(`${command} changes show ${id}`)}`
  return wordsMessage(lines, { small: [small] })
}

/** What stands beside the end itself: what had been settled, and what follows from the two. */
function noteOf({ state }: Change, settledBy: string, outcome: LateEnd['outcome']): Mrkdwn {
  const settled = state === 'done' ? 'happened' : 'did not happen'
  const agrees = (state === 'done') === (outcome === 'done')
  const next = agrees
    ? 'Both say the same.'
    : 'That stands, and the record holds both. Look in the platform which is true before anybody asks again.'
  return md`${mention(settledBy)} had settled before that it ${settled}. ${next}`
}

const OUTCOMES: Readonly<Record<LateEnd['outcome'], string>> = {
  done: 'The platform carried it out.',
  rejected: 'The platform refused it: nothing was changed.',
  not_sent: 'It was not sent.',
}
