import type { Fault } from '../../src/playground/cdn/faults.ts'
import { fromJson, toJson, type Chunks, type WireAnswer } from '../../src/playground/cdn/wire.ts'
import type { Clock } from '../../src/shared/clock.ts'

/** How an answer of the platform can be spoiled. */
export type Broken =
  /** An answer with this status that is nobody's error body. */
  | { readonly kind: 'status'; readonly status: number; readonly body: 'empty' | 'html'; readonly retryAfter?: string }
  | { readonly kind: 'redirect'; readonly location: string }
  /** The right answer comes a few bytes at a time. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** The right answer behind that many bytes of white space; with `gzip` a thousandth of them travels. */
  | { readonly kind: 'huge'; readonly bytes: number; readonly gzip: boolean }
  /**
   * Half of the right answer, then a reset; no body; a page of some proxy; every value of another type; fields nobody
   * described; text that stops in the middle; a byte that is no UTF-8; arrays in arrays; compressed, asked for or not.
   */
  | {
      readonly kind:
        | 'cut'
        | 'empty'
        | 'html'
        | 'wrong types'
        | 'extra fields'
        | 'bad JSON'
        | 'bad UTF-8'
        | 'deep'
        | 'gzip'
    }

const DEPTH = 100_000
const PADDING = Buffer.alloc(65_536, ' ')
const PROXY_PAGE = '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>'

/** The fault that the emulated platform takes. */
export function faultOf(given: Fault | Broken): Fault {
  switch (given.kind) {
    case 'reset':
    case 'hang':
    case 'slow':
    case 'spoiled':
      return given
    case 'status':
      return 'body' in given ? refusal(given.status, given) : given
    case 'redirect':
      return refusal(307, { body: 'empty' }, { location: given.location })
    default:
      return {
        kind: 'spoiled',
        name: given.kind,
        carriedOut: true,
        spoil: (answer, clock, gone) => spoiled(answer, given, clock, gone),
      }
  }
}

function refusal(
  status: number,
  { body, retryAfter }: { readonly body: 'empty' | 'html'; readonly retryAfter?: string },
  more: Readonly<Record<string, string>> = {},
): Fault {
  const isPage = body === 'html'
  const headers = {
    ...more,
    ...(isPage && { 'content-type': 'text/html' }),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  }
  const chunks = isPage ? [`<html><body><h1>${status}</h1></body></html>`] : []
  return { kind: 'spoiled', name: String(status), carriedOut: false, spoil: () => ({ status, headers, chunks }) }
}

function spoiled(
  answer: WireAnswer,
  broken: Exclude<Broken, { kind: 'status' } | { kind: 'redirect' }>,
  clock: Clock,
  gone: AbortSignal,
): WireAnswer {
  const isJson = answer.headers['content-type']?.startsWith('application/json') === true
  switch (broken.kind) {
    case 'empty':
      return { ...answer, chunks: [] }
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, chunks: [PROXY_PAGE] }
    case 'wrong types':
      return withText(answer, isJson ? (text) => toJson(retyped(fromJson(text))) : retypedLines)
    case 'extra fields':
      return withText(answer, isJson ? moreFields : (text) => text.replaceAll('\n', '|surprise|1\n'))
    case 'bad JSON':
      return withText(answer, (text) => text.slice(0, Math.ceil(text.length / 2)))
    case 'bad UTF-8':
      return { ...answer, chunks: misencoded(answer.chunks) }
    case 'deep':
      return { ...answer, chunks: ['['.repeat(DEPTH), ']'.repeat(DEPTH)] }
    case 'huge':
      return { ...answer, chunks: padded(answer.chunks, broken.bytes), gzip: broken.gzip }
    case 'gzip':
      return { ...answer, gzip: true }
    case 'drip':
      return { ...answer, chunks: dripped(answer.chunks, broken, clock, gone), gzip: false }
    case 'cut':
      return { ...answer, chunks: cutShort(answer.chunks), gzip: false }
    default:
      return broken satisfies never
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
