import { wordsMessage } from '../block-kit/message.ts'
import { code, joinMd, md, mention, mentionGroup, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { UserError } from '../shared/errors.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Answer } from './answer.ts'
import { defineOperation } from './define-operation.ts'
import { text } from './fields.ts'
import { matchInCatalog } from './find-operation.ts'
import type { CatalogEntry, OperationContext } from './operation.ts'
import { isMeantAsPerson, person } from './person-field.ts'
import { mayGetGraver, promptWords, sentenceStart, whomToAsk } from './prompt-words.ts'
import { type Actor, atLeast, type Role } from './role.ts'

export const whoami = defineOperation({
  name: 'whoami',
  aliases: ['who am i', 'me'],
  summary: 'Show your role, where it comes from and what it allows',
  effect: 'read',
  minimumRole: 'none',
  roleFor: ({ person: other }) => (other === undefined ? 'none' : 'admin'),
  audience: 'caller',
  fields: {
    person: person({ label: 'Person', hint: 'Somebody else, which only admins may ask.' }),
    operation: text({ label: 'Operation', hint: 'Only what holds for this one, such as dns add.', maxLength: 100 }),
  },
  positionals,
  examples: ['whoami', 'whoami dns add', 'whoami @U012AB3CD', 'whoami @U012AB3CD dns add'],
  describe: ({ person: other, operation }) =>
    `Show ${other === undefined ? 'their own role' : `the role of ${other}`}${operation === undefined ? '' : ` for ${operation}`}`,
  async run({ person: id, operation }, context): Promise<Standing> {
    const { actor, catalog, command } = context
    const standing = id === undefined || id === actor.id ? { actor, catalog } : await lookUp(id, context)
    const { catalog: entries } = standing
    return { ...standing, catalog: operation === undefined ? entries : entriesFor(operation, entries, command) }
  },
  present: (standing, { operation }, context) => roleAnswer(standing, operation === undefined, context),
})

function positionals({ person: typed }: RawValues): readonly ('person' | 'operation')[] {
  return typed === undefined || isMeantAsPerson(typed) ? ['person', 'operation'] : ['operation']
}

async function lookUp(id: string, context: OperationContext): Promise<Standing> {
  try {
    return await context.lookUp(id)
  } catch (error) {
    // What it says is meant for people who ask about themselves.
    if (!(error instanceof UserError) || error.code !== 'not_permitted') throw error
    throw new UserError(
      'invalid_input',
      `Slack did not say who ${id} is, so there is no telling what they may do. To the bot, somebody like that has no role.`,
      "Pick the name from Slack's list after typing @, or ask again in a moment.",
    )
  }
}

function entriesFor(words: string, catalog: readonly CatalogEntry[], command: string): readonly CatalogEntry[] {
  const match = matchInCatalog(words, catalog)
  if (match.kind === 'one') return catalog.filter(({ operation }) => operation === match.operation)
  if (match.kind === 'several') return catalog.filter(({ operation }) => match.operations.includes(operation))
  throw new UserError(
    'invalid_input',
    `There is no operation called ${words}.`,
    match.suggestion === undefined ? `See what there is: ${command} help` : `Did you mean ${match.suggestion.name}?`,
  )
}

interface Standing {
  readonly actor: Actor
  readonly catalog: readonly CatalogEntry[]
}

const GRAVER = 'A write that may be billed or cannot be undone can ask for more than is said here; its review says so.'
/** Of the user groups that the configuration names; it has few. */
const MAX_GROUPS = 20

function roleAnswer(
  { actor, catalog }: Standing,
  inGroups: boolean,
  { actor: asker, admins, command }: Pick<OperationContext, 'actor' | 'admins' | 'command'>,
): Answer {
  const isOther = actor.id !== asker.id
  const title = roleLine(actor, isOther)
  const { writesBarred } = actor
  const barred = writesBarred === undefined ? [] : [md`:warning: Only reading goes now. ${writesBarred}`]
  const lines = inGroups ? groupLines(actor, catalog) : catalog.map(entryLine)
  const small = [
    ...(catalog.some(mayGetGraver) ? [md`${GRAVER}`] : []),
    ...(inGroups ? [ruleHint(actor, isOther, command)] : []),
    ...(isOther
      ? [md`The rules are worded as ${mention(actor.id)} would read them.`]
      : moreRights(actor, admins, command)),
  ]
  return { message: wordsMessage([joinMd([title, ...userGroups(actor), ...barred], '\n')], { list: lines, small }) }
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
