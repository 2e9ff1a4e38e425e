import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderMessage, renderView } from './slack/render/render-text.ts'
import { CHANNELS, MEMBERS, OPS } from './slack/seed.ts'
import type { Stage } from './stage.ts'
import { PEOPLE, type PersonName } from './tour/tour.ts'

const LOOPBACK = '127.0.0.1'
const MAX_BODY_BYTES = 16_384
const MAX_MESSAGES = 60

export interface TranscriptPage {
  readonly url: string
  close(): Promise<void>
}

/**
 * A plain page on loopback: what is said in the operations channel, and a line to type commands as one of three
 * people. Takes any free port when the wanted one is in use.
 */
export async function startTranscript(stage: Stage, port: number): Promise<TranscriptPage> {
  const server = createServer((request, response) => {
    serve(request, response, stage).catch(() => response.destroy())
  })
  await listen(server, port).catch(() => listen(server, 0))
  const { port: taken } = server.address() as AddressInfo // a TCP server has this form of address
  return { url: `http://${LOOPBACK}:${taken}/`, close: () => close(server) }
}

async function serve(request: IncomingMessage, response: ServerResponse, stage: Stage): Promise<void> {
  const own = `${LOOPBACK}:${request.socket.localPort}`
  const { host, origin } = request.headers
  // Another page in the same browser must not be able to type here, whatever name it gives this address.
  if (host !== own || (origin !== undefined && origin !== `http://${own}`))
    return send(response, 403, 'Only from this machine.')
  const url = new URL(request.url ?? '/', `http://${own}`)
  if (url.pathname !== '/') return send(response, 404, 'There is only one page.')
  const who = personIn(url.searchParams.get('who'))
  if (request.method !== 'POST') return send(response, 200, page(stage, who, ''))
  const form = new URLSearchParams(await bodyOf(request))
  const asked = personIn(form.get('who'))
  send(response, 200, page(stage, asked, await act(stage, asked, form)))
}

async function act(stage: Stage, who: PersonName, form: URLSearchParams): Promise<string> {
  const person = stage.slack.person(PEOPLE[who].id)
  const before = person.messages(OPS).length
  try {
    const outcome = form.has('submit')
      ? await person.submit()
      : form.has('close')
        ? await person.closeView()
        : await person.command(OPS, form.get('text') ?? '')
    await stage.slack
      .until(() => person.messages(OPS).length > before || person.view() !== undefined)
      .catch(() => undefined)
    return outcome.ok ? '' : outcome.shown
  } catch (error) {
    return error instanceof Error ? error.message : 'That did not work.'
  }
}

function personIn(name: string | null): PersonName {
  return name === 'Vera' || name === 'Ada' ? name : 'Olga'
}

function page(stage: Stage, who: PersonName, said: string): string {
  const person = stage.slack.person(PEOPLE[who].id)
  const view = person.view()
  const messages = person.messages(OPS).slice(-MAX_MESSAGES)
  const options = (['Vera', 'Olga', 'Ada'] as const).map(
    (name) => `<option${name === who ? ' selected' : ''} value="${name}">${name}, ${PEOPLE[name].role}</option>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>CDN Ops playground</title>
<style>body{font:15px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
pre{white-space:pre-wrap;border-left:3px solid;padding:.2rem .8rem;overflow-wrap:anywhere}input[name=text]{width:28rem;max-width:60vw}</style>
<h1>#${escape(channelName())}</h1>
<form method="post"><label>You are <select name="who">${options.join('')}</select></label>
<label>Type <input name="text" value="/cdn " autofocus maxlength="3000"></label> <button>Send</button></form>
<p>Try: <code>/cdn</code> · <code>/cdn storage stats 101</code> · <code>/cdn keys list</code> · <code>/cdn dns add 201 A www 192.0.2.10</code> · <code>/cdn logs 301</code></p>
${said === '' ? '' : `<p role="alert"><strong>${escape(said)}</strong></p>`}
${view === undefined ? '' : `<h2>Open form</h2><pre>${escape(renderView(view))}</pre><form method="post"><input type="hidden" name="who" value="${who}">${view.submit === undefined ? '' : `<button name="submit">${escape(view.submit)}</button> `}<button name="close">Close</button></form>`}
<h2>What ${who} sees</h2>
${
  messages.length === 0
    ? '<p>Nothing yet: type a command.</p>'
    : messages
        .toReversed()
        .map((message) => `<p>${escape(nameOf(message.author))}</p><pre>${escape(renderMessage(message))}</pre>`)
        .join('\n')
}
</html>`
}

function nameOf(userId: string): string {
  return MEMBERS.find(({ id }) => id === userId)?.realName ?? userId
}

function channelName(): string {
  return CHANNELS.find(({ id }) => id === OPS)?.name ?? OPS
}

/** The one place where text becomes HTML. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function send(response: ServerResponse, status: number, body: string): void {
  const type = body.startsWith('<!doctype') ? 'text/html' : 'text/plain'
  const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'content-security-policy': policy,
    })
    .end(body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) throw new RangeError('Too much was typed')
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
