import type { KnownPast } from './replay.ts'
import { dateTime, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'

/** Alerts hold a zone against the same time of the week before. */
const WEEK_MS = 7 * DAY_MS
const UNTIL_THEN = 'until a week is known, alerts may tell of what happens each day or each week.'

/** Whether less than a week of a zone is known, by the first minute of which something is; false where nothing is. */
function isNew(knownFrom: number | undefined, now: Date): knownFrom is number {
  return knownFrom !== undefined && now.getTime() - knownFrom * MINUTE_MS < WEEK_MS
}

/** `CDN Ops knows this zone since …`, and what that means; none where a week is known, or nothing. */
export function knownSince(knownFrom: number | undefined, now: Date): readonly Mrkdwn[] {
  return isNew(knownFrom, now) ? [md`CDN Ops knows this zone since ${momentOf(knownFrom)}; ${UNTIL_THEN}`] : []
}

/** The same for a list of zones, each of which says since when it is known. */
export function newZones(knownFrom: readonly (number | undefined)[], now: Date): readonly Mrkdwn[] {
  const many = knownFrom.filter((each) => isNew(each, now)).length
  if (many === 0) return []
  return [md`Less than a week is known of ${many === 1 ? 'one zone' : `${many} zones`}; ${UNTIL_THEN}`]
}

/** `, known since …` for the end of a line; nothing where a week is known. */
export function sinceWords(knownFrom: number | undefined, now: Date): Mrkdwn {
  return isNew(knownFrom, now) ? md`, known since ${momentOf(knownFrom)}` : md``
}

/** The first minute of a past of which something is known. */
export function firstKnown({ minutes }: Pick<KnownPast, 'minutes'>): number | undefined {
  return minutes.find(({ coveredMs }) => coveredMs > 0)?.minute
}

function momentOf(minute: number): Mrkdwn {
  return dateTime(new Date(minute * MINUTE_MS))
}
