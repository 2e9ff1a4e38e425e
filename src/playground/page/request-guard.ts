import type { IncomingMessage } from 'node:http'

/** The only address the page is served at. */
export const LOOPBACK = '127.0.0.1'

/**
 * Whether a request may be served: it must name this address itself, so that no other name for it works, and what
 * changes something must come from the page, so that no other page in the same browser can act here.
 */
export function isWelcome({ headers, method, socket }: IncomingMessage): boolean {
  const own = [`${LOOPBACK}:${socket.localPort}`, `localhost:${socket.localPort}`]
  if (!own.includes(headers.host ?? '')) return false
  if (headers.origin !== undefined) return headers.origin === `http://${headers.host}`
  return method === 'GET' || method === 'HEAD'
}
