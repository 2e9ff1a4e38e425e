import { dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { Fact } from '../../block-kit/sections.ts'
import type { Approval } from '../../store/approvals.ts'
import type { Change, ChangeState } from '../../store/change.ts'

/** What somebody did who brought a change to this state by a word of theirs. */
const ENDED_BY: Readonly<Partial<Record<ChangeState, string>>> = {
  done: 'Settled by',
  not_done: 'Settled by',
  denied: 'Declined by',
  cancelled: 'Cancelled by',
}

/** More approvals than this are counted. */
const MAX_APPROVERS = 10

/** The life of a change as labels and values: who asked, approved and ended it, and when. */
export function changeStory({
  change,
  approvals,
}: {
  readonly change: Change
  readonly approvals: readonly Approval[]
}): readonly Fact[] {
  const { state, endedBy } = change
  const ended = ENDED_BY[state]
  const story: readonly Fact[] = [
    ['Operation', change.operation],
    ['Asked by', mention(change.requestedBy)],
    ['Asked at', at(change.requestedAt ?? change.createdAt)],
    ['Approved by', approvals.length === 0 ? noneYet(state) : approvers(approvals)],
    ['Without approval, because', change.breakGlass],
    ['Waits until', state === 'waiting' ? at(change.expiresAt) : undefined],
    ['Can be sent until', state === 'approved' ? at(change.expiresAt) : undefined],
    ['Sent at', at(change.sentAt)],
    [ended ?? 'Ended by', ended === undefined || endedBy === undefined ? undefined : mention(endedBy)],
    ['Ended at', at(change.endedAt)],
    ['Detail', change.detail],
  ]
  return story.filter(([, value]) => value !== undefined)
}

function at(date: Date | undefined): Mrkdwn | undefined {
  return date === undefined ? undefined : dateTime(date)
}

function noneYet(state: ChangeState): string | undefined {
  return state === 'waiting' ? 'nobody so far' : undefined
}

function approvers(approvals: readonly Approval[]): Mrkdwn {
  const named = approvals
    .slice(0, MAX_APPROVERS)
    .map(({ person, at: when }) => md`${mention(person)} ${dateTime(when)}`)
  const rest = approvals.length - named.length
  return md`${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
