import { type Message, message, wordsMessage } from '../../block-kit/message.ts'
import { code, md, mention, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import type { CatalogEntry, Invocation } from '../../operations/declaration/operation.ts'
import { adminsNamed, canAsk, ROLE_WORDS, sentenceStart, whomToAsk } from '../../operations/declaration/prompt-words.ts'
import type { Actor, Decision, Role } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { AuditEntry } from '../../store/schema/audit-entry.ts'
import { invocationEntry } from '../messages/audit-text.ts'
import { accessButton } from '../messages/error-messages.ts'
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
  const entry = invocationEntry({ actor, invocation, event: 'denied', now: clock.now(), detail: decision.reason })
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
  const happened = `${decision.reason} Nothing was done.`
  const why = actor.barred === true ? actor.roleSource : actor.unsure
  const help =
    actor.barred === true || admins.length === 0
      ? whomToAsk({ actor, admins })
      : md`An admin can help: ${adminsNamed(admins)}`
  return message({
    text: happened,
    blocks: [
      section(md`:no_entry: ${happened}`),
      context(help, ...(why === undefined ? [] : [md`${sentenceStart(why)}`])),
      ...(canAsk(actor, decision, admins) ? [accessButton(operation)] : []),
    ],
  })
}

/**
 * Tells all admins what somebody wanted and may not: once in two days for each person and operation, on record with it.
 * Throws StoreError, and UserError `busy` when it could not be committed in time; then nobody is told.
 */
export async function askForAccess(
  { store, clock, people }: Pick<Parts, 'store' | 'clock' | 'people'>,
  { actor, operation, decision, notAfterMs }: CatalogEntry & { readonly actor: Actor; readonly notAfterMs: number },
): Promise<Message> {
  const admins = people.admins().filter((admin) => admin !== actor.id)
  const { neededRole = 'none' } = decision
  if (decision.kind !== 'deny') return wordsMessage([md`You can use *${operation.name}* now.`])
  if (!canAsk(actor, decision, admins)) return wordsMessage([whomToAsk({ actor, admins })])
  const key = `access:${actor.team}:${actor.id}:${operation.name}`
  const invocation = { operation, sentence: `Asked the admins for access to ${operation.name}` }
  const entry = invocationEntry({ actor, invocation, event: 'access_asked', now: clock.now() })
  const wanted = md`${mention(actor.id)} asks for access to *${operation.name}*, which takes ${ROLE_WORDS[neededRole]}. They ${actor.role === 'none' ? 'have no role' : `are ${ROLE_WORDS[actor.role]}`}.`
  const told = wordsMessage([wanted], { small: [wayToGrant(neededRole, actor, people.groupsWith(neededRole))] })
  const notices = admins.map((recipient) => ({ id: `${clock.newId()}-access`, recipient, message: told }))
  try {
    await store.audit.append(entry, notices, { key, notAfterMs })
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'repeated')) throw error
    return wordsMessage([md`The admins know already: ${adminsNamed(admins)}`])
  }
  return wordsMessage([md`Asked ${adminsNamed(admins)}: they see that you wanted *${operation.name}*.`])
}

/** Nobody gives a role by a command: it is for whoever has the group, or the settings. */
function wayToGrant(role: Role, { id }: Actor, [group]: readonly string[]): Mrkdwn {
  const setting = code(`${role.toUpperCase()}S=…,${id}`)
  const file = md`${code(id)} to ${code(`roles.${role}.users`)} in the configuration file`
  return group === undefined
    ? md`To grant it, write ${setting} in the settings, or add ${file}.`
    : md`To grant it, put them into ${mentionGroup(group)}, write ${setting} in the settings, or add ${file}.`
}
