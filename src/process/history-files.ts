import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import * as z from 'zod'
import { countLines, countLine, emptyMinute, type MinuteTally } from '../alerts/series/minute-series.ts'
import { counted } from '../block-kit/amounts.ts'
import { utcDay } from '../cdn/contract/dates.ts'
import { tallyLines } from '../cdn/reading/day-file.ts'
import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import { codeOf } from '../shared/errors.ts'
import { jsonOrUndefined } from '../shared/json.ts'
import type { MinuteCounts } from '../store/schema/minute-counts.ts'

/** More is not held at once. */
const MAX_DAYS = 400
const TOO_LONG = `covers more than ${MAX_DAYS} days`
/** A third of a million a second. So many can still be added up over hours. */
const MAX_LINES = 20_000_000

/** There is no history, or it is not as it should be. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
}

/** The minutes of a file that has one JSON object a line, ascending. Throws `HistoryError` at the first mistake. */
export async function readMinutesFile(path: string): Promise<readonly MinuteCounts[]> {
  const minutes: MinuteCounts[] = []
  let number = 0
  await readBytes(path, async (chunks) => {
    for await (const line of splitLines(chunks)) {
      number += 1
      if (line.trim() === '') continue
      const parsed = MinuteLine.safeParse(jsonOrUndefined(line))
      const problem = parsed.success ? findMisplaced(parsed.data, minutes) : problemOf(parsed.error)
      if (problem !== undefined) throw new HistoryError(`Line ${number}: ${problem}.`)
      if (parsed.success) minutes.push(parsed.data)
    }
  })
  if (minutes.length === 0) throw new HistoryError(`${path} has no minutes.`)
  return minutes
}

function findMisplaced({ minute }: MinuteCounts, before: readonly MinuteCounts[]): string | undefined {
  const [first, last] = [before[0]?.minute ?? minute, before.at(-1)?.minute ?? minute - 1]
  if (minute <= last) return 'it is not of a later minute than the line before'
  return minute - first >= MAX_DAYS * DAY_MINUTES ? `the file ${TOO_LONG}` : undefined
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest + decoder.decode()
}

const Lines = z.int().min(0).max(MAX_LINES)

const MinuteCount = z.strictObject({
  minute: z
    .union([z.iso.datetime({ precision: -1 }), z.iso.datetime()], 'is not a minute such as "2026-03-02T00:00Z"')
    .transform((text) => Date.parse(text) / MINUTE_MS)
    .refine(Number.isInteger, 'is not a whole minute'),
  readMs: z.int().min(0).max(MINUTE_MS).default(MINUTE_MS),
  hit: Lines,
  miss: Lines,
  stale: Lines,
  updating: Lines,
  revalidated: Lines,
  bypass: Lines,
  uncached: Lines,
  other: Lines,
  '1xx': Lines,
  '2xx': Lines,
  '3xx': Lines,
  '4xx': Lines,
  '5xx': Lines,
  uncoded: Lines.optional(),
  miss4xx: Lines.default(0),
})

/** One line of a file. Cache statuses and status codes are counted apart, so they need not add up. */
export const MinuteLine = MinuteCount.transform((line): MinuteCounts => {
  const { readMs, uncoded, '1xx': c1xx, '2xx': c2xx, '3xx': c3xx, '4xx': c4xx, '5xx': c5xx, ...rest } = line
  const counts = { ...rest, coveredMs: readMs, c1xx, c2xx, c3xx, c4xx, c5xx, uncoded: 0 }
  return { ...counts, uncoded: uncoded ?? Math.max(0, countLines(counts) - c1xx - c2xx - c3xx - c4xx - c5xx) }
})
  .refine(({ miss4xx, miss }) => miss4xx <= miss, 'it has more miss4xx than miss')
  .refine((counts) => countLines(counts) <= MAX_LINES, `it has more than ${MAX_LINES} lines`)
  .refine((counts) => counts.coveredMs > 0 || countLines(counts) === 0, 'it has lines, though nothing of it was read')

function problemOf({ issues: [issue] }: z.ZodError): string {
  const { path, message } = issue ?? { path: [], message: '' }
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

/**
 * The minutes of day files of the platform, ascending, counted as they are when the bot reads them back: all minutes of a day
 * count as read. A file is of the day of most of its lines; the few around midnight that are of another one are left out.
 * Throws `HistoryError`.
 */
export async function readDayFiles(
  paths: readonly string[],
  complain: (line: string) => void,
): Promise<readonly MinuteCounts[]> {
  const files = new Map<number, { readonly path: string; readonly minutes: readonly MinuteCounts[] }>()
  for (const path of paths) {
    const { day, minutes } = await readDayFile(path, complain)
    const other = files.get(day)
    if (other !== undefined) throw new HistoryError(`${other.path} and ${path} are both of ${dayText(day)}.`)
    files.set(day, { path, minutes })
  }
  const days = [...files.keys()]
  if (Math.max(...days) - Math.min(...days) >= MAX_DAYS) throw new HistoryError(`What the files hold ${TOO_LONG}.`)
  return [...files].toSorted(([a], [b]) => a - b).flatMap(([, { minutes }]) => minutes)
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
    if (days.size > MAX_DAYS) throw new HistoryError(`${path} ${TOO_LONG}.`)
    tally.lines += 1
    const counts = tally.minutes[minute % DAY_MINUTES]
    if (counts !== undefined) countLine(counts, cacheStatus, statusCode)
  })
  await readBytes(path, async (chunks) => {
    for await (const chunk of chunks) reader.push(chunk)
  })
  const { malformedLines, tooLongLines, lines } = reader.finish()
  const [most] = [...days].toSorted(([, a], [, b]) => b.lines - a.lines)
  if (most === undefined) throw new HistoryError(`${path} has no lines of a log.`)
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

/** The bytes of a file, unpacked where its name ends in .gz. Throws `HistoryError` where it cannot be read. */
async function readBytes(path: string, work: (chunks: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
  const bytes = createReadStream(path)
  try {
    await (path.endsWith('.gz') ? pipeline(bytes, createGunzip(), work) : pipeline(bytes, work))
  } catch (error) {
    if (error instanceof HistoryError) throw error
    const code = codeOf(error)
    if (code === '') throw error
    throw new HistoryError(`${path} cannot be read (${code}).`)
  }
}
