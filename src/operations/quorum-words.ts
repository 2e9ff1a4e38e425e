import { joinMd, md, mentionGroup, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { Quorum } from './role.ts'

/** Who has to be for a change, in words: "2 operators, admins or members of the user group S012AB". */
export function quorumWords(quorum: Quorum): string {
  const { groups } = quorum
  return groups.length === 0 ? before(quorum) : `${before(quorum)} ${groups.join(' or ')}`
}

/** The same where Slack shows a user group under its name. */
function quorumMd(quorum: Quorum): Mrkdwn {
  const { groups } = quorum
  return groups.length === 0 ? md`${before(quorum)}` : md`${before(quorum)} ${joinMd(groups.map(mentionGroup), ' or ')}`
}

/** Several quorums, each of which has to be met by other people: "one admin, and 2 members of …". */
export function quorumsWords(quorums: readonly Quorum[], between = ', and '): string {
  return quorums.map(quorumWords).join(between)
}

/** The same where Slack shows user groups under their names. */
export function quorumsMd(quorums: readonly Quorum[]): Mrkdwn {
  return joinMd(quorums.map(quorumMd), ', and ')
}

/** All of it but the ids of user groups, which come last. */
function before({ count, roles, groups }: Quorum): string {
  const plural = count === 1 ? '' : 's'
  const kinds = [
    ...roles.map((role) => `${role}${plural}`),
    ...(groups.length === 0 ? [] : [`member${plural} of the user group`]),
  ]
  const last = kinds.at(-1) ?? 'nobody'
  const others = kinds.slice(0, -1).join(', ')
  return `${count === 1 ? 'one' : count} ${others === '' ? last : `${others} or ${last}`}`
}
