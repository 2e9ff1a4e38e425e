import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { StorageStatistics } from '../cdn/storage-statistics.ts'
import type { StorageDay } from './storage-stats-days.ts'

/** Slack draws no more points than this. */
const CHART_DAYS = 20

/** What a reader should know about the numbers, each in a sentence: fields that should not be there, gaps, zeros. */
export function storageNotes(
  statistics: StorageStatistics,
  days: readonly StorageDay[],
  replaced: number,
): readonly Mrkdwn[] {
  return [...otherFields(statistics), ...caveats(days, replaced)]
}

/** The contract allows no properties but the two charts, so the answer says when others came. */
function otherFields({ otherFields: names }: StorageStatistics): readonly Mrkdwn[] {
  if (names.length === 0) return []
  return [
    md`:warning: The platform also sent ${names.length === 1 ? 'a field' : 'fields'} its interface does not allow here, left out: ${names.join(', ')}.`,
  ]
}

function caveats(days: readonly StorageDay[], replaced: number): readonly Mrkdwn[] {
  const dated = days.filter((day) => day.dated)
  const zeros = dated.filter(({ bytes: used, files }) => used === 0n && (files ?? 0n) === 0n).length
  const oneSided = dated.filter(({ bytes: used, files }) => (used === undefined) !== (files === undefined)).length
  const words = days.length - dated.length
  return [
    ...(dated.length > CHART_DAYS ? [md`The charts show the newest ${CHART_DAYS} days, the table all of them.`] : []),
    ...(oneSided > 0
      ? [md`${oneSided} of ${dated.length} days have only one of the two values; the other is shown as –.`]
      : []),
    ...(zeros > 0 && zeros < dated.length
      ? [md`A day with 0 may also be one for which the platform recorded nothing.`]
      : []),
    ...(words > 0
      ? [md`${words} of the platform's entries name no day; they stand at the end of the table and in no chart.`]
      : []),
    ...(replaced > 0
      ? [md`The platform sent several values for the same day ${replaced} times; the latest of a day is shown.`]
      : []),
  ]
}
