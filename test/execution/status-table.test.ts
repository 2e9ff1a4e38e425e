import { describe, expect, it, test } from 'vitest'
import { MockAgent } from 'undici'
import { outcomeOfStatus } from '../../src/execution/outcome.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { clientFor } from '../cdn/platform-server.ts'
import {
  ANY_ANSWER,
  expectedCell,
  METHODS,
  type Method,
  outcomeOfCall,
  type StatusCell,
} from '../support/status-rules.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const ORIGIN = 'https://cdn.example.com'
const STATUSES = Array.from({ length: 500 }, (_, index) => 100 + index)
const LONGEST_DEADLINE_MS = 30_000
const HEADERS = { 'content-type': 'application/json', 'retry-after': '0' }

/** A platform without a socket that always answers with one status, and counts what reaches it. */
function platformAnswering(method: Method) {
  const state = { status: 0, requests: 0, reached: Promise.withResolvers<void>() }
  const agent = new MockAgent()
  agent.disableNetConnect()
  agent
    .get(ORIGIN)
    .intercept({ path: () => true, method })
    .reply(() => {
      state.requests += 1
      state.reached.resolve()
      return { statusCode: state.status, data: ANY_ANSWER, responseOptions: { headers: HEADERS } }
    })
    .persist()
  return { agent, state }
}

/** What comes of each status. Below 200 nothing is final by HTTP, so only the deadline ends such a call. */
async function cells(method: Method): Promise<readonly (readonly [number, StatusCell])[]> {
  const { agent, state } = platformAnswering(method)
  const found: [number, StatusCell][] = []
  for (const status of STATUSES) {
    Object.assign(state, { status, requests: 0, reached: Promise.withResolvers<void>() })
    const turned = new TurnedClock()
    const clock = status < 200 ? turned : systemClock
    const outcome = outcomeOfCall(clientFor(ORIGIN, { dispatcher: agent, clock }), method)
    await state.reached.promise
    turned.turn(LONGEST_DEADLINE_MS)
    found.push([status, { outcome: await outcome, requests: state.requests }])
  }
  await agent.close()
  return found
}

describe('every status from 100 to 599', () => {
  test.each(METHODS)('means for a %s what the table says, and writes are sent once', async (method) => {
    expect(await cells(method)).toEqual(STATUSES.map((status) => [status, expectedCell(method, status)]))
  })

  it('means the same for a write by itself', () => {
    expect(STATUSES.map(outcomeOfStatus)).toEqual(STATUSES.map((status) => expectedCell('PUT', status).outcome))
  })
})
