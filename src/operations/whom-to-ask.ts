import { code, joinMd, md, mention, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { OperationContext } from './operation.ts'

/** Naming everybody would tell everybody: Slack notifies whom a message mentions. */
const MAX_NAMED_ADMINS = 5

/** Admins by name, a handful of them. */
export function adminsNamed(admins: readonly string[]): Mrkdwn {
  const named = admins.slice(0, MAX_NAMED_ADMINS).map((id) => mention(id))
  const rest = admins.length - named.length
  return md`${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** For those whom no admin can help to a role. */
export const FOR_MEMBERS = 'Only full members of this workspace can have a role, so nobody can give you one.'

/** For somebody without a role: the id by which they can be given one, and who can see to it; or that nobody can. */
export function whomToAsk({ actor, admins }: Pick<OperationContext, 'actor' | 'admins'>): Mrkdwn {
  if (actor.barred === true) return md`Your Slack id is ${code(actor.id)}. ${FOR_MEMBERS}`
  const whom = admins.length === 0 ? md`whoever runs CDN Ops` : md`an admin: ${adminsNamed(admins)}`
  return md`Your Slack id is ${code(actor.id)}. About a role, ask ${whom}`
}
