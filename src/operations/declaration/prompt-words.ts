import type { CatalogEntry, OperationContext } from './operation.ts'
import { unreachable } from '../../shared/errors.ts'
import { A_GROUP, type Actor, type Decision, type Quorum, type Role, writesToBot } from './role.ts'
import { code, joinMd, md, mention, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'

export function promptWords({ operation, decision }: CatalogEntry, who: 'you' | 'them' = 'you'): string {
  switch (decision.kind) {
    case 'run':
      return !writesToBot(operation.baseEffect)
        ? 'answered at once'
        : operation.undoable
          ? 'done at once, with Undo'
          : 'done at once'
    case 'confirm':
      return `reviewed and confirmed by ${who} first`
    case 'approve':
      return approvalWords(decision)
    case 'deny':
      return 'not allowed'
    default:
      return unreachable(decision.kind)
  }
}

function approvalWords({ quorums = [], breakGlass }: Decision): string {
  const whose = quorums.length === 0 ? 'somebody else' : quorumsWords(quorums, ', and of ')
  const alone = breakGlass === true ? ', or a reason that all admins are told' : ''
  return `takes the approval of ${whose}${alone}`
}

/** True where the input decides how grave a write is, so that the prompt may be stricter than the one named. */
export function mayGetGraver({ operation, decision }: CatalogEntry): boolean {
  return operation.effectVaries && operation.baseEffect === 'write' && decision.kind === 'confirm'
}

export const GRAVER = 'What costs money or cannot be undone may need a second person: its review says so.'

export const ROLE_WORDS = {
  none: 'without a role',
  viewer: 'a viewer',
  operator: 'an operator',
  admin: 'an admin',
} as const

export function onlyFor(minimumRole: Role, operation: string): string {
  const allowed = { none: 'everybody', viewer: 'people with a role', operator: 'operators and admins', admin: 'admins' }
  return `Only ${allowed[minimumRole]} can use ${operation}`
}

/** Where a role comes from, as a sentence part; a user group under its name. */
export function roleSourceMd({ roleSource, roleGroup }: Pick<Actor, 'roleSource' | 'roleGroup'>): Mrkdwn {
  const [before, ...after] = roleSource.split(A_GROUP)
  return roleGroup === undefined ? md`${roleSource}` : md`${before}${mentionGroup(roleGroup)}${after.join(A_GROUP)}`
}

function quorumMd(quorum: Quorum): Mrkdwn {
  const { groups } = quorum
  return groups.length === 0 ? md`${before(quorum)}` : md`${before(quorum)} ${joinMd(groups.map(mentionGroup), ' or ')}`
}

/** Who has to be for a change, in plain words: "2 operators, admins or members of a user group". */
export function quorumsWords(quorums: readonly Quorum[], between = ', and '): string {
  return quorums.map((quorum) => before(quorum, 'a')).join(between)
}

export function quorumsMd(quorums: readonly Quorum[]): Mrkdwn {
  return joinMd(quorums.map(quorumMd), ', and ')
}

function before({ count, roles, groups }: Quorum, article = 'the'): string {
  const plural = count === 1 ? '' : 's'
  const kinds = [
    ...roles.map((role) => `${role}${plural}`),
    ...(groups.length === 0 ? [] : [`member${plural} of ${article} user group`]),
  ]
  const last = kinds.at(-1) ?? 'nobody'
  const others = kinds.slice(0, -1).join(', ')
  return `${count === 1 ? 'one' : count} ${others === '' ? last : `${others} or ${last}`}`
}

/** Naming everybody would tell everybody: Slack notifies whom a message mentions. */
const MAX_NAMED_ADMINS = 5

export function adminsNamed(admins: readonly string[]): Mrkdwn {
  return listPeople(admins.map(mention), MAX_NAMED_ADMINS)
}

export function listPeople(people: readonly Mrkdwn[], most: number): Mrkdwn {
  const rest = people.length - most
  return md`${joinMd(people.slice(0, most), ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** For somebody without a role: who can give them one, and where nobody is known to, by which id; or that nobody can. */
export function whomToAsk({ actor, admins }: Pick<OperationContext, 'actor' | 'admins'>): Mrkdwn {
  if (actor.barred === true) return md`Only full members of this workspace can have a role, so nobody can give you one.`
  if (admins.length > 0) return md`Ask an admin for one: ${adminsNamed(admins)}`
  return md`No admin is set yet: whoever runs CDN Ops puts ${code(actor.id)}, your Slack id, into ADMINS.`
}

/** Somebody who is not told that an admin could help cannot ask one either. */
export function canAsk(actor: Actor, { neededRole }: Decision, admins: readonly string[]): boolean {
  return neededRole !== undefined && actor.barred !== true && admins.some((admin) => admin !== actor.id)
}

/** The first of these that takes another role, as an `Answer` offers to ask for it. */
export function findAccess(catalog: readonly CatalogEntry[], { actor, admins }: OperationContext): string | undefined {
  return catalog.find(({ decision }) => canAsk(actor, decision, admins))?.operation.name
}

/** The same words with a capital letter, to begin a sentence or a title with. */
export function sentenceStart(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
