import { dateTime, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { Change } from '../../store/change.ts'
import { eventWords } from '../audit/event-words.ts'

/** What the record says of a change, a line for each entry, the oldest first. `record` has the newest first. */
export function changeHistory(
  record: readonly RecordedEntry[],
  change: Pick<Change, 'state' | 'endedBy' | 'endedAt'>,
): readonly Mrkdwn[] {
  return record.toReversed().map((entry) => {
    const words = entry.event === 'denied' ? deniedWords(entry, change) : eventWords(entry.event)
    return md`${dateTime(entry.at)} ${words}, ${mention(entry.actor)} (entry ${entry.seq})`
  })
}

/** One who declined has ended the change; whoever tried what they may not has done nothing to it. */
function deniedWords(
  { actor, at }: RecordedEntry,
  { state, endedBy, endedAt }: Pick<Change, 'state' | 'endedBy' | 'endedAt'>,
): string {
  const hasEnded = state === 'denied' && actor === endedBy && at.getTime() === endedAt?.getTime()
  return hasEnded ? 'declined' : 'tried what they may not, and was refused'
}
