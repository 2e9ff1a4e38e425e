import { afterAll, beforeAll } from 'vitest'
import { Agent, request, type Dispatcher } from 'undici'
import { startCdnEmulator, type CdnEmulator, type CdnEmulatorOptions } from '../../../src/playground/cdn/emulator.ts'
import { fromJson } from '../../../src/playground/cdn/wire.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

/** The moment at which the tests' worlds stand. */
const NOW = '2026-11-20T18:00:30.000Z'

export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** What the text says as JSON, an empty object when it is none. */
  readonly json: WireBody
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** An emulator that runs for the tests of a file, and calls to it that carry its key unless they bring headers. */
export class RunningEmulator {
  readonly clock = new TurnedClock(NOW)
  readonly #agent = new Agent({ connections: 64 })
  #emulator: CdnEmulator | undefined

  constructor(options: Partial<CdnEmulatorOptions> = {}) {
    beforeAll(async () => {
      this.#emulator = await startCdnEmulator({ clock: this.clock, seed: 'tests', ...options })
    })
    afterAll(async () => {
      await this.#emulator?.close()
      await this.#agent.destroy()
    })
  }

  get it(): CdnEmulator {
    if (this.#emulator === undefined) throw new Error('The emulator does not run yet')
    return this.#emulator
  }

  async management(path: string, options: CallOptions = {}): Promise<WireReply> {
    return await this.#call(this.it.managementUrl + path, options)
  }

  async logging(path: string, options: CallOptions = {}): Promise<WireReply> {
    return await this.#call(this.it.loggingUrl + path, options)
  }

  async #call(url: string, { method = 'GET', body, headers, signal }: CallOptions): Promise<WireReply> {
    const sent: Dispatcher.RequestOptions['headers'] = { ...(headers ?? { AccessKey: this.it.accessKey }) }
    const reply = await request(url, {
      method,
      dispatcher: this.#agent,
      headers: body === undefined ? sent : { 'content-type': 'application/json', ...sent },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await reply.body.text()
    return { status: reply.statusCode, headers: reply.headers, text, json: parsed(text) }
  }
}

/** A boundary: what the emulator answers is what tests look into. */
function parsed(text: string): WireBody {
  try {
    return fromJson(text) as WireBody
  } catch {
    return {} as WireBody
  }
}

/** What any answer's JSON may hold, for reading in tests. Nothing is promised: what a test needs, it checks. */
export interface WireBody {
  readonly [field: string]: unknown
  readonly ErrorKey: string
  readonly error: { readonly code: string; readonly message: string; readonly details: readonly string[] }
  readonly StorageUsedChart: Readonly<Record<string, unknown>>
  readonly FileCountChart: Readonly<Record<string, unknown>>
  readonly Items: readonly { readonly Id: unknown; readonly Key: string | null; readonly Roles: unknown }[]
  readonly data: readonly LogRow[]
  readonly pagination: { readonly hasMore: boolean; readonly returned: number }
}

export interface LogRow {
  readonly timestamp: string
  readonly requestId: string
  readonly cacheStatus: string
  readonly statusCode: number
  readonly bytesSent: number
  readonly remoteIp: string
  readonly countryCode?: string | null
  readonly edgeLocation: string
  readonly host: string
  readonly path: string
  readonly url: string
  readonly userAgent?: string | null
  readonly referer?: string | null
  readonly bodyBytesSent?: number | null
  readonly contentRange?: string | null
  readonly authorizationHeader?: string | null
}
