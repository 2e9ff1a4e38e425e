import type { App } from '@slack/bolt'
import { registerListeners } from '../../src/slack/listeners.ts'
import type { ListenerOptions } from '../../src/slack/listeners/delivery.ts'

/** A listener as Bolt calls it. */
export type Handler = (given: {
  ack: (answer?: unknown) => Promise<void>
  body: unknown
  event?: unknown
}) => Promise<void>

/** Keeps what is registered with it, by kind. */
export class RecordingApp {
  readonly handlers = new Map<string, Handler>()
  onError: (error: unknown) => Promise<void> = async () => undefined

  command = (_: RegExp, handler: Handler) => this.handlers.set('command', handler)
  view = ({ type }: { readonly type: string }, handler: Handler) => this.handlers.set(type, handler)
  action = (_: unknown, handler: Handler) => this.handlers.set('action', handler)
  options = (_: unknown, handler: Handler) => this.handlers.set('options', handler)
  shortcut = ({ type }: { readonly type: string }, handler: Handler) => this.handlers.set(type, handler)
  event = (name: string, handler: Handler) => this.handlers.set(name, handler)
  error = (handler: typeof this.onError) => (this.onError = handler)
}

/** Hands a delivery to its listener, and returns what it was acknowledged with. */
export async function deliverTo(app: RecordingApp, kind: string, body: unknown): Promise<readonly unknown[]> {
  const acks: unknown[] = []
  await app.handlers.get(kind)?.({ ack: async (answer) => void acks.push(answer), body })
  return acks
}

/** A read that a viewer typed, as Slack sends it. */
export const TYPED_READ = {
  command: '/cdn',
  text: 'lines list',
  user_id: 'UVERA',
  team_id: 'T1',
  channel_id: 'C1',
  response_url: 'https://slack.test/typed',
  trigger_id: 'trigger',
}

/** An app with the listeners of the Slack floor. `onAck` is told of each acknowledgement, by kind, and how long it took. */
export function listeningApp(slack: ListenerOptions, onAck: (kind: string, ms: number) => void): RecordingApp {
  const app = new RecordingApp()
  registerListeners(app as unknown as App, { ...slack, onAck })
  return app
}

/** Hands a delivery to the listeners of the floor, as Slack does. An event comes as its own body. */
export async function deliver(
  slack: ListenerOptions,
  kind: string,
  body: unknown,
  ack: (answer?: unknown) => Promise<void> = async () => undefined,
): Promise<void> {
  await listeningApp(slack, () => undefined).handlers.get(kind)?.({ ack, body, event: body })
}
