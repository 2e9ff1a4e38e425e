import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where a connection is cut: its commit reaches the server and its answer does not come back, or it never arrives. */
export type Cut = 'before commit' | 'after commit'

/** A way to a PostgreSQL server that can fail in the moment of a commit. */
export interface CuttingProxy {
  /** The same database, through the proxy. */
  readonly url: string
  /** Cuts the next transaction that says `marker`, once. */
  cut(when: Cut, marker: string): void
  /** How many were cut. */
  readonly cuts: number
  close(): Promise<void>
}

const COMMIT = 'commit\0'
const BEGIN = 'begin\0'

/** With `delayMs` the server is so much farther away, for every round trip. It listens at any port unless one is given. */
export async function startCuttingProxy(target: string, { delayMs = 0, port: at = 0 } = {}): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let armed: { readonly when: Cut; readonly marker: string } | undefined
  let cuts = 0

  const server = createServer((client) => {
    const database = connect({ host: hostname, port: Number(port) })
    const both = [client, database]
    let said = ''
    let isCutting = false
    const end = (): void => both.forEach((socket) => socket.destroy())
    const send = (bytes: Buffer): void => {
      if (delayMs === 0) database.write(bytes)
      else setTimeout(() => database.write(bytes), delayMs)
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      said = text.includes(BEGIN) ? text : said + text
      if (armed === undefined || !text.includes(COMMIT) || !said.includes(armed.marker)) return send(bytes)
      const { when } = armed
      armed = undefined
      cuts += 1
      if (when === 'before commit') return end()
      isCutting = true
      return send(bytes)
    })
    // The answer to the commit: it has happened, and nobody hears of it.
    database.on('data', (bytes) => (isCutting ? end() : client.write(bytes)))
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo // a TCP server has this form of address
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(own) }).href,
    cut: (when, marker) => (armed = { when, marker }),
    get cuts() {
      return cuts
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
