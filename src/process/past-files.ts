import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import * as z from 'zod'
import { linesOf } from '../alerts/minute-series.ts'
import { countLine, emptyMinute, type MinuteTally } from '../alerts/minute-tally.ts'
import { counted } from '../block-kit/amounts.ts'
import { utcDay } from '../cdn/dates.ts'
import { tallyLines } from '../cdn/day-file.ts'
import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'

/** More is not held at once. */
const MAX_DAYS = 400
const MAX_MINUTES = MAX_DAYS * DAY_MINUTES
/** More mistakes are not read by anybody; the rest is counted. */
const MAX_PROBLEMS = 10
const TOO_LONG = `covers more than ${MAX_DAYS} days`

/** There is no past to look at, or not as it should be; each problem is a sentence. */
export class PastError extends Error {
  override readonly name = 'PastError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super('The past cannot be used')
    this.problems = problems
  }
}

/** The minutes of a file that has one JSON object a line, ascending. Throws `PastError`. */
export async function readMinutesFile(path: string): Promise<readonly MinuteCounts[]> {
  const minutes: MinuteCounts[] = []
  const problems: string[] = []
  let bad = 0
  let number = 0
  const take = (line: string): void => {
    number += 1
    if (line.trim() === '') return
    const read = line.length > MAX_LINE_CHARACTERS ? `is longer than ${MAX_LINE_CHARACTERS / 1_024} KB` : minuteIn(line)
    const problem = typeof read === 'string' ? read : misplaced(read, minutes)
    if (problem === undefined && typeof read !== 'string') minutes.push(read)
    if (problem === undefined) return
    bad += 1
    if (bad <= MAX_PROBLEMS) problems.push(`Line ${number} ${problem}.`)
  }
  await reading(path, (chunks) => eachLine(chunks, take))
  if (bad > MAX_PROBLEMS) problems.push(`There are ${bad - MAX_PROBLEMS} more.`)
  if (bad > 0) throw new PastError(problems)
  if (minutes.length === 0) throw new PastError([`${path} has no minutes.`])
  return minutes
}

function misplaced({ minute }: MinuteCounts, before: readonly MinuteCounts[]): string | undefined {
  const last = before.at(-1)?.minute
  if (last === undefined) return undefined
  if (minute === last) return 'has the minute of the line before'
  if (minute < last) return 'is of a minute before that of an earlier line'
  return minute - (before[0]?.minute ?? minute) >= MAX_MINUTES ? `is too late: the file ${TOO_LONG}` : undefined
}

/** Hands over the lines of a text; of a longer one than can be taken, only so much that this can be seen. */
async function eachLine(chunks: AsyncIterable<Buffer>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  const cut = (text: string): void => {
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      take(rest + text.slice(start, end))
      rest = ''
      start = end + 1
    }
    rest = (rest + text.slice(start)).slice(0, MAX_LINE_CHARACTERS + 1)
  }
  for await (const chunk of chunks) cut(decoder.decode(chunk, { stream: true }))
  cut(decoder.decode())
  if (rest !== '') take(rest)
}

/**
 * The minutes of day files of the platform, ascending, counted as they are when the bot reads them back: all minutes of a day
 * count as read. A file is of the day of most of its lines; the few around midnight that are of another one are left out.
 * Throws `PastError`.
 */
export async function readDayFiles(
  paths: readonly string[],
  complain: (line: string) => void,
): Promise<readonly MinuteCounts[]> {
  const files = new Map<number, { readonly path: string; readonly minutes: readonly MinuteCounts[] }>()
  for (const path of paths) {
    const { day, minutes } = await readDayFile(path, complain)
    const other = files.get(day)
    if (other !== undefined) throw new PastError([`${other.path} and ${path} are both of ${dayText(day)}.`])
    files.set(day, { path, minutes })
  }
  const days = [...files.keys()].toSorted((a, b) => a - b)
  if ((days.at(-1) ?? 0) - (days[0] ?? 0) >= MAX_DAYS) throw new PastError([`What the files hold ${TOO_LONG}.`])
  return days.flatMap((day) => files.get(day)?.minutes ?? [])
}

/** Days are whole ones since 1970. */
async function readDayFile(path: string, complain: (line: string) => void) {
  const days = new Map<number, { readonly minutes: readonly MinuteTally[]; lines: number }>()
  const reader = tallyLines((atMs, cacheStatus, statusCode) => {
    const minute = Math.floor(atMs / MINUTE_MS)
    const day = Math.floor(minute / DAY_MINUTES)
    const known = days.get(day)
    const tally = known ?? { minutes: dayWithoutLines(day), lines: 0 }
    if (known === undefined) days.set(day, tally)
    if (days.size > MAX_DAYS) throw new PastError([`${path} ${TOO_LONG}.`])
    tally.lines += 1
    const counts = tally.minutes[minute % DAY_MINUTES]
    if (counts !== undefined) countLine(counts, cacheStatus, statusCode)
  })
  await reading(path, async (chunks) => {
    for await (const chunk of chunks) reader.push(chunk)
  })
  const { malformedLines, tooLongLines, lines } = reader.finish()
  const [most] = [...days].toSorted(([, a], [, b]) => b.lines - a.lines)
  if (most === undefined) throw new PastError([`${path} has no lines of a log.`])
  const [day, { minutes, lines: own }] = most
  const left = [
    [malformedLines + tooLongLines, 'not of a log'],
    [lines - malformedLines - tooLongLines - own, `of other days than ${dayText(day)}`],
  ] as const
  for (const [amount, what] of left)
    if (amount > 0) complain(`${path}: ${counted(amount, 'line is', 'lines are')} ${what} and left out.`)
  return { day, minutes }
}

function dayWithoutLines(day: number): readonly MinuteTally[] {
  return Array.from({ length: DAY_MINUTES }, (_, index) => emptyMinute(day * DAY_MINUTES + index, MINUTE_MS))
}

function dayText(day: number): string {
  return utcDay(new Date(day * DAY_MS))
}

/** The bytes of a file, unpacked where its name ends in .gz. Throws `PastError` where it cannot be read. */
async function reading(path: string, work: (chunks: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
  const bytes = createReadStream(path)
  try {
    await (path.endsWith('.gz') ? pipeline(bytes, createGunzip(), work) : pipeline(bytes, work))
  } catch (error) {
    if (error instanceof PastError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '') throw error
    throw new PastError([`${path} cannot be read (${code}).`])
  }
}

const MAX_LINE_CHARACTERS = 4_096
/** A third of a million a second. So many can still be added up over hours. */
const MAX_LINES = 20_000_000
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::00(?:\.0{1,3})?)?Z$/
const MINUTE_LENGTH = '2026-03-02T00:00'.length

const NO_MINUTE = 'has no minute such as "2026-03-02T00:00Z"'

function count(name: string, most = MAX_LINES) {
  const error = ({ input }: { input?: unknown }): string =>
    input === undefined ? `does not say ${name}` : `has a ${name} that is no whole number from 0 to ${most}`
  return z.int({ error }).min(0, { error }).max(most, { error })
}

/** Cache statuses and status codes are not compared: whoever counts, counts them apart. */
const MinuteLine = z.strictObject(
  {
    minute: z
      .string(NO_MINUTE)
      .refine(isMinute, NO_MINUTE)
      .transform((said) => Date.parse(said) / MINUTE_MS),
    readMs: count('readMs', MINUTE_MS).default(MINUTE_MS),
    hit: count('hit'),
    miss: count('miss'),
    stale: count('stale'),
    updating: count('updating'),
    revalidated: count('revalidated'),
    bypass: count('bypass'),
    uncached: count('uncached'),
    other: count('other'),
    '1xx': count('1xx'),
    '2xx': count('2xx'),
    '3xx': count('3xx'),
    '4xx': count('4xx'),
    '5xx': count('5xx'),
    uncoded: count('uncoded').optional(),
    miss4xx: count('miss4xx').default(0),
  },
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `has the unknown name ${JSON.stringify(keys[0]?.slice(0, 40))}` : NO_OBJECT,
  },
)
const NO_OBJECT = 'is not one JSON object'

/** The minute that one line of a file says, or what is wrong with it. */
export function minuteIn(line: string): MinuteCounts | string {
  const read = MinuteLine.safeParse(parsed(line))
  if (!read.success) return read.error.issues[0]?.message ?? NO_OBJECT
  const { readMs, uncoded, '1xx': c1xx, '2xx': c2xx, '3xx': c3xx, '4xx': c4xx, '5xx': c5xx, ...rest } = read.data
  const counts = { ...rest, coveredMs: readMs, c1xx, c2xx, c3xx, c4xx, c5xx, uncoded: uncoded ?? 0 }
  const lines = linesOf(counts)
  if (counts.miss4xx > counts.miss) return 'has more miss4xx than miss'
  if (lines > MAX_LINES) return `has more than ${MAX_LINES} lines`
  if (readMs === 0 && lines > 0) return 'has lines, though nothing of it was read'
  return uncoded === undefined ? { ...counts, uncoded: Math.max(0, lines - c1xx - c2xx - c3xx - c4xx - c5xx) } : counts
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isMinute(said: string): boolean {
  const atMs = MINUTE.test(said) ? Date.parse(said) : Number.NaN
  // The 31st of a short month would be a day of the next one.
  return Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(said.slice(0, MINUTE_LENGTH))
}
