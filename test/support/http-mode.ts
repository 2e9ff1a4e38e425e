import type { DeliveryType, Transport } from '../../src/playground/slack/wire/deliveries.ts'
import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import type { Parts } from '../../src/playground/slack/wire/parts.ts'
import { signatureHeaders } from './request-signature.ts'

/** What requests are signed with. */
export const SIGNING_SECRET = 'emulator-signing-secret'

/** Slack hangs up when its three seconds are over; a little later, a late answer can still be told from none. */
const ANSWER_WITHIN_MS = 10_000
const MAX_ANSWER_BYTES = 1_000_000
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Where an app without Socket Mode takes requests. */
interface RequestUrls {
  readonly requestUrl: string
}

interface SignedRequest {
  readonly url: string
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends signed requests to an app's addresses from now on, instead of envelopes over its links. Rejects when the app
 * does not answer the challenge that Slack sends first.
 */
export async function useHttp({ parts }: Pick<SlackEmulator, 'parts'>, urls: RequestUrls): Promise<void> {
  const way = new HttpMode(parts, urls)
  await way.challenge()
  parts.deliveries.transport = way
}

/** Slack's other way to an app: a signed HTTP request for each delivery, acknowledged by its answer. */
class HttpMode implements Transport {
  readonly #parts: Parts
  readonly #urls: RequestUrls

  constructor(parts: Parts, urls: RequestUrls) {
    this.#parts = parts
    this.#urls = urls
  }

  async challenge(): Promise<void> {
    const { requestUrl } = this.#urls
    const challenge = this.#parts.clock.newId()
    const body = JSON.stringify({ type: 'url_verification', token: '', challenge })
    const answer = await this.#post({ url: requestUrl, type: JSON_TYPE, body }).catch(() => undefined)
    if (answer === undefined || !answer.text.includes(challenge)) {
      throw new Error(`${requestUrl} did not respond with the value of the challenge parameter`)
    }
  }

  send(id: string, type: DeliveryType, payload: object, extra: object): boolean {
    if (this.#parts.deliveries.isClosed) return false
    void this.#deliver(id, requestFor(this.#urls, type, payload, extra))
    return true
  }

  async #deliver(id: string, request: SignedRequest): Promise<void> {
    const { deliveries } = this.#parts
    try {
      const { ok, text, isJson } = await this.#post(request)
      if (ok) deliveries.acknowledge(id, acknowledgement(text, isJson))
      else deliveries.fail(id)
    } catch {
      deliveries.fail(id)
    }
  }

  async #post({ url, type, body, headers = {} }: SignedRequest) {
    const { clock } = this.#parts
    const late = new AbortController()
    const timer = clock.after(ANSWER_WITHIN_MS, () => late.abort(new Error('No answer')))
    try {
      const signed = signatureHeaders(body, SIGNING_SECRET, Math.floor(clock.now().getTime() / 1_000))
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': type, 'user-agent': 'Slackbot 1.0 (emulated)', ...signed, ...headers },
        body,
        redirect: 'manual',
        signal: late.signal,
      })
      const text = await boundedText(answer)
      const isJson = answer.headers.get('content-type')?.startsWith(JSON_TYPE) === true
      return { ok: answer.ok, text, isJson }
    } finally {
      timer.cancel()
    }
  }
}

/** The body of an answer. Throws for more than anybody answers. */
async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let left = MAX_ANSWER_BYTES
  for await (const chunk of body ?? []) {
    left -= chunk.length
    if (left < 0) throw new Error('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Commands come as a form, interactions as a form with JSON in it, events as JSON. */
function requestFor(urls: RequestUrls, type: DeliveryType, payload: object, extra: object): SignedRequest {
  if (type === 'events_api') {
    return { url: urls.requestUrl, type: JSON_TYPE, body: JSON.stringify(payload), headers: retryHeaders(extra) }
  }
  const fields =
    type === 'interactive'
      ? { payload: JSON.stringify(payload) }
      : Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]))
  return { url: urls.requestUrl, type: FORM, body: new URLSearchParams(fields).toString() }
}

/** What Socket Mode says beside the payload stands in headers here, and only when an event comes again. */
function retryHeaders(extra: object): Readonly<Record<string, string>> {
  if (!('retry_attempt' in extra) || extra.retry_attempt === 0) return {}
  const wasLate = 'retry_reason' in extra && extra.retry_reason === 'timeout'
  return {
    'x-slack-retry-num': String(extra.retry_attempt),
    'x-slack-retry-reason': wasLate ? 'http_timeout' : 'http_error',
  }
}

/** Nothing is a bare acknowledgement, JSON an answer, and any other text a message of just that text. */
function acknowledgement(text: string, isJson: boolean): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return undefined
  if (!isJson) return { text }
  const answer: unknown = JSON.parse(text)
  // Any object is a record of unknown fields; whoever reads it checks them.
  return typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : { text }
}
