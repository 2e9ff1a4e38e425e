import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { standingFault, type Fault } from './faults.ts'
import { MAX_FILE_BYTES } from './files.ts'
import type { Parts } from './parts.ts'
import { SlackError } from './slack-error.ts'
import { answerCall, faultAnswer, type WebApiAnswer } from './web-api/dispatch.ts'
import { RateLimits } from './web-api/rate-limits.ts'
import type { Arguments } from './web-api/method.ts'

/** A file and what a multipart form puts around it. */
const MAX_BODY_BYTES = MAX_FILE_BYTES + 100_000

type Env = { Bindings: HttpBindings }
type Handled = Omit<WebApiAnswer, 'headers' | 'body'> & {
  readonly headers?: WebApiAnswer['headers']
  readonly body: string | Readonly<Record<string, unknown>>
}

/**
 * The addresses an app calls: Web API methods, response_url, uploads and downloads. `closing` ends calls that were
 * left hanging on purpose.
 */
export function slackRoutes(parts: Parts, closing: Promise<void>): Hono<Env> {
  const limits = new RateLimits(parts.clock)
  const routes = new Hono<Env>()
  routes.use(bodyLimit({ maxSize: MAX_BODY_BYTES }))

  routes.on(['GET', 'POST'], '/api/:method', async (context) => {
    const method = context.req.param('method')
    const args = await callArguments(context.req.raw)
    const { token: inBody, ...shown } = args ?? {}
    const token = bearer(context) ?? (typeof inBody === 'string' ? inBody : undefined)
    return answered(context, method, shown, () =>
      args === undefined
        ? { status: 200, body: { ok: false, error: 'invalid_post_type' } }
        : answerCall({ method, args: shown, token }, parts, limits),
    )
  })

  routes.on('POST', ['/commands/*', '/actions/*'], async (context) => {
    const body = await jsonBody(context.req.raw)
    return answered(context, 'response_url', recordOf(body), () => usedResponseUrl(context.req.path, body, parts))
  })

  routes.post('/upload/v1/:id', async (context) => {
    const content = await uploadedBytes(context.req.raw)
    return answered(context, 'upload', { bytes: content?.length ?? 0 }, () =>
      content !== undefined && content.length <= MAX_FILE_BYTES && parts.files.receive(context.req.param('id'), content)
        ? { status: 200, body: `OK - ${content.length}` }
        : { status: 400, body: 'invalid upload' },
    )
  })

  routes.get('/files/:id', (context) => {
    const file = parts.files.find(context.req.param('id'))
    if (bearer(context) !== parts.tokens.bot || file?.content === undefined) return context.notFound()
    return context.body(new Uint8Array(file.content))
  })

  return routes

  /** Fails as planned or answers, and writes either into the ledger. */
  async function answered(
    context: Context<Env>,
    method: string,
    args: Readonly<Record<string, unknown>>,
    answer: () => Handled,
  ): Promise<Response> {
    const fault = parts.faults.take(method) ?? standingFault(method, parts.switches)
    if (fault !== undefined && isSilent(fault)) {
      if (fault.carriedOut === true) answer()
      parts.ledger.write({ method, args, answer: undefined, status: 0 })
      if ('hang' in fault) await closing
      context.env.incoming.socket.destroy()
      return new Response(null)
    }
    const isLate = fault !== undefined && 'delayMs' in fault
    const { status, headers = {}, body } = fault === undefined || isLate ? answer() : failed(fault)
    parts.ledger.write({ method, args, answer: body, status })
    if (isLate) await parts.clock.sleep(fault.delayMs)
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return new Response(text, { status, headers: { 'content-type': type, ...headers } })
  }
}

function failed(fault: Exclude<Fault, Silent | { delayMs: number }>): Handled {
  return 'text' in fault ? { status: 200, body: fault.text } : faultAnswer(fault)
}

type Silent = Extract<Fault, { hang: true } | { reset: true }>

function isSilent(fault: Fault): fault is Silent {
  return 'hang' in fault || 'reset' in fault
}

/** Slack refuses a post to a response_url with status 404 and the reason in the body. */
function usedResponseUrl(path: string, body: unknown, { responseUrls }: Parts): Handled {
  try {
    responseUrls.use(path, body)
    return { status: 200, body: 'ok' }
  } catch (error) {
    if (error instanceof SlackError) return { status: 404, body: error.body() }
    throw error
  }
}

function bearer(context: Context<Env>): string | undefined {
  return /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

function recordOf(body: unknown): Readonly<Record<string, unknown>> {
  // Any object is a record of unknown fields; what else was posted is kept whole under one name.
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : { body }
}

/** Arguments that hold a structure; form bodies carry them as JSON written in a string. */
const STRUCTURED = new Set(['blocks', 'view', 'files', 'attachments', 'metadata'])
const JSON_TYPE = /^application\/json\b/i
const MULTIPART_TYPE = /^multipart\/form-data\b/i

/**
 * Reads the arguments of a call from its body, JSON or a form, and from its address. A structured argument that is
 * not valid JSON stays the text it is, so that the method can refuse it. Undefined when the body cannot be read.
 */
async function callArguments(request: Request): Promise<Arguments | undefined> {
  const inAddress = Object.fromEntries(new URL(request.url).searchParams)
  const type = request.headers.get('content-type') ?? ''
  try {
    const text = await request.text()
    if (JSON_TYPE.test(type)) {
      const body: unknown = text === '' ? {} : JSON.parse(text)
      return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...inAddress, ...body } : undefined
    }
    return unfolded({ ...inAddress, ...Object.fromEntries(new URLSearchParams(text)) })
  } catch {
    return undefined
  }
}

/** The bytes of an upload: the body itself, or the part of a multipart form named `body`, `file` or `filename`. */
async function uploadedBytes(request: Request): Promise<Buffer | undefined> {
  if (!MULTIPART_TYPE.test(request.headers.get('content-type') ?? '')) {
    return Buffer.from(await request.arrayBuffer())
  }
  try {
    const form = await request.formData()
    const part = form.get('body') ?? form.get('file') ?? form.get('filename')
    if (part === null) return undefined
    return typeof part === 'string' ? Buffer.from(part) : Buffer.from(await part.arrayBuffer())
  } catch {
    return undefined
  }
}

/** The JSON value of a body, or undefined. */
async function jsonBody(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    return undefined
  }
}

function unfolded(form: Readonly<Record<string, string>>): Arguments {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, STRUCTURED.has(name) ? parsed(value) : value]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
