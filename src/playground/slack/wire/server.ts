import { MAX_FILE_BYTES } from '../state/messages.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import { listen, LOOPBACK, readWholeBody, shut } from '../../../shared/server.ts'
import { jsonOrUndefined } from '../../../shared/json.ts'
import type { Answer, Parts } from './parts.ts'
import { METHODS, requireScope, type Arguments, type Method } from './methods.ts'
import { SlackError } from '../state/slack-error.ts'
import type { Clock } from '../../../shared/clock.ts'
import { MINUTE_MS } from '../../../shared/durations.ts'

/** Far above any acknowledgement; Slack does not publish a limit. */
const MAX_FRAME_BYTES = 5_000_000
/** A file and some more. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 100_000

/** Listens on loopback for an app: HTTP for its calls, WebSocket links for Socket Mode. Rejects when it cannot. */
export async function startServer(parts: Parts, port: number) {
  const closing = Promise.withResolvers<void>()
  const waitS = rateLimits(parts.clock)
  const server = createServer((request, response) => {
    response.setHeader('date', parts.clock.now().toUTCString())
    serve(request, response, { parts, waitS, closing: closing.promise }).catch(() => response.destroy())
  })
  const links = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const address = URL.parse(request.url ?? '/', `http://${LOOPBACK}`)
    const isWelcome =
      address?.pathname.startsWith('/link') === true &&
      !parts.switches.refuseConnections &&
      parts.socketMode.redeem(address.searchParams.get('ticket'))
    if (isWelcome) links.handleUpgrade(request, socket, head, (link) => parts.socketMode.accept(link))
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  return {
    port: await listen(server, port),
    async close(): Promise<void> {
      closing.resolve()
      parts.socketMode.dropAll()
      links.close()
      await shut(server)
    },
  }
}

interface Serving {
  readonly parts: Parts
  readonly waitS: ReturnType<typeof rateLimits>
  /** Ends calls that were left hanging on purpose. */
  readonly closing: Promise<void>
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { parts, closing } = serving
  const sent = await readWholeBody(request, MAX_BODY_BYTES)
  if (sent === undefined) return void response.writeHead(413).end()
  const asked = askedOf(request, sent, serving)
  if (asked === undefined) return void response.writeHead(404).end()
  const { method, args, answer } = asked
  const given = parts.hooks.around?.(method, answer) ?? standing(method, parts.switches) ?? answer()
  if (given === 'hang' || given === 'reset') {
    parts.note({ method, args, answer: undefined, status: 0 })
    if (given === 'hang') await closing
    return void request.socket.destroy()
  }
  const { status, headers = {}, body, delayMs } = given
  parts.note({ method, args, answer: body, status })
  if (delayMs !== undefined) await parts.clock.sleep(delayMs)
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** What was asked, and how it is answered where nothing is meant to go wrong. Undefined where there is nothing. */
function askedOf({ method, url = '/', headers }: IncomingMessage, body: Buffer, { parts, waitS }: Serving) {
  const path = url.split('?', 1)[0] ?? ''
  const [, place, name = '', id = ''] = path.split('/')
  switch (method === 'POST' ? place : undefined) {
    case 'api': {
      const args = callArguments(headers['content-type'] ?? '', body.toString())
      const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
      const answer = (): Answer =>
        args === undefined
          ? good({ ok: false, error: 'invalid_post_type' })
          : answerCall({ method: name, args, token }, parts, waitS)
      return { method: name, args: args ?? {}, answer }
    }
    case 'commands':
    case 'actions': {
      const given = jsonOrUndefined(body.toString())
      // Any object is a record of unknown fields; what else was posted is kept whole under one name.
      const args = typeof given === 'object' && given !== null ? (given as Arguments) : { body: given }
      return { method: 'response_url', args, answer: () => usedAddress(path, given, parts) }
    }
    case 'upload': {
      const answer = (): Answer =>
        body.length <= MAX_FILE_BYTES && parts.files.receive(id, body)
          ? { status: 200, body: `OK - ${body.length}` }
          : { status: 400, body: 'invalid upload' }
      return { method: 'upload', args: { bytes: body.length }, answer }
    }
    default:
      return undefined
  }
}

/** Slack refuses a post to a response_url with status 404 and the reason in the body. */
function usedAddress(path: string, body: unknown, { responseUrls }: Parts): Answer {
  try {
    responseUrls.use(path, body)
    return { status: 200, body: 'ok' }
  } catch (error) {
    if (error instanceof SlackError) return { status: 404, body: error.body() }
    throw error
  }
}

function good(body: Readonly<Record<string, unknown>>): Answer {
  return { status: 200, body }
}

function limited(waitS: number): Answer {
  return { status: 429, headers: { 'retry-after': String(waitS) }, body: { ok: false, error: 'ratelimited' } }
}

export function standing(method: string, { down, refusePosts }: Parts['switches']): Answer | undefined {
  if (down) return { status: 503, body: { ok: false, error: 'fatal_error' } }
  return refusePosts && method === 'chat.postMessage' ? limited(5) : undefined
}

interface Call {
  readonly method: string
  readonly args: Arguments
  readonly token: string | undefined
}

/** Answers one call as Slack would: limits first, then the token, the scope, and at last what was asked. */
export function answerCall(call: Call, parts: Parts, limit: Serving['waitS']): Answer {
  const method = METHODS[call.method]
  if (method === undefined) return good({ ok: false, error: 'unknown_method', req_method: call.method })
  const waitS = parts.switches.rateLimits ? limit(call.method, method.perMinute, call.args['channel']) : 0
  if (waitS > 0) return limited(waitS)
  try {
    checkToken(method, call.token, parts)
    if (method.scope !== undefined) requireScope(parts, method.scope)
    const answer = method.run(call.args, parts)
    return { ...good({ ok: true, ...answer }), headers: { 'x-oauth-scopes': parts.app.scopes.join(',') } }
  } catch (error) {
    if (error instanceof SlackError) return good(error.body())
    throw error
  }
}

function checkToken(method: Method, token: string | undefined, { tokens, switches }: Parts): void {
  if (method.token === 'none') return
  if (token === undefined) throw new SlackError('not_authed')
  if (token !== tokens.bot && token !== tokens.app) throw new SlackError('invalid_auth')
  const isApp = token === tokens.app
  if (!isApp && switches.refuseToken !== '') throw new SlackError(switches.refuseToken)
  if (method.token !== 'any' && isApp !== (method.token === 'app')) throw new SlackError('not_allowed_token_type')
}

const STRUCTURED = new Set(['blocks', 'view', 'files'])

/**
 * Reads the arguments of a call from its body, JSON or a form. A structured argument that is not valid JSON stays the
 * text it is, so that the method can refuse it. Undefined when the body cannot be read.
 */
function callArguments(type: string, text: string): Arguments | undefined {
  if (/^application\/json\b/i.test(type)) {
    const body = text === '' ? {} : jsonOrUndefined(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  }
  const fields = [...new URLSearchParams(text)]
  return Object.fromEntries(
    fields.map(([name, value]) => [name, STRUCTURED.has(name) ? (jsonOrUndefined(value) ?? value) : value]),
  )
}

/** Into each channel chat.postMessage takes about one a second, of which a few may come at once. */
const CHANNEL_WINDOW = { spanMs: 3_000, calls: 3 }

/** Counts calls: whole seconds the caller must wait, 0 when the call may go ahead; only then is it counted. */
export function rateLimits(clock: Clock) {
  const counted = new Map<string, number[]>()
  return (method: string, perMinute: number, channel: unknown): number => {
    const windows = [{ key: method, spanMs: MINUTE_MS, calls: perMinute }]
    if (method === 'chat.postMessage') windows.push({ key: `${method} ${String(channel)}`, ...CHANNEL_WINDOW })
    const now = clock.monotonicMs()
    const waitMs = windows.map(({ key, spanMs, calls }) => {
      const recent = (counted.get(key) ?? []).filter((at) => now - at < spanMs)
      counted.set(key, recent)
      return recent[0] === undefined || recent.length < calls ? 0 : recent[0] + spanMs - now
    })
    if (Math.max(...waitMs) > 0) return Math.ceil(Math.max(...waitMs) / 1_000)
    for (const { key } of windows) counted.get(key)?.push(now)
    return 0
  }
}
