import { joinMd, md, mention, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { Approval } from '../store/approvals.ts'

/** Who has approved a change, and whose approval counts no longer; `more` is how many approvals it takes besides. */
export function approvedWords(
  approvals: readonly Approval[],
  { lapsed = [], more }: { readonly lapsed?: readonly string[] | undefined; readonly more?: number | undefined },
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
  const needed = more === undefined ? '' : ` (${more} more needed)`
  return lines.map((line, index) => (index === 0 ? md`${line}${needed}` : line))
}

function mentions(people: readonly string[]): Mrkdwn {
  return joinMd(
    people.map((person) => mention(person)),
    ', ',
  )
}
