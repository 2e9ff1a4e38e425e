import type { ServerResponse } from 'node:http'

/**
 * Answers a request of Slack's: with nothing, with a text that is shown to whoever typed the command, or with an object.
 * Only the first answer counts.
 */
export function answer(response: ServerResponse, status: number, value?: unknown): void {
  if (response.headersSent || response.destroyed) return
  if (value === undefined || value === '') return void response.writeHead(status).end()
  const isText = typeof value === 'string'
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type }).end(isText ? value : JSON.stringify(value))
}

/** Answers a request that is not taken, with its number alone, and hangs up. */
export function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { connection: 'close' }).end()
}
