import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { code, md, mention, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { CatalogEntry } from '../../operations/declaration/operation.ts'
import { adminsNamed, canAsk, ROLE_WORDS, whomToAsk } from '../../operations/declaration/prompt-words.ts'
import type { Actor, Role } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import { auditEntry } from '../messages/audit-text.ts'
import type { Parts } from './parts.ts'

/** An operation, with what they get for it now. */
interface Asking extends CatalogEntry {
  readonly actor: Actor
  readonly notAfterMs: number
}

/**
 * Tells all admins what somebody wanted and may not: once in two days for each person and operation, on record with it.
 * Throws StoreError, and UserError `busy` when it could not be committed in time; then nobody is told.
 */
export async function askForAccess(
  { store, clock, people }: Pick<Parts, 'store' | 'clock' | 'people'>,
  { actor, operation, decision, notAfterMs }: Asking,
): Promise<Message> {
  const admins = people.admins().filter((admin) => admin !== actor.id)
  const { neededRole = 'none' } = decision
  if (decision.kind !== 'deny') return wordsMessage([md`You can use *${operation.name}* now.`])
  if (!canAsk(actor, decision, admins)) return wordsMessage([whomToAsk({ actor, admins })])
  const key = `access:${actor.team}:${actor.id}:${operation.name}`
  const invocation = { operation, sentence: `Asked the admins for access to ${operation.name}` }
  const entry = auditEntry({ actor, invocation, event: 'access_asked', now: clock.now() })
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
