import { Agent, fetch, request, type RequestInit } from 'undici'
import { type Clock, withTimeout } from '../shared/clock.ts'
import type { Secret } from '../shared/secret.ts'
import type { Fetch, Post } from '../slack/out/web-api.ts'

/** Somebody else's server is not worth a longer wait: what it was told is told again later. */
const TIMEOUT_MS = 10_000

/** What an address of Slack's answers is a word or two. */
const MAX_ANSWER_BYTES = 64 * 1_024

/** A call to an address of the settings went wrong. Says how, and never where: the address is a secret. */
export class OutsideCallError extends Error {
  override readonly name = 'OutsideCallError'
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined

  constructor(how: string, status?: number) {
    super(how)
    this.status = status
  }
}

export type OutsideCalls = ReturnType<typeof outsideCalls>

/**
 * What is called besides the platform: Slack, and addresses of the settings. `heard` is told the `Date` of each answer of
 * Slack's, and when it was asked, in the clock's monotonic time.
 */
export function outsideCalls(clock: Clock, heard: (date: string | undefined, askedAtMs: number) => void) {
  // What is under way over HTTP/2 when a connection ends may be sent again over another one, also where it had an effect.
  const agent = new Agent({ allowH2: false })
  const agentForWords = new Agent({ allowH2: false, maxResponseSize: MAX_ANSWER_BYTES })

  const call = async (address: Secret, how: RequestInit = {}): Promise<void> => {
    const status = await withTimeout(clock, TIMEOUT_MS, async (signal) => {
      try {
        // A redirect could carry it anywhere, another machine's inside included.
        const response = await fetch(address.reveal(), { ...how, redirect: 'error', signal, dispatcher: agent })
        await response.body?.cancel()
        return response.status
      } catch {
        // Another cause may hold the address.
        throw new OutsideCallError(signal.aborted ? 'there was no answer in time' : 'it could not be reached')
      }
    })
    if (status < 200 || status > 299) throw new OutsideCallError(`it answered with ${status}`, status)
  }

  /** undici's own fetch costs a third of the global one; Slack's library only ever sends text through it. */
  const slackFetch: Fetch = async (url, how) => {
    const askedAtMs = clock.monotonicMs()
    // A boundary: the library types what it hands over by the global fetch, which is undici's as well.
    const response = await fetch(url, { ...(how as RequestInit), dispatcher: agent })
    heard(response.headers.get('date') ?? undefined, askedAtMs)
    return response
  }

  /**
   * Posts to addresses that Slack gave, by undici's `request`: it follows no redirect, and costs half of `fetch`. An answer
   * of more than 64 KB counts as none.
   */
  const slackPost: Post = async (url, { type, body, signal }) => {
    const askedAtMs = clock.monotonicMs()
    const headers = { 'content-type': type }
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agentForWords })
    const { date } = answer.headers
    heard(typeof date === 'string' ? date : undefined, askedAtMs)
    return { ok: answer.statusCode >= 200 && answer.statusCode <= 299, text: await answer.body.text() }
  }

  return {
    slackFetch,
    slackPost,
    /** Sends JSON to an address by POST. Throws `OutsideCallError` unless it is answered with 2xx within ten seconds. */
    postJson: (address: Secret, body: unknown) =>
      call(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    /** Calls an address by GET. Throws `OutsideCallError` unless it is answered with 2xx within ten seconds. */
    ping: (address: Secret) => call(address),
    /** Reads JSON from an address of this machine's. Rejects when there is none within ten seconds. */
    readJson: (url: URL): Promise<unknown> =>
      withTimeout(clock, TIMEOUT_MS, async (signal) => {
        const answer = await request(url, { dispatcher: agentForWords, signal })
        return answer.body.json()
      }),
  }
}
