import { context, section } from '../block-kit/sections.ts'
import { code, md, mention, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import { type Change, isFinal } from '../store/change.ts'
import { auditEntry, isPerson } from './audit-words.ts'
import type { Executor } from './executor.ts'
import type { Outcome } from './outcome.ts'
import type { Rechecked } from './recheck.ts'

/** How a call ended of which that was not known for a while. */
export interface LateEnd {
  readonly outcome: Exclude<Outcome, 'unknown'>
  readonly sentence: string
}

/**
 * Puts on record how a change ended that a person had settled before that was known, and tells whoever asked and who
 * settled it. It stays as it was settled: there is one end. Undefined when no person has settled it. Throws StoreError.
 */
export async function noteLate(
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
  return message({
    text: [...lines, small].map(plainOf).join(' '),
    blocks: [...lines.map((line) => section(line)), context(small)],
  })
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
