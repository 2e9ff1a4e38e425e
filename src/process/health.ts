import { createServer, type IncomingMessage } from 'node:http'
import type { Registry } from 'prom-client'
import type { ListenAddress } from '../config/setting-values.ts'
import { listen, shut } from '../shared/server.ts'

const REQUEST_TIMEOUT_MS = 5_000
const MAX_CONNECTIONS = 50

interface Looking {
  readonly registry: Registry
  readonly missing: () => Promise<readonly string[]>
  readonly examine: () => Promise<unknown>
  /** Of one that is ready. */
  readonly state: () => string
}

export type HealthServer = Awaited<ReturnType<typeof startHealth>>

/**
 * `/healthz`: the process is alive. `/readyz`: it is linked to Slack, which takes its token, and its record can be
 * written, or 503 and what is missing. `/doctor`: what it finds of its store and of logs, as JSON. `/metrics`: for Prometheus.
 * `missing` and `examine` have to end by themselves. Rejects when the port is taken.
 */
export async function startHealth(address: ListenAddress, looking: Looking) {
  const server = createServer((request, response) => {
    answer(request, looking)
      .catch(() => ({ status: 500, type: 'text/plain', body: 'failed\n' }))
      .then(({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      )
      .catch(() => response.destroy())
  })
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.headersTimeout = REQUEST_TIMEOUT_MS
  server.maxConnections = MAX_CONNECTIONS
  return { port: await listen(server, address.port, address.host), close: async () => shut(server) }
}

export async function findMissing(
  slack: { readonly openLinks: number; readonly tokenRefused: string | undefined },
  store: { check(): Promise<void> },
): Promise<readonly string[]> {
  const silent = await store.check().then(
    () => [],
    () => ['the store does not answer'],
  )
  const refused = slack.tokenRefused === undefined ? [] : [`Slack refuses the bot token: ${slack.tokenRefused}`]
  return [...(slack.openLinks > 0 ? [] : ['not linked to Slack']), ...refused, ...silent]
}

async function answer({ method, url }: IncomingMessage, { registry, missing, examine, state }: Looking) {
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET only\n')
  switch (url?.split('?', 1)[0]) {
    case '/healthz':
      return text(200, 'alive\n')
    case '/readyz': {
      const lines = await missing()
      return lines.length === 0 ? text(200, `${state()}\n`) : text(503, `${lines.join('\n')}\n`)
    }
    case '/metrics':
      return { status: 200, type: registry.contentType, body: await registry.metrics() }
    case '/doctor':
      return { status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(await examine()) }
    default:
      return text(404, 'There are /healthz, /readyz, /doctor and /metrics.\n')
  }
}

function text(status: number, body: string) {
  return { status, type: 'text/plain; charset=utf-8', body }
}
