import type { SocketModeReceiver } from '@slack/bolt'
import * as z from 'zod'
import type { Log } from '../shared/log.ts'

const MAX_FRAME_CHARACTERS = 1_000_000
/** Slack's library tells itself of these by the same means as of Slack's events. */
const ITS_OWN: ReadonlySet<string> = new Set([
  'authenticated',
  'close',
  'connected',
  'connecting',
  'disconnected',
  'disconnecting',
  'error',
  'reconnecting',
  'slack_event',
  'ws_message',
])

const Something = z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const EventName = z
  .string()
  .max(100)
  .refine((name) => !ITS_OWN.has(name))

/** What Slack sends over a link: word about the link itself, or an envelope with a payload. */
const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['hello', 'disconnect']) }),
  z.object({ type: z.enum(['slash_commands', 'interactive']), envelope_id: z.string(), payload: Something }),
  z.object({
    type: z.literal('events_api'),
    envelope_id: z.string(),
    payload: z.object({ event: z.object({ type: EventName }) }),
  }),
])

/**
 * Keeps from Slack's library what it would fail on, as an error that nothing handles: frames that are no JSON objects, of
 * another kind, or without what their kind has. They are logged, by nothing of what is in them.
 */
export function keepOddFramesFrom({ client }: SocketModeReceiver, log: Log): void {
  const readers = client.listeners('ws_message')
  client.removeAllListeners('ws_message')
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    if (isReadable(data, isBinary)) for (const read of readers) Reflect.apply(read, client, [data, isBinary])
    else log.warn('Slack sent something over a link that is no delivery: it was dropped')
  })
}

const DECODER = new TextDecoder('utf-8', { fatal: true })

function isReadable(data: unknown, isBinary: unknown): boolean {
  try {
    const text = typeof data === 'string' ? data : DECODER.decode(data as Uint8Array) // a frame is text or bytes
    return isBinary !== true && text.length <= MAX_FRAME_CHARACTERS && Frame.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
