import { context, section } from '../block-kit/sections.ts'
import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import type { Actor, Decision } from '../operations/role.ts'
import { adminsNamed, FOR_MEMBERS } from '../operations/prompt-words.ts'

/** Why somebody may not do something, that nothing was done, and who can help. */
export function refusal(decision: Decision, actor: Actor, admins: readonly string[]): Message {
  const happened =
    decision.kind === 'approve'
      ? 'This may be billed or cannot be undone, so your role cannot start it alone. Nothing was done.'
      : `${decision.reason} Nothing was done.`
  const why =
    actor.role === 'none'
      ? `You are ${actor.id}: ${actor.roleSource}.`
      : `Your role is ${actor.role}: ${actor.roleSource}.`
  const { said, shown } = help(decision, actor, admins)
  return message({
    text: `${happened} ${why} ${said}`,
    blocks: [section(md`:no_entry: ${happened}`), context(md`${why}`, shown)],
  })
}

/** Who can do something about it, as text and with names. */
function help(
  { kind }: Decision,
  { barred }: Actor,
  admins: readonly string[],
): { readonly said: string; readonly shown: Mrkdwn } {
  if (barred === true) return { said: FOR_MEMBERS, shown: md`${FOR_MEMBERS}` }
  if (admins.length === 0) return { said: 'No admin is configured.', shown: md`No admin is configured: set ADMINS.` }
  const helper = kind === 'approve' ? 'An admin may do it' : 'An admin can help'
  return { said: `${helper}.`, shown: md`${helper}: ${adminsNamed(admins)}` }
}
