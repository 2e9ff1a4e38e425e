import { dateTime, joinMd, md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { IncidentAlert } from './incident.ts'
import { durationWords, type IncidentWords, quantity, RESOLVED, severityWords } from './incident-words.ts'

/** What an alert is called: `🔴 Critical: STALE share`, or `✅ Resolved: STALE share` once it has ended. */
export function alertTitle(
  { kind, severity, endedMs }: IncidentAlert,
  nature: 'incident' | 'event',
  { kindTitle }: Pick<IncidentWords, 'kindTitle'>,
): string {
  const state = nature === 'incident' && endedMs !== undefined ? RESOLVED : severityWords(severity)
  return `${state}: ${kindTitle(kind)}`
}

/** An alert's numbers in its own sentence, and below it since when, how long, how far. */
export function alertLines(alert: IncidentAlert, nature: 'incident' | 'event'): Mrkdwn {
  const { facts, endedMs } = alert
  const ended = nature === 'incident' && endedMs !== undefined
  return md`${ended ? 'At its end: ' : ''}${facts.sentence}\n${joinMd(timesOf(alert, nature), ' · ')}`
}

function timesOf(
  { firedMs, endedMs, peak, unit, facts, flapping }: IncidentAlert,
  nature: 'incident' | 'event',
): readonly Mrkdwn[] {
  const began = dateTime(new Date(firedMs))
  if (nature === 'event') return [md`Seen ${began}`]
  const far = peak === undefined ? [] : [md`Worst: ${quantity(peak, unit ?? facts.unit)}`]
  if (endedMs !== undefined) {
    return [md`Lasted ${durationWords(endedMs - firedMs)}, from ${began} to ${dateTime(new Date(endedMs))}`, ...far]
  }
  const held = flapping === true ? [md`Begins and ends again and again, so it is held for half an hour`] : []
  return [md`Since ${began}`, ...far, ...held]
}
