import { counted } from '../operations/counted.ts'
import type { Role } from '../operations/role.ts'
import type { KnownGroups } from './group-members.ts'

/** Longer than this Slack must not be silent about its user groups before what rests on them is read-only. */
export const STALE_MS = 10 * 60_000
const MINUTE_MS = 60_000

type Silence = Pick<KnownGroups, 'ageMs' | 'trouble'>

/** Why a role that rests on a user group lets one only read, as sentences. */
export function groupsBarred(role: Role, { ageMs = 0, trouble }: Silence): string {
  const minutes = counted(Math.floor(ageMs / MINUTE_MS), 'minute')
  return (
    `Slack has not said for ${minutes} who is in its user groups, and the role ${role} rests on one here. ` +
    `Until it does, nothing but reading goes. The reason: ${why(trouble)}.`
  )
}

/** That user groups could not be counted at all, and why, as a sentence part. */
export function groupsUnknown({ trouble }: Silence): string {
  return `Slack has not said who is in its user groups: ${why(trouble)}`
}

/** What stands in the way of knowing user groups, with whom to ask where somebody can do something about it. */
function why(trouble: string | undefined): string {
  switch (trouble) {
    case undefined:
      return 'it has not been asked yet'
    case 'missing_scope':
      return 'the Slack app lacks the scope usergroups:read; who manages the app can add it and install it again'
    case 'plan_upgrade_required':
      return 'this workspace’s plan has no user groups; who runs CDN Ops can list people by id instead'
    case 'no_answer':
    case 'http_error':
      return 'it does not answer'
    case 'ratelimited':
      return 'it asks to wait'
    default:
      return `it answers ${trouble}`
  }
}
