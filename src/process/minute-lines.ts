import { MINUTE_MS } from '../shared/durations.ts'
import { emptyMinute } from '../alerts/minute-tally.ts'
import { linesOf } from '../alerts/minute-series.ts'
import type { CountName, MinuteCounts } from '../store/minute-counts.ts'

/** Longer ones are none. */
export const MAX_LINE_CHARACTERS = 4_096
/** A third of a million a second. So many can still be added up over hours. */
const MAX_LINES = 20_000_000
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::00(?:\.0{1,3})?)?Z$/
const MINUTE_LENGTH = '2026-03-02T00:00'.length

/** Of a minute's object, each count by its name there. */
const COUNTS: readonly (readonly [name: string, count: CountName])[] = [
  ['hit', 'hit'],
  ['miss', 'miss'],
  ['stale', 'stale'],
  ['updating', 'updating'],
  ['revalidated', 'revalidated'],
  ['bypass', 'bypass'],
  ['uncached', 'uncached'],
  ['other', 'other'],
  ['1xx', 'c1xx'],
  ['2xx', 'c2xx'],
  ['3xx', 'c3xx'],
  ['4xx', 'c4xx'],
  ['5xx', 'c5xx'],
]
const MAY_LACK: readonly (readonly [name: string, count: CountName])[] = [
  ['uncoded', 'uncoded'],
  ['miss4xx', 'miss4xx'],
]
const KNOWN: ReadonlySet<string> = new Set(['minute', 'readMs', ...[...COUNTS, ...MAY_LACK].map(([name]) => name)])

/**
 * The minute that one line of a file says, or what is wrong with it. By hand, since a schema would take longer for a file than
 * all the looks at it. Cache statuses and status codes are not compared: whoever counts, counts them apart.
 */
export function minuteIn(line: string): MinuteCounts | string {
  const said = parsed(line)
  if (said === undefined) return 'is not one JSON object'
  // for…in and not keys: this is done for every minute of a year.
  for (const name in said) if (!KNOWN.has(name)) return `has the unknown name ${JSON.stringify(name.slice(0, 40))}`
  const minute = minuteNumber(said['minute'])
  if (minute === undefined) return 'has no minute such as "2026-03-02T00:00Z"'
  const { readMs = MINUTE_MS } = said
  if (!isCount(readMs) || readMs > MINUTE_MS) return 'has a readMs that is no whole number from 0 to 60000'
  const counts = emptyMinute(minute, readMs)
  for (const [name, count] of COUNTS) {
    const amount = said[name]
    if (amount === undefined) return `does not say ${name}`
    if (!isCount(amount)) return notACount(name)
    counts[count] = amount
  }
  for (const [name, count] of MAY_LACK) {
    const amount = said[name] ?? 0
    if (!isCount(amount)) return notACount(name)
    counts[count] = amount
  }
  if (counts.miss4xx > counts.miss) return 'has more miss4xx than miss'
  const lines = linesOf(counts)
  if (lines > MAX_LINES) return `has more than ${MAX_LINES} lines`
  if (readMs === 0 && lines > 0) return 'has lines, though nothing of it was read'
  if (said['uncoded'] === undefined) {
    const coded = counts.c1xx + counts.c2xx + counts.c3xx + counts.c4xx + counts.c5xx
    counts.uncoded = Math.max(0, lines - coded)
  }
  return counts
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const said: unknown = JSON.parse(line)
    // What JSON calls an object has only names of its own.
    return typeof said === 'object' && said !== null && !Array.isArray(said)
      ? (said as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

function minuteNumber(said: unknown): number | undefined {
  if (typeof said !== 'string' || !MINUTE.test(said)) return undefined
  const atMs = Date.parse(said)
  // The 31st of a short month would be a day of the next one.
  const isReal = Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(said.slice(0, MINUTE_LENGTH))
  return isReal ? atMs / MINUTE_MS : undefined
}

function isCount(amount: unknown): amount is number {
  return typeof amount === 'number' && Number.isInteger(amount) && amount >= 0 && amount <= MAX_LINES
}

function notACount(name: string): string {
  return `has a ${name} that is no whole number from 0 to ${MAX_LINES}`
}
