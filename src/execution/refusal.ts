import { context, section } from '../block-kit/sections.ts'
import { joinMd, md, mention } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import type { Actor, Decision } from '../operations/role.ts'

/** Naming everybody would tell everybody: Slack notifies whom a message mentions. */
const MAX_NAMED_ADMINS = 5

/** Why somebody may not do something, that nothing was done, and who can help. */
export function refusal(decision: Decision, actor: Actor, admins: ReadonlySet<string>): Message {
  const happened =
    decision.kind === 'approve'
      ? 'This may be billed or cannot be undone, so your role cannot start it alone. Nothing was done.'
      : `${decision.reason} Nothing was done.`
  const why =
    actor.role === 'none'
      ? `You are ${actor.id}: ${actor.roleSource}.`
      : `Your role is ${actor.role}: ${actor.roleSource}.`
  const helper = decision.kind === 'approve' ? 'An admin may do it' : 'An admin can help'
  return message({
    text: `${happened} ${why} ${admins.size === 0 ? 'No admin is configured.' : `${helper}.`}`,
    blocks: [
      section(md`:no_entry: ${happened}`),
      context(
        md`${why}`,
        admins.size === 0 ? md`No admin is configured: set ADMINS.` : md`${helper}: ${mentions(admins)}`,
      ),
    ],
  })
}

function mentions(admins: ReadonlySet<string>): ReturnType<typeof md> {
  const named = [...admins].slice(0, MAX_NAMED_ADMINS).map((id) => mention(id))
  const rest = admins.size - named.length
  return md`${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
