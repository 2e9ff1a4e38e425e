import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { WebSocketServer } from 'ws'
import { listen, LOOPBACK, shut } from '../../../shared/server.ts'
import { parsedJson } from '../../../shared/json-text.ts'
import type { Answer, Parts } from './parts.ts'
import { MAX_FILE_BYTES } from '../state/files.ts'
import { METHODS, requireScope, type Arguments, type Method } from './methods.ts'
import { SlackError } from '../state/slack-error.ts'
import type { Clock } from '../../../shared/clock.ts'
import { MINUTE_MS } from '../../../shared/durations.ts'

/** Far above any acknowledgement; Slack does not publish a limit. */
const MAX_FRAME_BYTES = 5_000_000

/** Listens on loopback for an app: HTTP for its calls, WebSocket links for Socket Mode. Rejects when it cannot. */
export async function startServer(parts: Parts, port: number) {
  const closing = Promise.withResolvers<void>()
  const listener = getRequestListener(slackRoutes(parts, closing.promise).fetch, { overrideGlobalObjects: false })
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('date', parts.clock.now().toUTCString())
    void listener(request, response)
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

type Env = { Bindings: HttpBindings }

/** The addresses an app calls. `closing` ends calls that were left hanging on purpose. */
function slackRoutes(parts: Parts, closing: Promise<void>): Hono<Env> {
  const limits = new RateLimits(parts.clock)
  const routes = new Hono<Env>()
  // A file and some more.
  routes.use(bodyLimit({ maxSize: MAX_FILE_BYTES + 100_000 }))

  routes.post('/api/:method', async (context) => {
    const method = context.req.param('method')
    const args = await callArguments(context.req.raw)
    const token = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
    return answered(context, method, args ?? {}, () =>
      args === undefined
        ? good({ ok: false, error: 'invalid_post_type' })
        : answerCall({ method, args, token }, parts, limits),
    )
  })

  routes.on('POST', ['/commands/*', '/actions/*'], async (context) => {
    const body = await context.req.json<unknown>().catch(() => undefined)
    // Any object is a record of unknown fields; what else was posted is kept whole under one name.
    const args = typeof body === 'object' && body !== null ? (body as Arguments) : { body }
    return answered(context, 'response_url', args, () => {
      try {
        parts.responseUrls.use(context.req.path, body)
        return { status: 200, body: 'ok' }
      } catch (error) {
        // Slack refuses such a post with status 404 and the reason in the body.
        if (error instanceof SlackError) return { status: 404, body: error.body() }
        throw error
      }
    })
  })

  routes.post('/upload/v1/:id', async (context) => {
    const content = Buffer.from(await context.req.arrayBuffer())
    return answered(context, 'upload', { bytes: content.length }, () =>
      content.length <= MAX_FILE_BYTES && parts.files.receive(context.req.param('id'), content)
        ? { status: 200, body: `OK - ${content.length}` }
        : { status: 400, body: 'invalid upload' },
    )
  })

  return routes

  async function answered(
    context: Context<Env>,
    method: string,
    args: Arguments,
    answer: () => Answer,
  ): Promise<Response> {
    const given = parts.hooks.around?.(method, answer) ?? standing(method, parts.switches) ?? answer()
    if (given === 'hang' || given === 'reset') {
      parts.note({ method, args, answer: undefined, status: 0 })
      if (given === 'hang') await closing
      context.env.incoming.socket.destroy()
      return new Response(null)
    }
    const { status, headers = {}, body, delayMs } = given
    parts.note({ method, args, answer: body, status })
    if (delayMs !== undefined) await parts.clock.sleep(delayMs)
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return new Response(text, { status, headers: { 'content-type': type, ...headers } })
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
export function answerCall(call: Call, parts: Parts, limits: RateLimits): Answer {
  const method = METHODS[call.method]
  if (method === undefined) return good({ ok: false, error: 'unknown_method', req_method: call.method })
  const waitS = parts.switches.rateLimits ? limits.waitS(call.method, method.perMinute, call.args['channel']) : 0
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
async function callArguments(request: Request): Promise<Arguments | undefined> {
  const text = await request.text()
  if (/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    const body = text === '' ? {} : parsedJson(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  }
  const fields = [...new URLSearchParams(text)]
  return Object.fromEntries(
    fields.map(([name, value]) => [name, STRUCTURED.has(name) ? (parsedJson(value) ?? value) : value]),
  )
}

/** chat.postMessage: one a second for each channel, with a short burst let through. */
const CHANNEL_WINDOW_MS = 1_000
const CHANNEL_BURST = 3

export class RateLimits {
  readonly #clock: Clock
  readonly #calls = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whole seconds the caller must wait, 0 when the call may go ahead; only then is it counted. */
  waitS(method: string, perMinute: number, channel: unknown): number {
    const windows = [{ key: method, spanMs: MINUTE_MS, calls: perMinute }]
    if (method === 'chat.postMessage' && typeof channel === 'string') {
      windows.push({
        key: `${method} ${channel}`,
        spanMs: CHANNEL_WINDOW_MS * CHANNEL_BURST,
        calls: CHANNEL_BURST,
      })
    }
    const now = this.#clock.monotonicMs()
    const waitMs = Math.max(...windows.map(({ key, spanMs, calls }) => this.#waitMs(key, spanMs, calls, now)))
    if (waitMs > 0) return Math.ceil(waitMs / 1_000)
    for (const { key } of windows) this.#calls.set(key, [...(this.#calls.get(key) ?? []), now])
    return 0
  }

  #waitMs(key: string, spanMs: number, calls: number, now: number): number {
    const recent = (this.#calls.get(key) ?? []).filter((at) => now - at < spanMs)
    this.#calls.set(key, recent)
    const oldest = recent[0]
    return oldest === undefined || recent.length < calls ? 0 : oldest + spanMs - now
  }
}
