import type { Clock } from '../../shared/clock.ts'
import type { DeliveryType, Transport } from './deliveries.ts'
import { signatureHeaders } from './request-signature.ts'
import { epochSeconds } from './timestamps.ts'

/** Slack hangs up when its three seconds are over; a little later, a late answer can still be told from none. */
const ANSWER_WITHIN_MS = 10_000
const MAX_ANSWER_BYTES = 1_000_000
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Where an app without Socket Mode takes requests. */
export interface RequestUrls {
  /** For commands, interactions and events. */
  readonly requestUrl: string
  /** For the options of external selects, if they go elsewhere. */
  readonly optionsUrl?: string
}

/** What an app's answer is told to. */
interface Listener {
  readonly acknowledge: (id: string, payload: Readonly<Record<string, unknown>> | undefined) => void
  readonly fail: (id: string, isFinal: boolean) => void
}

interface SignedRequest {
  readonly url: string
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Slack's other way to an app: a signed HTTP request for each delivery, acknowledged by its answer. */
export class HttpMode implements Transport {
  readonly #clock: Clock
  readonly #secret: string
  readonly #listener: Listener
  readonly #closing = new AbortController()
  #urls: RequestUrls | undefined

  constructor(clock: Clock, secret: string, listener: Listener) {
    this.#clock = clock
    this.#secret = secret
    this.#listener = listener
  }

  /** True while deliveries go this way. */
  get isOn(): boolean {
    return this.#urls !== undefined
  }

  /** Goes this way from now on, once the address has repeated a challenge as an app must. Rejects if it does not. */
  async switchOn(urls: RequestUrls): Promise<void> {
    const challenge = this.#clock.newId()
    const body = JSON.stringify({ type: 'url_verification', token: '', challenge })
    const answer = await this.#post({ url: urls.requestUrl, type: JSON_TYPE, body }).catch(() => undefined)
    if (answer === undefined || !answer.text.includes(challenge)) {
      throw new Error(`${urls.requestUrl} did not respond with the value of the challenge parameter`)
    }
    this.#urls = urls
  }

  switchOff(): void {
    this.#urls = undefined
  }

  send(id: string, type: DeliveryType, payload: object, extra: object): boolean {
    const urls = this.#urls
    if (urls === undefined || this.#closing.signal.aborted) return false
    void this.#deliver(id, requestFor(urls, type, payload, extra))
    return true
  }

  /** Breaks off every request. */
  close(): void {
    this.#closing.abort(new Error('The workspace is closed'))
  }

  async #deliver(id: string, request: SignedRequest): Promise<void> {
    try {
      const { ok, text, isJson, isFinal } = await this.#post(request)
      if (ok) this.#listener.acknowledge(id, acknowledgement(text, isJson))
      else this.#listener.fail(id, isFinal)
    } catch {
      this.#listener.fail(id, false)
    }
  }

  async #post({ url, type, body, headers = {} }: SignedRequest) {
    const late = new AbortController()
    const timer = this.#clock.after(ANSWER_WITHIN_MS, () => late.abort(new Error('No answer')))
    try {
      const signed = signatureHeaders(body, this.#secret, epochSeconds(this.#clock))
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': type, 'user-agent': 'Slackbot 1.0 (emulated)', ...signed, ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([late.signal, this.#closing.signal]),
      })
      const text = await boundedText(answer)
      const isJson = answer.headers.get('content-type')?.startsWith(JSON_TYPE) === true
      return { ok: answer.ok, text, isJson, isFinal: answer.headers.get('x-slack-no-retry') === '1' }
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
  const asksOptions = 'type' in payload && payload.type === 'block_suggestion'
  const url = asksOptions ? (urls.optionsUrl ?? urls.requestUrl) : urls.requestUrl
  const fields =
    type === 'interactive'
      ? { payload: JSON.stringify(payload) }
      : Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]))
  return { url, type: FORM, body: new URLSearchParams(fields).toString() }
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
