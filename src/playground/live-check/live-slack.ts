import { WebSocket } from 'ws'
import * as z from 'zod'
import { type Clock, waitAtMost, withTimeout } from '../../shared/clock.ts'
import { jsonOrUndefined } from '../../shared/json.ts'
import type { readSlackSettings } from '../../config/settings.ts'
import { type OutsideCalls, outsideCalls } from '../../process/outside-calls.ts'

const CALL_TIMEOUT_MS = 10_000
const HELLO_TIMEOUT_MS = 10_000
const LONGEST_WAIT_S = 60

/** What Slack answered: with `error` when it refused, and its reasons where it gave any. */
export interface Reply {
  readonly error: string | undefined
  readonly reasons: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
}

const NO_ANSWER: Reply = { error: 'no_answer', reasons: [], body: {} }

const Body = z.record(z.string(), z.unknown())
const Refusal = z.object({
  error: z.string().default('no reason'),
  errors: z.array(z.union([z.string(), z.looseObject({ message: z.string(), pointer: z.string() })])).optional(),
  response_metadata: z.object({ messages: z.array(z.string()).optional() }).optional(),
})
const Envelope = z.looseObject({
  type: z.string(),
  envelope_id: z.string().optional(),
  num_connections: z.number().optional(),
  payload: z.unknown().optional(),
})
const Command = z.object({
  channel_id: z.string(),
  user_id: z.string(),
  trigger_id: z.string(),
  response_url: z.string(),
  text: z.string(),
})
export type Command = Readonly<z.output<typeof Command>>

/** A link of Socket Mode. Every delivery is acknowledged. */
export interface LiveLink {
  /** The app's links, this one included. */
  readonly connections: number
  /** The first slash command that is typed in the channel. */
  readonly command: Promise<Command>
  close(): void
}

/** Slack itself, called as the bot calls it, with what it says kept instead of acted on. */
export class LiveSlack {
  readonly #settings: ReturnType<typeof readSlackSettings>
  readonly #clock: Clock
  readonly #outside: OutsideCalls

  constructor(settings: ReturnType<typeof readSlackSettings>, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
    this.#outside = outsideCalls(clock, () => undefined)
  }

  /** Calls a method of the Web API. What is limited is tried once more after the time Slack asks for, at most a minute. */
  async call(method: string, args: object, token: 'bot' | 'app' | 'none' = 'bot'): Promise<Reply> {
    const { SLACK_API_URL, SLACK_BOT_TOKEN, SLACK_APP_TOKEN } = this.#settings
    const credential = { bot: SLACK_BOT_TOKEN, app: SLACK_APP_TOKEN, none: undefined }[token]
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(credential !== undefined && { authorization: `Bearer ${credential.reveal()}` }),
      },
      body: JSON.stringify(args),
    }
    const send = () =>
      this.#inTime((signal) => this.#outside.slackFetch(new URL(method, SLACK_API_URL).href, { ...request, signal }))
    let response = await send()
    if (response?.status === 429) {
      const waitS = Number(response.headers.get('retry-after') ?? '1')
      await this.#clock.sleep(Math.min(Number.isFinite(waitS) ? waitS : 1, LONGEST_WAIT_S) * 1_000)
      response = await send()
    }
    if (response === undefined) return NO_ANSWER
    return replyOf(await response.text())
  }

  /** Posts to an address that Slack gave: for an answer, or for a file. */
  async post(url: string, body: string, type: string): Promise<Reply> {
    const answer = await this.#inTime((signal) => this.#outside.slackPost(url, { type, body, signal }))
    if (answer === undefined) return NO_ANSWER
    return answer.ok && !answer.text.startsWith('{') ? { ...NO_ANSWER, error: undefined } : replyOf(answer.text)
  }

  /** Opens a link. Gives Slack's refusal where it is refused, `no_answer` where nothing is heard. */
  async link(channel: string): Promise<LiveLink | Reply> {
    const opened = await this.call('apps.connections.open', {}, 'app')
    const url = z.url({ protocol: /^wss?$/ }).safeParse(opened.body['url']).data
    if (url === undefined) return { ...opened, error: opened.error ?? 'no_answer' }
    const socket = new WebSocket(url)
    const greeted = Promise.withResolvers<number>()
    const typed = Promise.withResolvers<Command>()
    socket.on('error', () => socket.terminate())
    socket.on('message', (data: Buffer) => {
      const envelope = Envelope.safeParse(jsonOrUndefined(data.toString())).data
      if (envelope?.type === 'hello') greeted.resolve(envelope.num_connections ?? 1)
      if (envelope?.envelope_id === undefined) return
      socket.send(JSON.stringify({ envelope_id: envelope.envelope_id }))
      const command = envelope.type === 'slash_commands' ? Command.safeParse(envelope.payload).data : undefined
      if (command?.channel_id === channel) typed.resolve(command)
    })
    const hello = await waitAtMost(this.#clock, HELLO_TIMEOUT_MS, greeted.promise)
    if (hello === undefined) {
      socket.terminate()
      return NO_ANSWER
    }
    return { connections: hello.value, command: typed.promise, close: () => socket.terminate() }
  }

  /** Undefined when there was no answer in ten seconds, or none at all. */
  async #inTime<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return withTimeout(this.#clock, CALL_TIMEOUT_MS, send).catch(() => undefined)
  }
}

function replyOf(text: string): Reply {
  const body = Body.safeParse(jsonOrUndefined(text)).data ?? {}
  if (body['ok'] === true) return { error: undefined, reasons: [], body }
  const { error, errors, response_metadata: metadata } = Refusal.catch({ error: 'not_understood' }).parse(body)
  const given = errors?.map((each) => (typeof each === 'string' ? each : `${each.message} [${each.pointer}]`))
  return { error, reasons: given ?? metadata?.messages ?? [], body }
}
