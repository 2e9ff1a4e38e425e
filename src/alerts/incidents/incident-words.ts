import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.ts'
import { bytes, count } from '../../block-kit/amounts.ts'
import { oneLine } from '../../block-kit/plain-text.ts'
import type { AlertSubject, IncidentRecord } from '../../store/schema/alert-records.ts'
import { getKindTitle } from '../kinds/kinds.ts'
import { type IncidentAlert, readIncidentDoc } from '../state/incident.ts'
import { ACCOUNT_SUBJECT, parseSubject } from '../state/rule-subjects.ts'
import { roundPercent, SEVERITIES, type Severity, type Unit } from '../state/reading.ts'

export interface IncidentWords {
  /** The name of the zone that a subject is about, where it has one. Foreign text. */
  zoneName(subject: AlertSubject): string | undefined
  /** Where a subject can be seen in the platform's panel; undefined where none is configured. */
  panel(subject: AlertSubject): URL | undefined
  /** Where it stands what to do about a subject, whatever rule is about it; undefined where nothing is configured. */
  runbook(subject: AlertSubject): string | undefined
  readonly command: string
}

/** The words beside a symbol say the same: a colour alone says nothing to some. */
export const SYMBOLS: Readonly<Record<Severity, string>> = { info: '🔵', warning: '🔶', critical: '🔴' }
const NAMES: Readonly<Record<Severity, string>> = { info: 'Info', warning: 'Warning', critical: 'Critical' }
const RESOLVED = '✅'
/** For what a person ended, whether or not it was over. */
export const UNDECIDED = '☑️'

export function severityWords(severity: Severity): string {
  return `${SYMBOLS[severity]} ${NAMES[severity]}`
}

const UNZONED: Readonly<Record<AlertSubject, string>> = {
  account: 'the account',
  'storage/*': 'every storage zone with a name',
}

/** A subject by the name of its zone with the id that decides: `shop-web (301)`. Holds foreign text. */
export function subjectLabel(subject: AlertSubject, { zoneName }: Pick<IncidentWords, 'zoneName'>): string {
  const named = parseSubject(subject)
  if (named?.zoneId === undefined) return UNZONED[subject] ?? subject
  const name = zoneName(subject)
  return name === undefined ? `${named.kind} zone ${named.zoneId}` : `${name} (${named.zoneId})`
}

export function quantity(value: number, unit: Unit | undefined): string {
  if (!Number.isFinite(value)) return 'unknown'
  if (unit === undefined) return String(Math.round(value * 100) / 100)
  if (unit === 'share') return roundPercent(value)
  if (unit === 'bytes') return bytes(BigInt(Math.round(value)))
  return `${count(Math.round(value))} ${unit === 'minutes' ? 'min' : unit}`
}

/** How long something took, in at most two units: `23 min`, `3 h 12 min`, `2 d 4 h`. */
export function durationWords(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  const isDays = ms >= 2 * DAY_MS
  const [large, small] = isDays ? [DAY_MS, HOUR_MS] : [HOUR_MS, MINUTE_MS]
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)} ${isDays ? 'd' : 'h'}${rest === 0 ? '' : ` ${rest} ${isDays ? 'h' : 'min'}`}`
}

/** How much of a name fits into a title that a phone shows whole. */
const NAME_CHARACTERS = 24

/** A subject by the name of its zone, cut: the small line under the numbers has it whole. Holds foreign text. */
export function shortName(
  subject: AlertSubject,
  { zoneName }: Pick<IncidentWords, 'zoneName'>,
  room = NAME_CHARACTERS,
): string {
  if (subject === ACCOUNT_SUBJECT) return 'API keys'
  const named = parseSubject(subject)
  const bare = named?.zoneId === undefined ? subject : `${named.kind} zone ${named.zoneId}`
  return oneLine(zoneName(subject) ?? bare, Math.max(1, Math.min(room, NAME_CHARACTERS)))
}

/** What is wrong or right again: `origin failing, visitors get old content`. */
export function problemWords({ title, kind, endedMs, unwatched }: IncidentAlert): string {
  const what = getKindTitle(kind).toLowerCase()
  if (unwatched === true) return `no longer watched for ${what}`
  return title ?? (endedMs === undefined ? what : `${what} is over`)
}

/** The same without what it means for visitors. */
export function clause(alert: IncidentAlert): string {
  return problemWords(alert).split(', ')[0] ?? ''
}

export function symbolOf({ severity, endedMs, unwatched }: IncidentAlert): string {
  if (endedMs === undefined) return SYMBOLS[severity]
  return unwatched === true ? UNDECIDED : RESOLVED
}

/** `30 % STALE`; of an alert that was written before there was such a number, its value. */
export function numberWords({ number, facts, unit }: IncidentAlert): string {
  return number ?? (facts.value === undefined ? 'no numbers yet' : quantity(facts.value, facts.unit ?? unit))
}

export function worstWords({ peak, unit }: IncidentAlert): string | undefined {
  return peak === undefined ? undefined : quantity(peak, unit)
}

/** Since when the worst of it fires, as its message says: an incident that began again was opened long before. */
export function firingSince({ doc, openedAt }: Pick<IncidentRecord, 'doc' | 'openedAt'>): Date {
  const [worst] = sortBySeverity(readIncidentDoc(doc).alerts)
  return worst === undefined ? openedAt : new Date(worst.firedMs)
}

/** Those that fire before those that have ended, the severest first, and of equals the one that began first. */
export function sortBySeverity(alerts: readonly IncidentAlert[]): readonly IncidentAlert[] {
  const rank = ({ severity, endedMs }: IncidentAlert): number =>
    SEVERITIES.indexOf(severity) + (endedMs === undefined ? SEVERITIES.length : 0)
  return alerts.toSorted((a, b) => rank(b) - rank(a) || a.firedMs - b.firedMs)
}
