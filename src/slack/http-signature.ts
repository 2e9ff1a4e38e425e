import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Secret } from '../shared/secret.ts'

/** Either way: Slack's clock and this machine's may differ, and a request signed for later is no less a forgery. */
const WINDOW_MS = 300_000
const TIMESTAMP = /^[1-9]\d{8,10}$/
const SIGNATURE = /^v0=[0-9a-f]{64}$/

/** The two headers that say who sent a request, in the one form that Slack writes. */
export interface Signed {
  /** Seconds since 1970, as it was written: the signature covers the digits. */
  readonly timestamp: string
  readonly signature: string
}

/** Why a request cannot be Slack's, as the log names it. */
export type Unsigned = 'not signed' | 'signed in another form' | 'signed at another time'

/** Reads the headers of a signature, before any byte of the body is taken. Node joins one that is there twice to another form. */
export function readSignature(headers: IncomingHttpHeaders, now: Date): Signed | Unsigned {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'not signed'
  if (!TIMESTAMP.test(timestamp) || !SIGNATURE.test(signature)) return 'signed in another form'
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > WINDOW_MS) return 'signed at another time'
  return { timestamp, signature }
}

/** Whether whoever knows the secret signed just these bytes at that time. Takes as long for any wrong signature. */
export function isSignedBy({ timestamp, signature }: Signed, body: Uint8Array, secret: Secret): boolean {
  const own = createHmac('sha256', secret.reveal()).update(`v0:${timestamp}:`).update(body).digest('hex')
  return timingSafeEqual(Buffer.from(`v0=${own}`), Buffer.from(signature))
}
