import type { CdnClient } from '../../src/cdn/client.ts'
import { CdnError } from '../../src/cdn/contract/errors.ts'
import { type Outcome, classifyFailure } from '../../src/execution/messages/outcome.ts'

/** What a final status means, by hand: the first range that holds it. Told by nothing in `src`. */
const RULES: readonly {
  readonly from: number
  readonly to: number
  readonly write: Outcome
  readonly tries: number
}[] = [
  { from: 408, to: 408, write: 'unknown', tries: 1 },
  { from: 425, to: 425, write: 'unknown', tries: 1 },
  { from: 429, to: 429, write: 'rejected', tries: 3 },
  { from: 499, to: 499, write: 'unknown', tries: 1 },
  { from: 100, to: 199, write: 'unknown', tries: 1 },
  { from: 200, to: 299, write: 'done', tries: 1 },
  { from: 300, to: 399, write: 'rejected', tries: 1 },
  { from: 400, to: 498, write: 'rejected', tries: 1 },
  { from: 500, to: 599, write: 'unknown', tries: 3 },
]

/** How one call of a method went: what it means, and how often it was sent. */
export interface StatusCell {
  readonly outcome: Outcome | 'answered' | 'no answer'
  readonly requests: number
}

export const METHODS = ['GET', 'POST', 'PUT'] as const
export type Method = (typeof METHODS)[number]

/** What has to come of a call that is always answered with this status. Writes are sent once, whatever comes. */
export function expectedCell(method: Method, status: number): StatusCell {
  const rule = RULES.find(({ from, to }) => status >= from && status <= to)
  if (rule === undefined) throw new RangeError(`No rule for ${status}`)
  if (method !== 'GET') return { outcome: rule.write, requests: 1 }
  return { outcome: rule.write === 'done' ? 'answered' : 'no answer', requests: rule.tries }
}

/** Makes the call that stands for a method, and says what came of it. */
export async function outcomeOfCall(client: CdnClient, method: Method): Promise<StatusCell['outcome']> {
  try {
    if (method === 'GET') await client.getStorageStatistics({ id: 7n })
    else if (method === 'POST') await client.createVideoLibrary({ body: { Name: 'x' } })
    else await client.addDnsRecord({ zoneId: 7n, body: { Type: 0, Value: '192.0.2.1' } })
    return method === 'GET' ? 'answered' : 'done'
  } catch (error) {
    if (!(error instanceof CdnError)) throw error
    return method === 'GET' ? 'no answer' : classifyFailure(error)
  }
}

/** A body that each of the calls can read. */
export const ANY_ANSWER = JSON.stringify({ Id: 7, Name: 'x', StorageUsedChart: {}, FileCountChart: {} })
