import { runBacktest } from '../../src/process/backtest-command.ts'
import type { MinuteCounts } from '../../src/store/schema/minute-counts.ts'
import { type Happening, trafficOf } from '../alerts/traffic-of-days.ts'
import { toolRun, type ToolRun } from './audit-tool.ts'
import type { Variables } from './bot.ts'

const MINUTE_MS = 60_000
const DAY = 1_440
/** Where the past of tests begins, as a minute since 1970, and where something happens in it: two days and ten hours later. */
export const PAST_FROM = Date.UTC(2026, 2, 2) / MINUTE_MS
export const TROUBLE = PAST_FROM + 2 * DAY + 600

/** Runs `npm run backtest -- …` in this process, with these environment variables and no others. */
export function backtestTool(variables: Variables, ...args: readonly string[]): Promise<ToolRun> {
  return toolRun(runBacktest, variables, args)
}

const ZONE = { lines: 60 }
let quiet: readonly MinuteCounts[] | undefined

/** Three days of a zone, well but for some minutes from `TROUBLE` on. */
export function threeDays(trouble: Happening = {}, minutes = 0): readonly MinuteCounts[] {
  quiet ??= trafficOf(ZONE, PAST_FROM, PAST_FROM + 3 * DAY)
  const until = TROUBLE + minutes
  return [
    ...quiet.filter(({ minute }) => minute < TROUBLE),
    ...trafficOf(ZONE, TROUBLE, until, () => trouble),
    ...quiet.filter(({ minute }) => minute >= until),
  ]
}

/** Minutes as a file has them, one JSON object a line. */
export function minuteLines(minutes: readonly MinuteCounts[]): string {
  return minutes.map((counts) => `${JSON.stringify(minuteObject(counts))}\n`).join('')
}

export function minuteObject({
  minute,
  coveredMs,
  c1xx,
  c2xx,
  c3xx,
  c4xx,
  c5xx,
  uncoded,
  miss4xx,
  ...own
}: MinuteCounts) {
  return {
    minute: `${new Date(minute * MINUTE_MS).toISOString().slice(0, 16)}Z`,
    ...own,
    '1xx': c1xx,
    '2xx': c2xx,
    '3xx': c3xx,
    '4xx': c4xx,
    '5xx': c5xx,
    uncoded,
    miss4xx,
    readMs: coveredMs,
  }
}
