import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CdnClient, type CdnClientOptions, createCdnClient } from '../../src/cdn/client.ts'
import { LogLimit } from '../../src/cdn/http/log-limit.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { Secret } from '../../src/shared/secret.ts'

/** Looked for wherever nothing of it may be found. */
export const KEY = 'account-key-canary-0123456789'

export interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A platform on loopback that answers as the test says and remembers every request that reached it. */
export class PlatformServer implements AsyncDisposable {
  readonly received: Received[] = []
  readonly #server: Server
  readonly #clients: CdnClient[] = []
  #answers: readonly Answer[]

  private constructor(answers: readonly Answer[]) {
    this.#answers = answers
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  /** Answers the first request with the first answer, and so on; the last one serves for all that follow. */
  static async start(...answers: readonly Answer[]): Promise<PlatformServer> {
    const platform = new PlatformServer(answers)
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve))
    return platform
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  client(options: Partial<CdnClientOptions> = {}): CdnClient {
    const client = clientFor(this.url, options)
    this.#clients.push(client)
    return client
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    for (const client of this.#clients) await client.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method, url, headers } = request
    this.received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    const answer = this.#answers[Math.min(this.received.length, this.#answers.length) - 1]
    answer?.(response, request)
  }
}

/** A client with a known key, a warm limit, and one address for everything. */
export function clientFor(url: string, options: Partial<CdnClientOptions> = {}): CdnClient {
  return createCdnClient({
    managementUrl: url,
    loggingUrl: url,
    credential: { scheme: 'accessKey', secret: new Secret(KEY) },
    clock: systemClock,
    limiter: new LogLimit({ clock: systemClock, warm: true }),
    ...options,
  })
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

export function raw(body: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers)
    response.end(body)
  }
}

/** Cuts the connection after the request has been read, before anything is answered. */
export const reset: Answer = (_, request) => void request.socket.destroy()

/** Says nothing, ever. */
export const hang: Answer = () => undefined
