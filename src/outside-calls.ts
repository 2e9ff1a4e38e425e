import { Agent, fetch, request } from 'undici'
import type { Clock } from './shared/clock.ts'
import type { Secret } from './shared/secret.ts'
import type { Fetch, Post } from './slack/web-api.ts'

/** Somebody else's server is not worth a longer wait: what it was told is told again later. */
const TIMEOUT_MS = 10_000

/** What is under way over HTTP/2 when a connection ends may be sent again over another one, also where it had an effect. */
const HTTP_1 = { allowH2: false } as const
const outside = new Agent(HTTP_1)

/** A call to an address of the settings went wrong. Says how, and never where: the address is a secret. */
export class OutsideCallError extends Error {
  override readonly name = 'OutsideCallError'
}

/** Sends JSON to an address by POST. Throws `OutsideCallError` unless it is answered with 2xx within ten seconds. */
export async function postJson(address: Secret, body: unknown, clock: Clock): Promise<void> {
  await call(address, clock, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Calls an address by GET. Throws `OutsideCallError` unless it is answered with 2xx within ten seconds. */
export async function ping(address: Secret, clock: Clock): Promise<void> {
  await call(address, clock, { method: 'GET' })
}

async function call(
  address: Secret,
  clock: Clock,
  request: { readonly method: string; readonly headers?: Record<string, string>; readonly body?: string },
): Promise<void> {
  const gaveUp = new AbortController()
  const timer = clock.after(TIMEOUT_MS, () => gaveUp.abort())
  let status: number
  try {
    // A redirect could carry it anywhere, another machine's inside included.
    const response = await fetch(address.reveal(), {
      ...request,
      redirect: 'error',
      signal: gaveUp.signal,
      dispatcher: outside,
    })
    status = response.status
    await response.body?.cancel()
  } catch {
    // Another cause may hold the address.
    throw new OutsideCallError(gaveUp.signal.aborted ? 'there was no answer in time' : 'it could not be reached')
  } finally {
    timer.cancel()
  }
  if (status < 200 || status > 299) throw new OutsideCallError(`it answered with ${status}`)
}

/** undici's own fetch costs a third of the global one; Slack's library only ever sends text through it. */
export const slackFetch: Fetch = async (url, { method, headers, body, redirect, signal } = {}) => {
  if (body !== undefined && typeof body !== 'string') throw new TypeError('Only text is sent to Slack this way')
  return fetch(url, {
    dispatcher: outside,
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(redirect !== undefined && { redirect }),
    ...(signal !== undefined && { signal }),
  })
}

/** What an address of Slack's answers is a word or two. */
const MAX_ANSWER_BYTES = 64 * 1_024

/**
 * Posts to addresses that Slack gave, by undici's `request`: it follows no redirect, and costs half of `fetch`. `heard` is
 * told the `Date` of each answer. An answer of more than 64 KB counts as none.
 */
export function slackPost(heard: (date: string | undefined, askedAtMs: number) => void, clock: Clock): Post {
  const dispatcher = new Agent({ ...HTTP_1, maxResponseSize: MAX_ANSWER_BYTES })
  return async (url, { type, body, signal }) => {
    const askedAtMs = clock.monotonicMs()
    const headers = { 'content-type': type }
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher })
    const { date } = answer.headers
    heard(typeof date === 'string' ? date : undefined, askedAtMs)
    return { ok: answer.statusCode >= 200 && answer.statusCode <= 299, text: await answer.body.text() }
  }
}
