import type { Fault } from './fault.ts'
import { isLoggingStatus, refuseLogging, refuseManagement } from './refusal.ts'
import type { Base } from './route.ts'
import { jsonAnswer, type WireAnswer } from './wire-answer.ts'

/** The answer of a status fault, with the body the interface would give it or the one the fault asks for. */
export function statusAnswer(
  base: Base,
  { status, body = 'error', retryAfter }: Extract<Fault, { kind: 'status' }>,
): WireAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  if (body === 'empty' || status === 204 || status === 304) return { status, headers, chunks: [] }
  if (body === 'error') {
    const { headers: type, chunks } = jsonAnswer(status, errorBody(base, status))
    return { status, headers: { ...type, ...headers }, chunks }
  }
  const text = body === 'text' ? `upstream says ${status}\n` : `<html><body><h1>${status}</h1></body></html>`
  return {
    status,
    headers: { ...headers, 'content-type': body === 'text' ? 'text/plain' : 'text/html' },
    chunks: [text],
  }
}

function errorBody(base: Base, status: number): object | undefined {
  const message = 'Refused on purpose.'
  if (base === 'logging' && isLoggingStatus(status)) return refuseLogging(status, message).body
  return refuseManagement(status, `fault.${status}`, null, message).body
}
