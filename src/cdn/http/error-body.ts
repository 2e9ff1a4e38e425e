import * as z from 'zod'
import { jsonOrUndefined } from '../../shared/json.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Rejected } from '../contract/errors.ts'

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

/**
 * What the body of a refusal says, as far as it can be told; it may be any of several JSON shapes, text, a page of HTML, or
 * empty. Text is the platform's, bounded and made visible, and without the secret, which JSON may spell with escapes.
 */
export function readErrorBody(body: string, secret: string): Pick<Rejected, 'code' | 'field' | 'message'> {
  /** All that is text, each once; undefined where nothing is. */
  const shown = (parts: readonly (string | null | undefined)[], maxLength: number): string | undefined => {
    const all = parts.map((part) => part?.trim().replaceAll(secret, '[secret]') ?? '')
    const texts = new Set(all.filter((part) => part !== ''))
    return texts.size === 0 ? undefined : visible([...texts].join(' '), maxLength)
  }
  const trimmed = body.trim()
  if (/^<(?:!doctype|html|head|body|\?xml|!--)/i.test(trimmed)) return {}
  const json = jsonOrUndefined(trimmed)
  if (json === undefined || typeof json === 'string') return { message: shown([json ?? trimmed], MAX_MESSAGE_LENGTH) }
  const { ErrorKey, Field, Message, error, title, detail, message } = Shapes.safeParse(json).data ?? {}
  const said = error
    ? [error.message, ...(error.details ?? []).slice(0, MAX_DETAILS)]
    : [Message ?? message ?? title, detail]
  return {
    code: shown([error ? error.code : ErrorKey], MAX_CODE_LENGTH),
    field: shown([error ? undefined : Field], MAX_CODE_LENGTH),
    message: shown(said, MAX_MESSAGE_LENGTH),
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
