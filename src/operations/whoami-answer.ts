import { message } from '../block-kit/message.ts'
import { code, joinMd, md, mention, mentionGroup, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { bullets, context, section } from '../block-kit/sections.ts'
import type { Answer } from './answer.ts'
import type { CatalogEntry, OperationContext } from './operation.ts'
import { mayGetGraver, promptWords } from './prompt-words.ts'
import { type Actor, atLeast, type Role } from './role.ts'
import { sentenceStart } from './sentence-start.ts'
import { whomToAsk } from './whom-to-ask.ts'

/** Somebody, and what the policy says to them about some operations. */
export interface Standing {
  readonly actor: Actor
  readonly catalog: readonly CatalogEntry[]
}

const GRAVER = 'A write that may be billed or cannot be undone can ask for more than is said here; its review says so.'
/** Of the user groups that the configuration names; it has few. */
const MAX_GROUPS = 20

/** Who somebody is to the bot and what follows: operations by what happens, or each with the rule behind it. */
export function roleAnswer(
  { actor, catalog }: Standing,
  inGroups: boolean,
  { actor: asker, admins, command }: Pick<OperationContext, 'actor' | 'admins' | 'command'>,
): Answer {
  const isOther = actor.id !== asker.id
  const title = roleLine(actor, isOther)
  const standing = [...userGroups(actor), ...barred(actor)]
  const lines = inGroups ? groupLines(actor, catalog) : catalog.map(entryLine)
  const small = [
    ...(catalog.some(mayGetGraver) ? [md`${GRAVER}`] : []),
    ...(inGroups ? [ruleHint(actor, isOther, command)] : []),
    ...(isOther
      ? [md`The rules are worded as ${mention(actor.id)} would read them.`]
      : moreRights(actor, admins, command)),
  ]
  return {
    message: message({
      text: [title, ...standing, ...lines, ...small].map(plainOf).join('\n'),
      blocks: [section(joinMd([title, ...standing], '\n')), bullets(lines), ...small.map((line) => context(line))],
    }),
  }
}

function roleLine({ id, role, roleSource }: Actor, isOther: boolean): Mrkdwn {
  const words = role === 'none' ? 'no role' : md`the role *${role}*`
  return md`${mention(id)}${isOther ? ' has ' : ', you have '}${words}: ${roleSource}.`
}

function userGroups({ groups }: Actor): readonly Mrkdwn[] {
  if (groups.length === 0) return []
  const named = joinMd(
    groups.slice(0, MAX_GROUPS).map((group) => mentionGroup(group)),
    ', ',
  )
  return [md`In these user groups that the configuration names: ${named}.`]
}

function barred({ writesBarred }: Actor): readonly Mrkdwn[] {
  return writesBarred === undefined ? [] : [md`:warning: Only reading goes now. ${writesBarred}`]
}

/** All of them, by what happens: a dozen lines that each give a reason would not be read. */
function groupLines({ role }: Actor, entries: readonly CatalogEntry[]): readonly Mrkdwn[] {
  const groups = Map.groupBy(entries, (entry) => `${promptWords(entry)}${deniedWords(role, entry)}`)
  return [...groups].map(([prompt, inside]) => {
    const names = joinMd(
      inside.map(({ operation }) => code(operation.name)),
      ', ',
    )
    return md`*${sentenceStart(prompt)}*: ${names}`
  })
}

/** A role that is too low is said at once; what else stands in the way is a rule, said with one operation. */
function deniedWords(role: Role, { operation, decision }: CatalogEntry): string {
  if (decision.kind !== 'deny') return ''
  return atLeast(role, operation.minimumRole) ? ' now or here' : `, needs the role ${operation.minimumRole}`
}

function entryLine(entry: CatalogEntry): Mrkdwn {
  return md`${code(entry.operation.name)}: ${promptWords(entry)}. ${entry.decision.reason}`
}

function ruleHint({ id }: Actor, isOther: boolean, command: string): Mrkdwn {
  return md`The rule behind one of them: ${code(`${command} whoami ${isOther ? `@${id} ` : ''}dns add`)}`
}

function moreRights(actor: Actor, admins: readonly string[], command: string): readonly Mrkdwn[] {
  const { role } = actor
  if (role === 'admin') return []
  const shows = md`${code(`${command} help`)} shows how things are typed.`
  if (role === 'none') return [whomToAsk({ actor, admins }), shows]
  return [
    md`Roles are given in the settings of CDN Ops, its configuration file, and by user groups of Slack; ask whoever runs it for more. ${shows}`,
  ]
}
