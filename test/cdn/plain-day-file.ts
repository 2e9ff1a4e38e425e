import type { LogEntry } from '../../src/cdn/log-entry.ts'
import { maskUrl, maskUrlsIn } from '../../src/cdn/mask-url.ts'

/** A day file read the plain way, line by line and field by field: what the fast reading has to agree with. */
export interface PlainReading {
  readonly entries: readonly LogEntry[]
  readonly bytes: number
  readonly lines: number
  readonly matched: number
  readonly malformedLines: number
  readonly tooLongLines: number
  readonly counts: Readonly<Record<string, number>>
  readonly sent: Readonly<Record<string, bigint>>
  readonly classes: Readonly<Record<string, number>>
}

const MAX_LINE_BYTES = 64 * 1024
const MIN_FIELDS = 12
const KNOWN_FIELDS = 14
const MAX_FIELDS = 15

/** Reads all of a file's bytes; entries are made of lines whose cache status is one of those wanted. */
export function readPlainly(file: Buffer, wanted: ReadonlySet<string>): PlainReading {
  const entries: LogEntry[] = []
  const counts: Record<string, number> = {}
  const sent: Record<string, bigint> = {}
  const classes: Record<string, number> = {}
  let malformedLines = 0
  // Each character of this text is a byte, so that places and lengths are those of bytes.
  const all = file
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
  const lines = all.filter(({ length }) => length <= MAX_LINE_BYTES)
  for (const line of lines) {
    const [status = '', code = '', ...rest] = line.split('|')
    if (!/^.{1,31}$/s.test(status) || !/^[1-5]\d\d$/.test(code) || rest.length === 0) {
      malformedLines += 1
      continue
    }
    counts[status] = (counts[status] ?? 0) + 1
    sent[status] = (sent[status] ?? 0n) + (rest.length > 2 ? (integer(rest[1]) ?? 0n) : 0n)
    const statusClass = `${code.slice(0, 1)}xx`
    classes[statusClass] = (classes[statusClass] ?? 0) + 1
    if (!wanted.has(status)) continue
    const entry = entryOf(line.replace(/\r$/, '').split('|'))
    if (entry === undefined) malformedLines += 1
    else entries.push(entry)
  }
  return {
    entries,
    counts,
    sent,
    classes,
    malformedLines,
    bytes: file.length,
    lines: all.length,
    matched: entries.length,
    tooLongLines: all.length - lines.length,
  }
}

function entryOf(fields: readonly string[]): LogEntry | undefined {
  if (fields.length < MIN_FIELDS || fields.length > MAX_FIELDS) return undefined
  const texts = fields.slice(0, KNOWN_FIELDS).map((field) => Buffer.from(field, 'latin1').toString())
  const text = (index: number): string | undefined => (texts[index] === '-' ? undefined : texts[index] || undefined)
  const masked = (index: number): string | undefined => mapped(text(index), maskUrl)
  const time = fields[2] ?? ''
  return {
    cacheStatus: texts[0],
    statusCode: Number(texts[1]),
    timestamp: /^\d{1,15}$/.test(time) ? new Date(Number(time)) : undefined,
    bytesSent: integer(texts[3]),
    pullZoneId: integer(texts[4]),
    remoteIp: text(5),
    referer: masked(6),
    url: masked(7),
    edgeLocation: text(8),
    userAgent: mapped(text(9), maskUrlsIn),
    requestId: text(10),
    countryCode: text(11),
    bodyBytesSent: integer(texts[12]),
    contentRange: text(13),
  }
}

function integer(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
}

function mapped(text: string | undefined, map: (text: string) => string): string | undefined {
  return text === undefined ? undefined : map(text)
}
