import { DAY_MS, HOUR_MS, MINUTE_MS } from '../shared/durations.ts'
import { bytes, count, percent } from '../block-kit/amounts.ts'
import { dateTime, joinMd, md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { AlertSubject } from '../store/alert-records.ts'
import type { IncidentAlert } from './incident.ts'
import { namedSubject } from './rule-subjects.ts'
import { SEVERITIES, type Severity, type Unit } from './reading.ts'

export interface IncidentWords {
  /** The name of the zone that a subject is about, where it has one. Foreign text. */
  zoneName(subject: AlertSubject): string | undefined
  kindTitle(kind: string): string
  /** Where a subject can be seen in the platform's panel; undefined where none is configured. */
  panel(subject: AlertSubject): URL | undefined
  /** Where it stands what to do about a subject, whatever rule is about it; undefined where nothing is configured. */
  runbook(subject: AlertSubject): string | undefined
  readonly command: string
}

/** Each has a shape of its own beside its colour, and never stands without its word. */
const SYMBOLS: Readonly<Record<Severity, string>> = { info: '🔹', warning: '🔶', critical: '🔴' }
const NAMES: Readonly<Record<Severity, string>> = { info: 'Info', warning: 'Warning', critical: 'Critical' }
export const RESOLVED = '✅ Resolved'
export const NOT_A_PROBLEM = '☑️ Not a problem'

export function severityWords(severity: Severity): string {
  return `${SYMBOLS[severity]} ${NAMES[severity]}`
}

const UNZONED: Readonly<Record<AlertSubject, string>> = {
  account: 'the account',
  'storage/*': 'every storage zone with a name',
}

/** A subject by the name of its zone with the id that decides: `shop-web (301)`. Holds foreign text. */
export function subjectLabel(subject: AlertSubject, { zoneName }: Pick<IncidentWords, 'zoneName'>): string {
  const named = namedSubject(subject)
  if (named?.zoneId === undefined) return UNZONED[subject] ?? subject
  const name = zoneName(subject)
  return name === undefined ? `${named.kind} zone ${named.zoneId}` : `${name} (${named.zoneId})`
}

export function quantity(value: number, unit: Unit | undefined): string {
  if (!Number.isFinite(value)) return 'unknown'
  switch (unit) {
    case 'share':
      return percent(value)
    case 'bytes':
      return bytes(BigInt(Math.round(value)))
    case 'minutes':
      return `${count(Math.round(value))} min`
    case 'lines a minute':
    case 'files':
    case 'days':
    case 'keys':
      return `${count(Math.round(value))} ${unit}`
    case undefined:
      return String(Math.round(value * 100) / 100)
  }
}

/** How long something took, in at most two units: `23 min`, `3 h 12 min`, `2 d 4 h`. */
export function durationWords(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return inTwo(ms, HOUR_MS, 'h', MINUTE_MS, 'min')
  return inTwo(ms, DAY_MS, 'd', HOUR_MS, 'h')
}

function inTwo(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`
}

/** What an alert is called: `🔴 Critical: STALE share`, or `✅ Resolved: STALE share` once it has ended. */
export function alertTitle(
  { kind, severity, endedMs }: IncidentAlert,
  nature: 'incident' | 'event',
  { kindTitle }: Pick<IncidentWords, 'kindTitle'>,
): string {
  const state = nature === 'incident' && endedMs !== undefined ? RESOLVED : severityWords(severity)
  return `${state}: ${kindTitle(kind)}`
}

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

/** Those that fire before those that have ended, the gravest first, and of equals the one that began first. */
export function gravestFirst(alerts: readonly IncidentAlert[]): readonly IncidentAlert[] {
  const rank = ({ severity, endedMs }: IncidentAlert): number =>
    SEVERITIES.indexOf(severity) + (endedMs === undefined ? SEVERITIES.length : 0)
  return alerts.toSorted((a, b) => rank(b) - rank(a) || a.firedMs - b.firedMs)
}

/** So much of an incident's id is shown: enough for a reader to see that two messages are about the same. */
const SHOWN_ID_CHARACTERS = 8

export function shortId(incidentId: string): string {
  return incidentId.slice(0, SHOWN_ID_CHARACTERS)
}
