import { MockAgent } from 'undici'
import { type CdnClient, type CdnClientOptions } from '../../src/cdn/client.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { clientFor, type Received } from './platform-server.ts'

const ORIGIN = 'https://cdn.example'
export const NOW = '2026-11-20T12:00:00Z'

/** What a request is answered with: a body as JSON, or all of an answer, or the code of an error instead of one. */
export type Scripted =
  | { readonly json: unknown }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly error: string }

/** A platform without a socket: answers requests in turn, the last answer being for all that follow, and keeps them. */
export function scriptedPlatform(...answers: readonly Scripted[]) {
  const agent = new MockAgent()
  agent.disableNetConnect()
  const received: Received[] = []
  const pauses: number[] = []
  const clock = new TurnedClock(NOW)
  clock.sleep = async (ms, signal) => {
    pauses.push(Math.round(ms))
    clock.turn(ms)
    signal?.throwIfAborted()
  }
  for (const [index, answer] of answers.entries()) {
    const intercepted = agent.get(ORIGIN).intercept({ path: () => true, method: () => true })
    const scope =
      'error' in answer
        ? intercepted.replyWithError(Object.assign(new Error('hush'), { code: answer.error }))
        : intercepted.reply(({ method, path: url, headers, body }) => {
            received.push({
              method,
              url,
              headers: headers as Received['headers'],
              body: typeof body === 'string' ? body : '',
            })
            if ('json' in answer) return { statusCode: 200, data: JSON.stringify(answer.json) }
            return {
              statusCode: answer.status,
              data: answer.body ?? '',
              responseOptions: { headers: { ...answer.headers } },
            }
          })
    if (index === answers.length - 1) scope.persist()
  }
  const client = (options: Partial<CdnClientOptions> = {}): CdnClient =>
    clientFor(ORIGIN, { clock, dispatcher: agent, ...options })
  return { client, received, pauses, clock }
}
