import { joinMd, md, mention, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { quorumsMd } from '../operations/prompt-words.ts'
import type { Quorum } from '../operations/role.ts'
import type { Approval } from '../store/approvals.ts'

/** Who has approved a change, and whose approval counts no longer; `open` is what of `quorums` is still missing. */
export function approvedWords(
  approvals: readonly Approval[],
  { lapsed = [], open, quorums = [] }: Standing,
): readonly Mrkdwn[] {
  const people = approvals.map(({ person }) => person)
  const standing = people.filter((person) => !lapsed.includes(person))
  const gone = people.filter((person) => lapsed.includes(person))
  const lines = [
    ...(standing.length === 0 ? [] : [md`Approved by ${mentions(standing)}`]),
    ...(gone.length === 0
      ? []
      : [md`The approval of ${mentions(gone)} no longer counts, as roles and user groups are now`]),
  ]
  const more = open?.reduce((sum, { count }) => sum + count, 0)
  const whose = open === undefined || open.length === 0 || quorums.length < 2 ? md`` : md`: ${quorumsMd(open)}`
  const needed = more === undefined ? md`` : md` (${more} more needed${whose})`
  return lines.map((line, index) => (index === 0 ? md`${line}${needed}` : line))
}

interface Standing {
  readonly lapsed?: readonly string[] | undefined
  readonly open?: readonly Quorum[] | undefined
  readonly quorums?: readonly Quorum[]
}

function mentions(people: readonly string[]): Mrkdwn {
  return joinMd(
    people.map((person) => mention(person)),
    ', ',
  )
}
