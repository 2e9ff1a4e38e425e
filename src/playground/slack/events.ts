import type { Outcome } from './deliveries.ts'
import type { Parts } from './parts.ts'
import { eventPayload } from './payloads.ts'
import { BOT_USER_ID } from './seed.ts'

/** Events that nobody acknowledged come again: at once, after a minute, after five. */
const RETRY_AFTER_MS = [0, 60_000, 300_000] as const

/** Something that happened in the workspace, by the name an app asks for it with. */
type SlackEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/**
 * Sends an event to an app that asked for its kind, and waits for the first attempt; later attempts go on by
 * themselves. Undefined when the app did not ask.
 */
export async function sendEvent(event: SlackEvent, parts: Parts): Promise<Outcome | undefined> {
  if (parts.app.events?.includes(event.type) === false) return undefined
  const payload = eventPayload(event, parts, BOT_USER_ID)
  return attempt(payload, { retry_attempt: 0, retry_reason: '' }, parts)
}

/** Which attempt it is, and why the one before failed. */
interface Retry {
  readonly retry_attempt: number
  readonly retry_reason: '' | 'timeout' | 'error'
}

async function attempt(payload: Readonly<Record<string, unknown>>, retry: Retry, parts: Parts): Promise<Outcome> {
  const outcome = await parts.deliveries.deliver(parts.transport, 'events_api', payload, { fields: retry })
  const delayMs = RETRY_AFTER_MS[retry.retry_attempt]
  const isDone = outcome.kind === 'acked' || (outcome.kind === 'unreachable' && outcome.isFinal === true)
  if (!isDone && delayMs !== undefined && !parts.deliveries.isClosed) {
    const next: Retry = {
      retry_attempt: retry.retry_attempt + 1,
      retry_reason: outcome.kind === 'timeout' ? 'timeout' : 'error',
    }
    parts.clock.after(delayMs, () => void attempt(payload, next, parts))
  }
  return outcome
}
