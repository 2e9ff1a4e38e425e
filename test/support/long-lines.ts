import { Readable, pipeline } from 'node:stream'
import { GIVE_BACK_MS, type LogLimiter } from '../../src/cdn/http/log-limit.ts'
import type { Clock } from '../../src/shared/clock.ts'
import type { Answer } from '../cdn/platform-server.ts'
import type { TurnedClock } from './turned-clock.ts'

/** A line of a log whose address is as long as a visitor made it. */
export interface LongLine {
  readonly atMs: number
  readonly length: number
  readonly cacheStatus?: string
}

export interface LongLogOptions {
  /** The lines of a stretch of time, oldest first. */
  readonly lines: (fromMs: number, untilMs: number) => readonly LongLine[]
  readonly clock: Pick<Clock, 'now'>
  /** Whether an answer says how long it is before it comes. */
  readonly announced?: boolean
}

/** As much as alerts may use of a zone's limit: time passes by a window after each six calls. */
export function paced(clock: TurnedClock): LogLimiter {
  let calls = 0
  return {
    run: async (_zone, _wish, call) => {
      calls += 1
      if (calls % 6 === 0) clock.turn(GIVE_BACK_MS)
      return call(() => undefined)
    },
  }
}

const ROW_END = Buffer.from('"}')
const PIECE_BYTES = 256 * 1024

/** A pull zone's log, as version 2 serves it. */
export function longLog({ lines, clock, announced = false }: LongLogOptions): Answer {
  const paddings = new Map<number, Buffer>()
  const padding = (length: number): Buffer => {
    const known = paddings.get(length) ?? Buffer.alloc(length, 'x')
    paddings.set(length, known)
    return known
  }
  /** Up to its address, which is last. */
  const rowOf = ({ atMs, cacheStatus = 'HIT' }: LongLine): string =>
    JSON.stringify({
      timestamp: new Date(atMs).toISOString(),
      requestId: atMs.toString(16).padStart(32, '0'),
      cacheStatus,
      statusCode: 200,
      path: '/',
    }).slice(0, -2)
  return (response, request) => {
    const { searchParams } = new URL(request.url ?? '', 'http://platform.invalid')
    const nowMs = clock.now().getTime()
    const to = Math.min(Date.parse(searchParams.get('to') ?? '') || nowMs, nowMs)
    const from = Date.parse(searchParams.get('from') ?? '') || to - 86_400_000
    const limit = Number(searchParams.get('limit'))
    const offset = Number(searchParams.get('offset') ?? 0)
    const found = lines(from, to)
    const ordered = searchParams.get('order') === 'asc' ? found : found.toReversed()
    const rows = ordered.slice(offset, offset + limit)
    const envelope = {
      pagination: { offset, limit, returned: rows.length, hasMore: offset + limit < ordered.length },
      query: { pullZoneId: 301, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    }
    const parts = [
      Buffer.from('{"data":['),
      ...rows.flatMap((row, index) => [
        Buffer.from(`${index === 0 ? '' : ','}${rowOf(row)}`),
        padding(row.length),
        ROW_END,
      ]),
      Buffer.from(`],${JSON.stringify(envelope).slice(1)}`),
    ]
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    response.writeHead(200, { 'content-type': 'application/json', ...(announced && { 'content-length': length }) })
    // A client that has seen enough goes away.
    pipeline(Readable.from(inPieces(parts)), response, () => undefined)
  }
}

/** Put together only as far as somebody reads. */
function* inPieces(parts: readonly Buffer[]): Generator<Buffer> {
  let piece: Buffer[] = []
  let length = 0
  for (const part of parts) {
    piece.push(part)
    length += part.length
    if (length < PIECE_BYTES) continue
    yield Buffer.concat(piece)
    piece = []
    length = 0
  }
  yield Buffer.concat(piece)
}
