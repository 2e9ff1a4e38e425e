import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { startCommand } from '../../support/start-command.ts'
import { serve, type Started, type Testbed } from './testbed.ts'

/** Of this many people in so many channels each asks no faster than people may. */
const [PEOPLE, CHANNELS] = [40, 20]
const PATIENCE_MS = 20_000
const DAYS = Array.from({ length: 30 }, (_, day) => new Date(Date.UTC(2026, 9, 20 + day)).toISOString())
const STATISTICS = {
  StorageUsedChart: Object.fromEntries(DAYS.map((day, index) => [day, 123_456_789_012 + index * 987_654_321])),
  FileCountChart: Object.fromEntries(DAYS.map((day, index) => [day, 120_000 + index * 37])),
}
const IDS = { team_id: 'T0123456789', user_id: 'U0123456780', bot_id: 'B0123456789' }
const MEMBER = { deleted: false, is_bot: false, is_restricted: false, is_ultra_restricted: false, tz: 'UTC' }

/** When what happened to a command, in milliseconds since it was typed. */
interface Answered {
  readonly ackedMs: number
  readonly answeredMs: number
}

/**
 * Slack, from which people type commands at a pace, and the CDN, which has a storage zone's statistics of thirty days, with
 * bots between them. Both speak the wire, and do as little as they can besides.
 */
export class Stage {
  readonly #testbed: Testbed
  readonly #url: string
  readonly #links = new Map<string, WebSocket>()
  /** What is acknowledged and answered, by zone: each command is about one of its own. */
  readonly #happened = new EventEmitter().setMaxListeners(0)
  #zones = 10_000
  #said = ''

  private constructor(testbed: Testbed, url: string) {
    this.#testbed = testbed
    this.#url = url
  }

  static async open(testbed: Testbed): Promise<Stage> {
    const { server, url } = await serve((request, response) => void stage.#serve(request, response))
    const stage = new Stage(testbed, url)
    const links = new WebSocketServer({ server, perMessageDeflate: false })
    links.on('connection', (link, request) => stage.#link(link, request.url?.slice(1) ?? ''))
    return stage
  }

  /** Starts the bot, with the command that `npm start` and the image use, on a store of its own unless one is given. Resolves when it is linked to Slack. */
  async startOurs(name: string, store?: string): Promise<Started> {
    return this.#start(name, startCommand(), /linked to Slack: ready/, store)
  }

  /** Starts bare Bolt with one command, which says hello unless it is another program. Resolves as above. */
  async startBare(name: string, program = new URL('bare-bolt.mjs', import.meta.url)): Promise<Started> {
    return this.#start(name, [program.pathname], /ready/)
  }

  /** Types commands to a bot. Resolves when all are answered; rejects when one is not. */
  async type(bot: string, count: number, perSecond: number): Promise<readonly Answered[]> {
    const link = this.#links.get(bot)
    if (link === undefined) throw new Error(`${bot} has no link`)
    const answers: Promise<Answered>[] = []
    const startedMs = performance.now()
    for (let index = 0; index < count; index += 1) {
      const waitMs = startedMs + (index * 1_000) / perSecond - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      answers.push(this.#send(link, index))
    }
    const answered = await Promise.race([Promise.all(answers), sleep(PATIENCE_MS, [], { ref: false })])
    if (answered.length < count) throw new Error(`${bot} did not answer all ${count} commands, but: ${this.#said}`)
    return answered
  }

  #start(name: string, command: readonly string[], ready: RegExp, store?: string): Promise<Started> {
    return this.#testbed.start(command, ready, {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(this.#testbed.folder, 'compiled'),
      SLACK_BOT_TOKEN: `xoxb-${name}`,
      SLACK_APP_TOKEN: `xapp-${name}`,
      SLACK_API_URL: `${this.#url}/api/`,
      CDN_API_URL: this.#url,
      CDN_LOGGING_URL: this.#url,
      CDN_API_KEY: 'bench-0123456789abcdef0123456789abcdef',
      STORE_URL: store ?? join(this.#testbed.folder, `${name}.sqlite`),
      OPS_CHANNEL: 'C0123456789',
      VIEWERS: '*',
    })
  }

  #link(link: WebSocket, bot: string): void {
    // The first link takes all, as the second of a bot that opens two is there for when the first is gone.
    if (!this.#links.has(bot)) this.#links.set(bot, link)
    link.on('error', () => link.terminate())
    link.on('close', () => this.#links.get(bot) === link && this.#links.delete(bot))
    link.on('message', (data: Buffer) => {
      const { envelope_id: zone = '' } = JSON.parse(data.toString()) as { readonly envelope_id?: string }
      this.#happened.emit(`acked ${zone}`)
    })
    link.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A0123456789' } }))
  }

  async #send(link: WebSocket, index: number): Promise<Answered> {
    const zone = String((this.#zones += 1))
    const payload = {
      team_id: IDS.team_id,
      channel_id: `C01234567${10 + (index % CHANNELS)}`,
      channel_name: 'cdn',
      user_id: `U01234567${10 + (index % PEOPLE)}`,
      command: '/cdn',
      text: `storage stats ${zone}`,
      api_app_id: 'A0123456789',
      response_url: `${this.#url}/respond/${zone}`,
      trigger_id: `9876543210.${zone}.0123456789abcdef0123456789abcdef`,
    }
    const frame = JSON.stringify({ envelope_id: zone, type: 'slash_commands', accepts_response_payload: true, payload })
    const sentMs = performance.now()
    const acked = once(this.#happened, `acked ${zone}`).then(() => performance.now() - sentMs)
    const answered = once(this.#happened, `/respond/${zone}`).then(() => performance.now() - sentMs)
    link.send(frame)
    return { ackedMs: await acked, answeredMs: await answered }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const [path = ''] = (request.url ?? '').split('?')
    // Whoever waits long is told so first.
    if (body.includes('"data_table"')) this.#happened.emit(path)
    else if (path.startsWith('/respond/')) this.#said = body
    const answer = JSON.stringify(this.#answer(path, request.headers.authorization, body))
    response.setHeader('content-type', 'application/json; charset=utf-8').end(answer)
  }

  #answer(path: string, authorization: string | undefined, body: string): object {
    if (path.startsWith('/storagezone/')) return STATISTICS
    switch (path.slice(path.lastIndexOf('/') + 1)) {
      case 'auth.test':
        return { ok: true, ...IDS, url: 'https://example.slack.com/' }
      case 'apps.connections.open':
        return { ok: true, url: `${this.#url.replace('http', 'ws')}/${authorization?.split('xapp-')[1]}` }
      case 'users.info': {
        const id = new URLSearchParams(body).get('user')
        return { ok: true, user: { id, team_id: IDS.team_id, name: 'somebody', ...MEMBER } }
      }
      default:
        return { ok: path.startsWith('/respond/') }
    }
  }
}
