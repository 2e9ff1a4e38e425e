import * as z from 'zod'
import type { UnreachableReason } from './errors.ts'

/** What went wrong on the way, told from the error's code alone: messages may quote what was sent. */
export function networkReason(error: unknown): UnreachableReason {
  const code = codeOf(error)
  const known = REASONS.get(code)
  if (known !== undefined) return known
  return TLS_CODE.test(code) ? 'tls' : 'network'
}

/** Failures that happen before a connection exists, so that nothing can have been sent over it. */
export function failedBeforeConnecting(error: unknown): boolean {
  return BEFORE_CONNECTING.has(codeOf(error))
}

const REASONS: ReadonlyMap<string, UnreachableReason> = new Map([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reset'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
])
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/
const BEFORE_CONNECTING = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])

const WithCode = z.looseObject({ code: z.string() })

function codeOf(error: unknown): string {
  const read = WithCode.safeParse(error)
  return read.success ? read.data.code : ''
}
