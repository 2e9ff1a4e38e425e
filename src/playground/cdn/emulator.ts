import { createServer, type Server } from 'node:http'
import type { EndpointName } from '../../cdn/contract/endpoints.ts'
import { listen, LOOPBACK, shut } from '../../shared/server.ts'
import type { Clock } from '../../shared/clock.ts'
import { type Base, logRateLimit, RequestLedger, serveCall } from './call-server.ts'
import { FaultPlan } from './faults.ts'
import { seededRandom } from './world/seeded-random.ts'
import { type Canaries, fakeKey, World } from './world/world.ts'

export interface CdnEmulatorOptions {
  readonly clock: Clock
  /** Loopback ports of the management and of the logging interface; free ones if not given. */
  readonly port?: number
  readonly loggingPort?: number
  /** The same seed makes the same world on the same UTC day. */
  readonly seed?: string
  /** What lets a client in; made from the seed if not given, as the bearer token is. */
  readonly accessKey?: string
  readonly canaries?: Canaries
}

/** A CDN platform on loopback: the whole endpoint table over a made-up account, which can be made to fail. */
export type CdnEmulator = Awaited<ReturnType<typeof startCdnEmulator>>

/** Rejects when a port is taken. */
export async function startCdnEmulator(options: CdnEmulatorOptions) {
  const { clock, port = 0, loggingPort = 0, seed = 'playground', canaries = {} } = options
  const random = seededRandom(`${seed}/credential`)
  const accessKey = options.accessKey ?? fakeKey(random)
  const bearerToken = `${random.hex(36)}.${random.hex(80)}.${random.hex(43)}`
  const world = new World({ seed, now: clock.now(), accessKey, canaries })
  const faults = new FaultPlan()
  const ledger = new RequestLedger()
  const parts = { clock, world, ledger, faults, bearerToken, admitsLog: logRateLimit(clock) }
  const serverOf = (base: Base): Server =>
    createServer((request, response) => {
      response.setHeader('date', clock.now().toUTCString())
      // A client that goes away, or was meant to be cut off, ends the request.
      serveCall(parts, base, request, response).catch(() => response.destroy())
    })
  const [management, logging] = [serverOf('management'), serverOf('logging')]
  const managementPort = await listen(management, port)
  const usedLoggingPort = await listen(logging, loggingPort)
  return {
    /** Base address of the management interface, without a final slash. */
    managementUrl: `http://${LOOPBACK}:${managementPort}`,
    /** Base address of the logging interface: another port, so that a mix-up of the two is seen. */
    loggingUrl: `http://${LOOPBACK}:${usedLoggingPort}`,
    accessKey,
    bearerToken,
    world,
    faults,
    /** The newest requests as they stand now, oldest first. */
    get requests() {
      return ledger.entries
    },
    subscribe: (listener: () => void) => ledger.subscribe(listener),
    /** How many requests of an endpoint have arrived, however they were answered. */
    count: (endpoint: EndpointName | undefined) => ledger.count(endpoint),
    close: async () => void (await Promise.all([shut(management), shut(logging)])),
  }
}
