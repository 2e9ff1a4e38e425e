import * as z from 'zod'
import { visible } from '../../shared/untrusted.ts'
import { parseJson } from '../contract/json.ts'

/** What the body of a refusal says, as far as it can be told. Text is the platform's, bounded and made visible. */
export interface ErrorBody {
  readonly code?: string
  readonly field?: string
  readonly message?: string
}

const MAX_MESSAGE_LENGTH = 300
const MAX_CODE_LENGTH = 64
const MAX_DETAILS = 5

const text = z.string().nullish().catch(undefined)

/** Every shape of refusal known. The contract shows none; fields of the wrong type are passed over. */
const Shapes = z.object({
  ErrorKey: text,
  Field: text,
  Message: text,
  error: z
    .object({ code: text, message: text, details: z.array(z.string()).nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
  title: text,
  detail: text,
  message: text,
})

/** Reads the body of a refusal, which may be any of several JSON shapes, text, a page of HTML, or empty. */
export function readErrorBody(body: string): ErrorBody {
  const trimmed = body.trim()
  if (trimmed === '' || looksLikeHtml(trimmed)) return {}
  const json = tryJson(trimmed)
  if (typeof json === 'string') return compact({ message: json })
  if (json === undefined) return compact({ message: trimmed })
  const read = Shapes.safeParse(json)
  return read.success ? compact(fromShapes(read.data)) : {}
}

function looksLikeHtml(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(body)
}

type Found = { readonly [Name in keyof ErrorBody]?: string | null | undefined }

function fromShapes({ ErrorKey, Field, Message, error, title, detail, message }: z.output<typeof Shapes>): Found {
  if (error !== undefined && error !== null) {
    return { code: error.code, message: joined([error.message, ...(error.details ?? []).slice(0, MAX_DETAILS)]) }
  }
  return { code: ErrorKey, field: Field, message: joined([Message ?? message ?? title, detail]) }
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return parts
    .map((part) => part?.trim() ?? '')
    .filter((part, index, all) => part !== '' && all.indexOf(part) === index)
    .join(' ')
}

function compact({ code, field, message }: Found): ErrorBody {
  return {
    ...shown('code', code, MAX_CODE_LENGTH),
    ...shown('field', field, MAX_CODE_LENGTH),
    ...shown('message', message, MAX_MESSAGE_LENGTH),
  }
}

function shown(name: keyof ErrorBody, value: string | null | undefined, maxLength: number): ErrorBody {
  const trimmed = value?.trim() ?? ''
  return trimmed === '' ? {} : { [name]: visible(trimmed, maxLength) }
}

function tryJson(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

/** However long the platform asks for, nobody is made to wait longer than this on its word. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * The wait a `Retry-After` header asks for: seconds, or a date in any of HTTP's three forms. A date that has passed
 * means now; anything else is as if the header were not there.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,10}(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1_000), MAX_RETRY_AFTER_MS)
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return undefined
  // The oldest form names no zone and means GMT all the same, where Date would take local time.
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  if (Number.isNaN(at)) return undefined
  return Math.min(Math.max(at - now.getTime(), 0), MAX_RETRY_AFTER_MS)
}
