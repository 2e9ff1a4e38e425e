import { durationWords, problemWords, sortBySeverity, symbolOf } from '../../alerts/incidents/incident-words.ts'
import { readIncidentDoc } from '../../alerts/state/incident.ts'
import { COLUMN, type MinuteSeries } from '../../alerts/series/minute-series.ts'
import { count, counted, percent } from '../../block-kit/amounts.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { readerTimes } from '../declaration/reader-times.ts'
import type { Actor } from '../declaration/role.ts'
import { measure, type ZoneStatus } from './status-reading.ts'

const DAY_MINUTES = DAY_MS / MINUTE_MS
const SHORT_MINUTES = 5
const LONG_MINUTES = 60
/** With fewer requests in the last minutes the last hour is judged. */
const ENOUGH_REQUESTS = 100
/** What is wrong, as a share of the requests, is worse from twice yesterday's and this much more on. */
const WORSE_BY = 0.02
/** A hit ratio has a daily life; a drop by this much is more than that. */
const HIT_RATIO_DROP = 0.2
/** One bad line or two are chance. */
const LEAST_BAD_REQUESTS = 3

/**
 * How a zone does, in one line of plain text: what fires, or how it compares with the same time yesterday. That nothing is
 * wrong holds as of a time, which it says: what is newer is not in the log yet.
 */
export function verdict(status: ZoneStatus, name: string, { now: asked, actor }: Asked): string {
  const { series, at, trust, incidents, yesterday } = status
  const [alert] = sortBySeverity(
    incidents.flatMap(({ doc }) => readIncidentDoc(doc).alerts.filter(({ endedMs }) => endedMs === undefined)),
  )
  if (alert !== undefined) return `${symbolOf(alert)} ${name}: ${problemWords(alert)}`
  if (trust?.failure !== undefined) return `⚪ ${name}: nothing can be read, ${trust.failure.cause}`
  const short = windowOf(series, at - SHORT_MINUTES, at)
  const minutes = trust === undefined || short.requests >= ENOUGH_REQUESTS ? SHORT_MINUTES : LONG_MINUTES
  const now = windowOf(series, at - minutes, at)
  const then = yesterday && windowOf(yesterday, at - DAY_MINUTES - minutes, at - DAY_MINUTES)
  const time = `the last ${minutes} min`
  if (series.covered(at - minutes, at) === 0) return `⚪ ${name}: nothing is read yet of ${time}`
  if (now.requests === 0) {
    const before = then !== undefined && then.requests >= ENOUGH_REQUESTS ? then.requests : undefined
    const compared = before === undefined ? '' : `, ${count(before)} at this time yesterday`
    return `${before === undefined ? '⚪' : '🟠'} ${name}: no requests in ${time}${compared}`
  }
  const problem = findProblem(now, then)
  if (problem !== undefined) return `🟠 ${name}: ${problem} in ${time}`
  const until = knownUntil([status])
  const behind = durationWords(asked.getTime() - until.getTime())
  return `🟢 ${name} looks healthy as of ${clockTime(until, actor)}: ${badWords(now)} in ${counted(now.requests, 'request')} of ${minutes} min; the log is ${behind} behind`
}

export function knownUntil(zones: readonly ZoneStatus[]): Date {
  return new Date(Math.min(...zones.map(({ at, trust }) => at - (trust?.behindMinutes ?? 0))) * MINUTE_MS)
}

export function clockTime(at: Date, { timeZone }: Pick<Actor, 'timeZone'>): string {
  return readerTimes(timeZone).format(at).slice(11, 16)
}

type Asked = Pick<OperationContext, 'now' | 'actor'>

function windowOf(series: MinuteSeries, from: number, until: number) {
  const { hitRatio, errors, stale } = measure(series, from, until)
  return { requests: series.total(COLUMN.lines, from, until), hitRatio, errors, stale }
}

type Window = ReturnType<typeof windowOf>

/** What is worse than yesterday; without a yesterday, what is more than a stray line. */
function findProblem(now: Window, then: Window | undefined): string | undefined {
  const before = (value: number | undefined, words: (value: number) => string): string =>
    value === undefined ? '' : ` (${words(value)} yesterday)`
  for (const [label, key] of [
    ['5xx', 'errors'],
    ['STALE', 'stale'],
  ] as const) {
    const share = now[key] ?? 0
    const usual = then?.[key]
    const isWorse = share > Math.max(2 * (usual ?? 0), (usual ?? 0) + WORSE_BY)
    if (isWorse && share * now.requests >= LEAST_BAD_REQUESTS)
      return `${percent(share)} ${label}${before(usual, percent)}`
  }
  const [hit, usualHit] = [now.hitRatio, then?.hitRatio]
  if (hit === undefined || usualHit === undefined || usualHit - hit < HIT_RATIO_DROP) return undefined
  return `hit ratio ${percent(hit)}${before(usualHit, percent)}`
}

function badWords({ errors, stale }: Window): string {
  const word = (share: number, label: string): string => (share === 0 ? `no ${label}` : `${percent(share)} ${label}`)
  return [...(errors === undefined ? [] : [word(errors, '5xx')]), word(stale ?? 0, 'STALE')].join(', ')
}
