import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * A Slack of the bench from which people type commands at a given pace. It speaks the wire, times each acknowledgement and
 * each answer, and does as little as it can besides. Every bot has links and response addresses of its own.
 */

/** Commands to type: `text` with `{n}` for a number that counts up from `first`. */
export interface Load {
  readonly bot: string
  readonly text: string
  readonly first: number
  readonly count: number
  readonly perSecond: number
}

/** What came of a load, in the order of the commands. Milliseconds since each was sent. */
export interface LoadResult {
  readonly ackedMs: readonly number[]
  readonly answeredMs: readonly number[]
  /** One of the answers as it came. */
  readonly sample: string
  /** What is wrong with the answers, if anything. */
  readonly problem?: string
}

/** What stands in every answer and in no refusal. */
const MARK = '"data_table"'
/** Of this many people in so many channels each asks no faster than people may. */
const PEOPLE = 40
const CHANNELS = 20
const TEAM = 'T0123456789'
const TICK_MS = 1
const PATIENCE_MS = 20_000

interface Waiting {
  readonly index: number
  readonly sentMs: number
}

const links = new Map<string, WebSocket>()
const waiting = new Map<string, Waiting>()
let running: { readonly ackedMs: number[]; readonly answeredMs: number[]; sample: string; left: number } | undefined
let finished: (problem?: string) => void = () => undefined

const server = createServer((request, response) => void answer(request, response))
server.keepAliveTimeout = 60_000
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (link, request) => {
  const bot = new URL(request.url ?? '/', 'http://localhost').searchParams.get('bot') ?? ''
  // The first link takes all, as the second of a bot that opens two is there for when the first is gone.
  if (!links.has(bot)) links.set(bot, link)
  link.on('error', () => link.terminate())
  link.on('close', () => void (links.get(bot) === link && links.delete(bot)))
  link.on('message', (data: Buffer) => acknowledged(data.toString(), performance.now()))
  link.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A0123456789' } }))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (load: Load) => void run(load).then((result) => process.send?.(result)))
process.once('disconnect', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const isAnswer = pathname.startsWith('/respond/')
  if (isAnswer) take(pathname.slice('/respond/'.length), body, performance.now())
  const text = isAnswer ? 'ok' : JSON.stringify(webApi(pathname, request.headers.authorization, body))
  const type = isAnswer ? 'text/plain' : 'application/json; charset=utf-8'
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function webApi(path: string, authorization: string | undefined, body: string): object {
  const method = path.slice(path.lastIndexOf('/') + 1)
  const { port } = server.address() as AddressInfo
  switch (method) {
    case 'auth.test':
      return {
        ok: true,
        team_id: TEAM,
        user_id: 'U0123456780',
        bot_id: 'B0123456789',
        url: 'https://example.slack.com/',
      }
    case 'apps.connections.open': {
      const bot = authorization?.split('xapp-')[1] ?? ''
      return { ok: true, url: `ws://127.0.0.1:${port}/link?bot=${bot}` }
    }
    case 'users.info': {
      const id = new URLSearchParams(body).get('user')
      const full = { deleted: false, is_bot: false, is_restricted: false, is_ultra_restricted: false }
      return { ok: true, user: { id, team_id: TEAM, name: 'somebody', tz: 'Europe/Berlin', ...full } }
    }
    default:
      return { ok: false, error: 'unknown_method' }
  }
}

function acknowledged(text: string, atMs: number): void {
  const { envelope_id: id } = JSON.parse(text) as { readonly envelope_id?: string }
  const one = id === undefined ? undefined : waiting.get(id)
  if (one === undefined || running === undefined) return
  running.ackedMs[one.index] = atMs - one.sentMs
}

function take(id: string, body: string, atMs: number): void {
  const one = waiting.get(id)
  if (one === undefined || running === undefined) return
  waiting.delete(id)
  if (!body.includes(MARK)) return finished(`An answer of another kind came: ${body.slice(0, 2_000)}`)
  running.answeredMs[one.index] = atMs - one.sentMs
  running.sample = body
  running.left -= 1
  if (running.left === 0) finished()
}

async function run({ bot, text, first, count, perSecond }: Load): Promise<LoadResult> {
  const link = links.get(bot)
  if (link === undefined) return { ackedMs: [], answeredMs: [], sample: '', problem: `${bot} has no link` }
  const result = { ackedMs: [] as number[], answeredMs: [] as number[], sample: '', left: count }
  running = result
  const done = new Promise<string | undefined>((resolve) => (finished = resolve))
  const started = performance.now()
  let sent = 0
  const pace = setInterval(() => {
    const due = Math.min(count, Math.floor(((performance.now() - started) * perSecond) / 1_000) + 1)
    for (; sent < due; sent += 1) send(link, `${bot}-${first}-${sent}`, text.replace('{n}', String(first + sent)), sent)
    if (sent === count) clearInterval(pace)
  }, TICK_MS)
  const patience = setTimeout(
    () => finished(`${result.left} of ${count} commands were not answered`),
    (count / perSecond) * 1_000 + PATIENCE_MS,
  )
  const problem = await done
  clearInterval(pace)
  clearTimeout(patience)
  running = undefined
  waiting.clear()
  const { ackedMs, answeredMs, sample } = result
  return { ackedMs, answeredMs, sample, ...(problem !== undefined && { problem }) }
}

function send(link: WebSocket, id: string, text: string, index: number): void {
  const { port } = server.address() as AddressInfo
  const payload = {
    token: 'deprecated',
    team_id: TEAM,
    team_domain: 'example',
    channel_id: `C01234567${10 + (index % CHANNELS)}`,
    channel_name: 'cdn',
    user_id: `U01234567${10 + (index % PEOPLE)}`,
    user_name: 'somebody',
    command: '/cdn',
    text,
    api_app_id: 'A0123456789',
    is_enterprise_install: 'false',
    response_url: `http://127.0.0.1:${port}/respond/${id}`,
    trigger_id: `9876543210.${id}.0123456789abcdef0123456789abcdef`,
  }
  const envelope = { envelope_id: id, type: 'slash_commands', accepts_response_payload: true, payload }
  const frame = JSON.stringify(envelope)
  waiting.set(id, { index, sentMs: performance.now() })
  link.send(frame)
}
