import type { Fault } from '../../src/playground/cdn/faults.ts'
import { fromJson, toJson, type WireAnswer } from '../../src/playground/cdn/wire.ts'

const PROXY_PAGE = '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>'

/** Ways in which the emulated platform carries out what it is asked, and spoils its answer. */
export const BROKEN = {
  /** A page of some proxy. */
  html: spoiled('html', () => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    chunks: [PROXY_PAGE],
  })),
  /** Every value has another type. */
  'wrong types': spoiled('wrong types', (answer) => changed(answer, (text) => toJson(retyped(fromJson(text))))),
  /** Text that stops in the middle. */
  'half a JSON': spoiled('half a JSON', (answer) =>
    changed(answer, (text) => text.slice(0, Math.ceil(text.length / 2))),
  ),
  /** The same, and then the connection breaks. */
  cut: spoiled('cut', (answer) => ({ ...answer, chunks: cutShort(answer.chunks), gzip: false })),
} as const satisfies Readonly<Record<string, Fault>>

function spoiled(name: string, spoil: (answer: WireAnswer) => WireAnswer): Fault {
  return { kind: 'spoiled', name, carriedOut: true, spoil }
}

function changed(answer: WireAnswer, change: (text: string) => string): WireAnswer {
  const chunks = async function* (): AsyncGenerator<string> {
    for await (const chunk of answer.chunks) yield change(String(chunk))
  }
  return { ...answer, chunks: chunks() }
}

async function* cutShort(chunks: WireAnswer['chunks']): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const whole = Buffer.from(chunk)
    yield whole.subarray(0, Math.ceil(whole.length / 2))
    throw new Error('Cut short on purpose')
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
