import type { Clock } from '../../shared/clock.ts'
import { unreachable } from '../../shared/errors.ts'
import type { Fault } from './fault.ts'
import { isJson, type Chunks, type WireAnswer } from './wire-answer.ts'
import { fromJson, toJson } from './wire-json.ts'

const DEPTH = 100_000
const PADDING = Buffer.alloc(65_536, ' ')
const PROXY_PAGE = '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>'

/** The right answer as a fault spoils it. Faults that are not about the answer's content leave it as it is. */
export function brokenAnswer(answer: WireAnswer, fault: Fault, clock: Clock, signal: AbortSignal): WireAnswer {
  switch (fault.kind) {
    case 'empty':
      return { ...answer, chunks: [] }
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, chunks: [PROXY_PAGE] }
    case 'wrong types':
      return withText(answer, isJson(answer) ? (text) => toJson(retyped(fromJson(text))) : retypedLines)
    case 'extra fields':
      return withText(answer, isJson(answer) ? moreFields : (text) => text.replaceAll('\n', '|surprise|1\n'))
    case 'bad JSON':
      return withText(answer, (text) => text.slice(0, Math.ceil(text.length / 2)))
    case 'bad UTF-8':
      return { ...answer, chunks: misencoded(answer.chunks) }
    case 'deep':
      return { ...answer, chunks: ['['.repeat(DEPTH), ']'.repeat(DEPTH)] }
    case 'huge':
      return { ...answer, chunks: padded(answer.chunks, fault.bytes), gzip: fault.gzip }
    case 'gzip':
      return { ...answer, gzip: true }
    case 'drip':
      return { ...answer, chunks: dripped(answer.chunks, fault, clock, signal), gzip: false }
    case 'cut':
      return { ...answer, chunks: cutShort(answer.chunks), gzip: false }
    case 'status':
    case 'reset':
    case 'hang':
    case 'slow':
    case 'redirect':
      return answer
    default:
      return unreachable(fault)
  }
}

/** Ends an answer in the middle; the connection goes with it. */
class CutShort extends Error {
  override readonly name = 'CutShort'
}

function withText(answer: WireAnswer, change: (text: string) => string): WireAnswer {
  return { ...answer, chunks: changed(answer.chunks, change) }
}

async function* changed(chunks: Chunks, change: (text: string) => string): AsyncGenerator<string> {
  for await (const chunk of chunks) yield change(String(chunk))
}

async function* misencoded(chunks: Chunks): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const bytes = Buffer.from(String(chunk))
    const inside = bytes.indexOf('"') + 1
    yield Buffer.concat([bytes.subarray(0, inside), Buffer.of(0xff, 0xfe), bytes.subarray(inside)])
  }
}

async function* padded(chunks: Chunks, bytes: number): AsyncGenerator<string | Buffer> {
  for (let left = bytes; left > 0; left -= PADDING.length) yield PADDING.subarray(0, left)
  for await (const chunk of chunks) yield chunk
}

async function* dripped(
  chunks: Chunks,
  { bytes, everyMs }: { readonly bytes: number; readonly everyMs: number },
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const whole = Buffer.from(chunk)
    for (let at = 0; at < whole.length; at += bytes) {
      yield whole.subarray(at, at + bytes)
      await clock.sleep(everyMs, signal)
    }
  }
}

async function* cutShort(chunks: Chunks): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const whole = Buffer.from(chunk)
    yield whole.subarray(0, Math.ceil(whole.length / 2))
    throw new CutShort('Cut short on purpose')
  }
}

/** Numbers become text, text and yes-or-no become numbers, lists and objects keep their shape. */
function retyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(retyped)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, retyped(field)]))
  }
  return typeof value === 'number' || typeof value === 'bigint' ? 'seven' : 7.5
}

function retypedLines(text: string): string {
  return text.replaceAll(/[^|\n]+/g, 'seven')
}

function moreFields(text: string): string {
  const body = fromJson(text)
  const more = { Surprise: 'a new field', Nested: { Deeper: [1, 2, 3] } }
  return toJson(typeof body === 'object' && body !== null ? { ...body, ...more } : body)
}
