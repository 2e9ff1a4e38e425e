import { request } from 'node:http'
import type { App } from '@slack/bolt'
import { signatureHeaders } from './request-signature.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import { Secret } from '../../src/shared/secret.ts'
import { HttpReceiver, REQUEST_PATH } from '../../src/slack/gateway/http-receiver.ts'
import type { Origin } from '../../src/slack/gateway/http-body-parser.ts'
import { type LogLine, recordingLog } from './recording-log.ts'

export const SIGNING_SECRET = 'a-signing-secret'
const FORM = 'application/x-www-form-urlencoded'
export const JSON_TYPE = 'application/json'

type Event = Parameters<App['processEvent']>[0]

/** A door with an app behind it that does what a test wants. */
export interface OpenDoor {
  readonly door: HttpReceiver
  readonly port: number
  /** Bodies that the app was handed. */
  readonly events: readonly Event['body'][]
  readonly foreign: readonly { readonly origin: Origin; readonly what: string }[]
  readonly lines: readonly LogLine[]
  /** How the app handles the next deliveries; acknowledges unless said. */
  handle: (event: Event) => Promise<void>
  /** Keys that were noted in the store; what it does with a key may be changed. */
  isFirst: (key: string) => Promise<boolean>
}

export async function openDoor({ clock = systemClock, started = true }: { clock?: Clock; started?: boolean } = {}) {
  const { log, lines } = recordingLog()
  const keys = new Set<string>()
  const events: Event['body'][] = []
  const foreign: OpenDoor['foreign'][number][] = []
  const door = new HttpReceiver({
    address: { host: '127.0.0.1', port: 0 },
    signingSecret: new Secret(SIGNING_SECRET),
    store: { isFirst: (key) => open.isFirst(key) },
    clock,
    log,
    onForeign: async (origin, what) => void foreign.push({ origin, what }),
    onLinks: () => undefined,
  })
  const open: OpenDoor & { handle: OpenDoor['handle']; isFirst: OpenDoor['isFirst'] } = {
    door,
    port: await door.listen(),
    events,
    foreign,
    lines,
    handle: ({ ack }) => ack(),
    isFirst: async (key) => !keys.has(key) && keys.add(key).size > 0,
  }
  const app: Pick<App, 'processEvent'> = {
    processEvent: async (event) => {
      events.push(event.body)
      await open.handle(event)
    },
  }
  door.init(app as App) // A receiver hands deliveries over and asks nothing else of an app.
  door.expect({ appId: 'A1', teamId: 'T1', enterpriseId: undefined })
  if (started) await door.start()
  return open
}

export interface Post {
  readonly body?: string | Buffer
  readonly type?: string
  readonly method?: string
  readonly path?: string
  /** Beside or instead of the usual ones; undefined leaves one out, a list sends it several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly secret?: string
  readonly epochS?: number
}

export interface Answer {
  /** 0 when the connection ended without an answer. */
  readonly status: number
  readonly text: string
  readonly type: string | undefined
}

/** Sends one request on a connection of its own, signed as Slack does unless said otherwise. */
export function post(port: number, given: Post = {}): Promise<Answer> {
  const { body = '', type = FORM, method = 'POST', path = REQUEST_PATH, secret = SIGNING_SECRET, headers } = given
  const epochS = given.epochS ?? Math.floor(systemClock.now().getTime() / 1_000)
  const signed = signatureHeaders(body as string, secret, epochS)
  const all = Object.entries({ 'content-type': type, ...signed, ...headers }).filter(([, value]) => value !== undefined)
  return new Promise((resolve) => {
    const nothing = (): void => resolve({ status: 0, text: '', type: undefined })
    const sent = request({ host: '127.0.0.1', port, method, path, headers: Object.fromEntries(all), agent: false })
    sent.on('error', nothing)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, type: response.headers['content-type'] }),
      )
      response.on('error', nothing)
    })
    sent.end(body)
  })
}

let commands = 0
/** A command as Slack sends it; no two are the same. */
export function command(more: Readonly<Record<string, string>> = {}): string {
  commands += 1
  const fields = { command: '/cdn', text: 'help', api_app_id: 'A1', user_id: 'U1', team_id: 'T1' }
  return new URLSearchParams({ ...fields, trigger_id: `trigger-${commands}`, ...more }).toString()
}
