import { wordsMessage } from '../../block-kit/message.ts'
import { code, joinMd, md, mention, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { text } from '../declaration/fields.ts'
import { matchOperation } from '../declaration/operation-names.ts'
import type { CatalogEntry, OperationContext } from '../declaration/operation.ts'
import { isMeantAsPerson, person } from '../declaration/person-field.ts'
import {
  adminsNamed,
  findAccess,
  GRAVER,
  mayGetGraver,
  onlyFor,
  promptWords,
  roleSourceMd,
  ROLE_WORDS,
  sentenceStart,
  whomToAsk,
} from '../declaration/prompt-words.ts'
import { type Actor, atLeast, type Role } from '../declaration/role.ts'

export const whoami = defineOperation({
  name: 'whoami',
  aliases: ['who am i', 'me'],
  summary: 'Show your role, where it comes from and what it allows',
  effect: 'read',
  minimumRole: 'none',
  roleFor: ({ person: other }) => (other === undefined ? 'none' : 'admin'),
  fields: {
    person: person({ label: 'Person', hint: 'Somebody else, which only admins may ask.' }),
    operation: text({ label: 'Operation', hint: 'Only what holds for this one, such as dns add.', maxLength: 100 }),
  },
  positionals: ({ person: typed }) =>
    typed === undefined || isMeantAsPerson(typed) ? ['person', 'operation'] : ['operation'],
  examples: ['whoami', 'whoami dns add', 'whoami @U012AB3CD', 'whoami @U012AB3CD dns add'],
  describe: ({ person: other, operation }) =>
    `Show ${other === undefined ? 'their own role' : `the role of ${other}`}${operation === undefined ? '' : ` for ${operation}`}`,
  async run({ person: id, operation }, context): Promise<Standing> {
    const { actor, catalog, command } = context
    const standing = id === undefined || id === actor.id ? { actor, catalog } : await lookUp(id, context)
    const { catalog: entries } = standing
    return { ...standing, catalog: operation === undefined ? entries : entriesFor(operation, entries, command) }
  },
  present({ actor, catalog }, { operation }, running) {
    const { actor: asker, admins, command } = running
    const inGroups = operation === undefined
    const isOther = actor.id !== asker.id
    const { writesBarred } = actor
    const barred = writesBarred !== undefined && md`:warning: Only reading goes now. ${writesBarred}`
    const who = isOther ? 'them' : 'you'
    const lines = inGroups ? groupLines(actor, catalog, who) : catalog.map((entry) => entryLine(entry, actor, who))
    const small = [
      catalog.some(mayGetGraver) && md`${GRAVER}`,
      inGroups && ruleHint(isOther ? actor.id : undefined, command),
      ...moreRights(actor, admins, isOther),
    ]
    const title = joinMd([roleLine(actor, isOther), userGroups(actor), barred], '\n')
    // With some role, one asks for what one wants.
    const isAsking = !isOther && (!inGroups || actor.role === 'none')
    const access = isAsking ? findAccess(catalog, running) : undefined
    return { message: wordsMessage([title], { list: lines, small }), access }
  },
})

async function lookUp(id: string, context: OperationContext): Promise<Standing> {
  try {
    return await context.lookUp(id)
  } catch (error) {
    // What it says is meant for people who ask about themselves.
    if (!(error instanceof UserError) || error.code !== 'not_permitted') throw error
    const why = 'Slack did not say who that is. To CDN Ops, they have no role.'
    const next = "Pick the name from Slack's list after typing @, or ask again in a moment."
    throw new UserError('invalid_input', why, next)
  }
}

function entriesFor(words: string, catalog: readonly CatalogEntry[], command: string): readonly CatalogEntry[] {
  const match = matchOperation(words, catalog)
  if (match.kind === 'some') return match.entries
  const near = match.suggestion && `Did you mean ${command} whoami ${match.suggestion.name}?`
  throw new UserError('invalid_input', `There is no command ${words}.`, near ?? `See ${command} help.`)
}

type Who = Parameters<typeof promptWords>[1]

type Standing = Pick<OperationContext, 'actor' | 'catalog'>

const MAX_GROUPS = 20

function roleLine(actor: Actor, isOther: boolean): Mrkdwn {
  const { id, role } = actor
  const source = roleSourceMd(actor)
  const [who, has] = isOther ? [mention(id), 'has'] : ['You', 'have']
  if (role === 'none') return md`${who} ${has} *no role* here: ${source}.`
  return md`${who} ${isOther ? 'is' : 'are'} *${ROLE_WORDS[role]}*, ${source}.`
}

function userGroups({ groups, roleGroup }: Actor): Mrkdwn | false {
  const others = groups.filter((group) => group !== roleGroup).slice(0, MAX_GROUPS)
  return others.length > 0 && md`Also in ${joinMd(others.map(mentionGroup), ', ')}.`
}

/** All of them, by what happens: a dozen lines that each give a reason would not be read. */
function groupLines({ role }: Actor, entries: readonly CatalogEntry[], who: Who): readonly Mrkdwn[] {
  const groups = Map.groupBy(entries, (entry) => `${promptWords(entry, who)}${deniedWords(role, entry)}`)
  return [...groups].map(([prompt, inside]) => {
    const names = inside.map(({ operation }) => code(operation.name))
    return md`*${sentenceStart(prompt)}*: ${joinMd(names, ', ')}`
  })
}

/** A role that is too low is said at once; what else stands in the way is a rule, said with one operation. */
function deniedWords(role: Role, { operation, decision }: CatalogEntry): string {
  if (decision.kind !== 'deny') return ''
  return atLeast(role, operation.minimumRole) ? ' now or here' : `, needs the role ${operation.minimumRole}`
}

/** A reason that a role is too low is worded for whoever asks. */
function entryLine(entry: CatalogEntry, { id, role }: Actor, who: Who): Mrkdwn {
  const { operation, decision } = entry
  const said = md`${code(operation.name)}: ${promptWords(entry, who)}.`
  if (who === 'you' || decision.neededRole === undefined) return md`${said} ${decision.reason}`
  const has = role === 'none' ? 'has no role' : `is ${ROLE_WORDS[role]}`
  return md`${said} ${onlyFor(decision.neededRole, operation.name)}; ${mention(id)} ${has}.`
}

function ruleHint(other: string | undefined, command: string): Mrkdwn {
  if (other === undefined) return md`Why, for one of them: ${code(`${command} whoami dns add`)}`
  return md`Why, for one of them: ${code(`${command} whoami`)} ${mention(other)} ${code('dns add')}`
}

function moreRights(actor: Actor, admins: readonly string[], isOther: boolean): readonly Mrkdwn[] {
  const { role, barred, id } = actor
  if (role === 'admin' || (isOther && barred === true)) return []
  const more = md`To do more, ask ${admins.length === 0 ? 'whoever runs CDN Ops' : adminsNamed(admins)}.`
  const asking = role === 'none' ? whomToAsk({ actor, admins }) : more
  const copied = md`${code(id)}, ${isOther ? 'their' : 'your'} Slack id, goes into VIEWERS, OPERATORS or ADMINS in the settings.`
  return [...(isOther ? [] : [asking]), ...(barred === true ? [] : [copied])]
}
