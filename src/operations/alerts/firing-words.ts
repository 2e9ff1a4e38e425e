import { durationWords, quantity, severityWords } from '../../alerts/incident-words.ts'
import type { Firing } from '../../alerts/backtest.ts'
import type { Unit } from '../../alerts/reading.ts'
import { counted, percent } from '../../block-kit/amounts.ts'
import { dateTime, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'

/** When an alert would have fired, how long, how gravely and how far: for a line of a list. */
export function firingWords({ fromMs, untilMs, severity, peak }: Firing, unit: Unit): Mrkdwn {
  const how = untilMs === undefined ? 'and it still would' : `for ${durationWords(untilMs - fromMs)}`
  const far = peak === undefined ? '' : `, at worst ${quantity(peak, unit)}`
  return md`${dateTime(new Date(fromMs))} ${how}: ${severityWords(severity)}${far}`
}

/** How often, in words: `not once`, `once`, `3 times`. */
export function timesWords(times: number): string {
  if (times === 0) return 'not once'
  return times === 1 ? 'once' : counted(times, 'time')
}

/** A rate of alarms, to one decimal where it is small. */
export function perWeekWords(perWeek: number | undefined): string {
  if (perWeek === undefined) return 'and too little is known to say how often a week'
  if (perWeek === 0) return 'none a week'
  return perWeek < 10 ? `about ${perWeek.toFixed(1)} a week` : `about ${Math.round(perWeek)} a week`
}

/** A part of the whole, in words where digits would say it worse: `all`, `nearly all`, `98.2%`. */
export function partWords(share: number): string {
  if (share >= 1) return 'all'
  if (share >= 0.999_5) return 'nearly all'
  if (share <= 0) return 'nothing'
  return share < 0.000_5 ? 'hardly anything' : percent(share)
}
