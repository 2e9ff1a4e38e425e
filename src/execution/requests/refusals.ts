import { type Message, message } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import type { Invocation } from '../../operations/declaration/operation.ts'
import { adminsNamed, canAsk, sentenceStart, whomToAsk } from '../../operations/declaration/prompt-words.ts'
import type { Actor, Decision } from '../../operations/declaration/role.ts'
import type { AuditEntry } from '../../store/schema/audit-entry.ts'
import { auditEntry } from '../messages/audit-text.ts'
import { accessButton } from '../messages/explain.ts'
import type { Parts } from './parts.ts'

export type RefusalOptions = Pick<Parts, 'store' | 'clock' | 'log' | 'people' | 'count'>

/** Puts on record that somebody may not do something, as far as the record can be written, and words it for them. */
export async function refuse(
  options: RefusalOptions,
  invocation: Pick<Invocation, 'operation' | 'sentence'>,
  decision: Decision,
  actor: Actor,
): Promise<Message> {
  const { store, clock, people } = options
  const entry = auditEntry({ actor, invocation, event: 'denied', now: clock.now(), detail: decision.reason })
  // Whoever has no role can ask as often as they like.
  await recordRefusal(options, entry, actor.role === 'none' ? store.refusals : store.audit)
  return refusal(decision, actor, people.admins(), invocation.operation.name)
}

/** Counts a refusal and puts it on record. Never throws: refusing needs no record to be right. */
export async function recordRefusal(
  { store, log, count }: Pick<Parts, 'store' | 'log' | 'count'>,
  entry: AuditEntry,
  kept: { append(entry: AuditEntry): Promise<unknown> } = store.audit,
): Promise<void> {
  count(entry.operation, 'denied')
  try {
    await kept.append(entry)
  } catch (error) {
    log.error({ err: error, operation: entry.operation }, 'a refusal could not be recorded')
  }
}

/** Why somebody may not do something, that nothing was done, and who can help: an admin, who can be asked by a button. */
export function refusal(decision: Decision, actor: Actor, admins: readonly string[], operation: string): Message {
  const happened =
    decision.kind === 'approve'
      ? 'This costs money, so you cannot start it alone. Nothing was done.'
      : `${decision.reason} Nothing was done.`
  const why = actor.barred === true ? actor.roleSource : actor.unsure
  const help =
    actor.barred === true || admins.length === 0
      ? whomToAsk({ actor, admins })
      : md`${decision.kind === 'approve' ? 'An admin may do it' : 'An admin can help'}: ${adminsNamed(admins)}`
  return message({
    text: happened,
    blocks: [
      section(md`:no_entry: ${happened}`),
      context(help, ...(why === undefined ? [] : [md`${sentenceStart(why)}`])),
      ...(canAsk(actor, decision, admins) ? [accessButton(operation)] : []),
    ],
  })
}
