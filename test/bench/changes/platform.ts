import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A platform that takes every request for a new DNS record. */
export interface Platform extends AsyncDisposable {
  readonly url: string
  /** How many have come so far. */
  readonly asked: number
}

const END_OF_HEAD = '\r\n\r\n'
const LENGTH = /^content-length: (\d+)$/im
const RECORD = JSON.stringify({ Id: 7, Type: 0, Ttl: 300, Value: '192.0.2.10', Name: 'www' })
const ANSWER = [
  'HTTP/1.1 201 Created',
  'Content-Type: application/json',
  `Content-Length: ${RECORD.length}`,
  'Connection: close',
  '',
  RECORD,
].join('\r\n')

/** Speaks just as much HTTP as the one request has. */
export async function startPlatform(): Promise<Platform> {
  let asked = 0
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    let request = ''
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setEncoding('latin1').on('data', (part: string) => {
      request += part
      if (!isWhole(request)) return
      asked += 1
      socket.end(ANSWER)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('A server on a port has an address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    get asked() {
      return asked
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isWhole(request: string): boolean {
  const headEnd = request.indexOf(END_OF_HEAD)
  if (headEnd < 0) return false
  const [, length = '0'] = LENGTH.exec(request.slice(0, headEnd)) ?? []
  return request.length - headEnd - END_OF_HEAD.length >= Number(length)
}
