import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../shared/clock.ts'
import { CallServer, type Base } from './call-server.ts'
import { FaultPlan } from './faults.ts'
import { LogRateLimit } from './log-rate-limit.ts'
import { RequestLedger, type LedgerEntry } from './request-ledger.ts'
import { seededRandom } from './world/seeded-random.ts'
import { fakeKey, World, type Canaries } from './world/world.ts'

export interface CdnEmulatorOptions {
  readonly clock: Clock
  /** Loopback port of the management interface; the logging interface takes the next one. Both free ones if not given. */
  readonly port?: number
  /** Where the logging interface shall not be at the next port. */
  readonly loggingPort?: number
  /** The same seed makes the same world on the same UTC day. */
  readonly seed?: string
  /** What lets a client in; made from the seed if not given. */
  readonly credential?: { readonly accessKey?: string; readonly bearerToken?: string }
  readonly canaries?: Canaries
}

/** A CDN platform on loopback: the whole endpoint table over a made-up account, which can be made to fail. */
export interface CdnEmulator {
  /** Base address of the management interface, without a final slash. */
  readonly managementUrl: string
  /** Base address of the logging interface: another port, so that a mix-up of the two is seen. */
  readonly loggingUrl: string
  readonly accessKey: string
  readonly bearerToken: string
  readonly world: World
  readonly faults: FaultPlan
  /** The newest requests as they stand now, oldest first. */
  readonly requests: readonly LedgerEntry[]
  /** How many requests of an endpoint have arrived, however they were answered. */
  readonly count: RequestLedger['count']
  /** Calls `listener` whenever a request arrives or is answered, until the returned function is called. */
  readonly subscribe: RequestLedger['subscribe']
  /** Ends all connections, hanging ones too. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Rejects when a port is taken. */
export async function startCdnEmulator(options: CdnEmulatorOptions): Promise<CdnEmulator> {
  const { clock, port = 0, seed = 'playground', credential = {}, canaries = {} } = options
  const { loggingPort = port === 0 ? 0 : port + 1 } = options
  const random = seededRandom(`${seed}/credential`)
  const accessKey = credential.accessKey ?? fakeKey(random)
  const bearerToken = credential.bearerToken ?? `${random.hex(36)}.${random.hex(80)}.${random.hex(43)}`
  const world = new World({ seed, now: clock.now(), accessKey, canaries })
  const faults = new FaultPlan()
  const ledger = new RequestLedger()
  const calls = new CallServer({ clock, world, ledger, faults, bearerToken, logLimit: new LogRateLimit(clock) })
  const management = await listen(calls, 'management', port, clock)
  const logging = await listen(calls, 'logging', loggingPort, clock).catch(async (error: unknown) => {
    await shut(management)
    throw error
  })
  return {
    managementUrl: addressOf(management),
    loggingUrl: addressOf(logging),
    accessKey,
    bearerToken,
    world,
    faults,
    get requests() {
      return ledger.entries
    },
    subscribe: (listener) => ledger.subscribe(listener),
    count: (endpoint) => ledger.count(endpoint),
    close: async () => void (await Promise.all([shut(management), shut(logging)])),
  }
}

async function listen(calls: CallServer, base: Base, port: number, clock: Clock): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('date', clock.now().toUTCString())
    void calls.serve(base, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  })
  return server
}

function addressOf(server: Server): string {
  // A boundary: a server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return `http://${LOOPBACK}:${port}`
}

async function shut(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
