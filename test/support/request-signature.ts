import { createHmac } from 'node:crypto'

/** The headers by which an app knows that a request is Slack's: HMAC-SHA256 over version, time and body. */
export function signatureHeaders(body: string, secret: string, epochS: number): Readonly<Record<string, string>> {
  const hash = createHmac('sha256', secret).update(`v0:${epochS}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': String(epochS), 'x-slack-signature': `v0=${hash}` }
}
