import * as z from 'zod'
import type { CdnClient } from '../../../src/cdn/client.ts'
import { utcDay } from '../../../src/cdn/contract/dates.ts'
import {
  callKind,
  type Endpoint,
  ENDPOINT_NAMES,
  endpointNamed,
  type EndpointName,
  endpoints,
  type ManagementCall,
} from '../../../src/cdn/contract/endpoints.ts'
import { sampleOf } from '../../support/sample-values.ts'

/** What an operation is to a fault: whether it may be sent again, how long it may take, how its answer is taken in. */
export type OperationKind = 'read' | 'write' | 'write without an answer' | 'day file'

/** One call of the platform, as the matrix plays it. */
export interface FaultedOperation {
  readonly kind: OperationKind
  /** By hand, not from the client: how long it may take in all, and to begin or go on. */
  readonly deadlineMs: number
  readonly call: (client: CdnClient, now: Date) => Promise<unknown>
  /** What a sound platform answers, long enough to be cut in its middle. */
  readonly good: string
  readonly contentType: string
}

const DEADLINES_MS = { read: 8_000, write: 30_000, dayFile: 600_000 } as const
const PADDING = 'x'.repeat(200)

const row = {
  requestId: 'r-1',
  timestamp: '2026-11-20T11:59:00Z',
  cacheStatus: 'HIT',
  statusCode: 200,
  path: `/${PADDING}`,
}
const line = `HIT|200|1795000000000|412|390|192.0.2.0|-|https://a.example/${PADDING}|WA|Agent|r-1|DE\n`

/** Calls with a method of their own: what they ask for, and what comes. */
const LOG_CALLS: Readonly<Record<Exclude<EndpointName, ManagementCall>, Pick<FaultedOperation, 'call' | 'good'>>> = {
  queryLogs: {
    call: async (client) => client.queryLogs(390n, {}, { maxEntries: 100 }),
    good: JSON.stringify({ data: [row], pagination: { offset: 0, limit: 100, returned: 1, hasMore: false } }),
  },
  streamDayFile: {
    call: async (client, now) => client.streamDayFile(390n, utcDay(now), {}, () => undefined),
    good: line.repeat(5),
  },
}

/** A stand-in for calls that are answered with nothing, whether the table has one or not. */
export const UNANSWERED = 'write without an answer'

/** What the matrix plays: every endpoint there is, made from the table. */
export const OPERATIONS: ReadonlyMap<EndpointName | typeof UNANSWERED, FaultedOperation> = new Map([
  ...ENDPOINT_NAMES.map((name) => [name, faulted(name)] as const),
  [UNANSWERED, { ...faulted('addDnsRecord'), kind: UNANSWERED as OperationKind, call: addRecordUnanswered }] as const,
])

function faulted(name: EndpointName): FaultedOperation {
  const { answer } = endpointNamed(name)
  const kind = callKind(name)
  return {
    kind: kind === 'dayFile' ? 'day file' : kind === 'write' && answer === 'nothing' ? UNANSWERED : kind,
    deadlineMs: DEADLINES_MS[kind],
    contentType: answer === 'lines' ? 'text/plain' : 'application/json',
    ...(isLogCall(name) ? LOG_CALLS[name] : { call: async (client) => callOf(client, name), good: goodAnswer(answer) }),
  }
}

function isLogCall(name: EndpointName): name is keyof typeof LOG_CALLS {
  return Object.hasOwn(LOG_CALLS, name)
}

/** A call that gives what it cannot do without. */
function callOf(client: CdnClient, name: ManagementCall): Promise<unknown> {
  const { params, query, body } = endpointNamed(name)
  const decoded = [params, query].map((schema) =>
    z.decode(schema, sampleOf(schema, 'needed') as z.input<typeof schema>),
  )
  const request = Object.assign({}, ...decoded, body && { body: sampleOf(body, 'needed') }) as never // as the table says
  return client[name](request)
}

/** Where nothing is read of an answer there may be something all the same. */
function goodAnswer(answer: Endpoint['answer']): string {
  return JSON.stringify(typeof answer === 'string' ? { Done: PADDING } : sampleOf(answer)) + ' '.repeat(PADDING.length)
}

/** The table is another one for the moment in which the call looks at it. */
function addRecordUnanswered(client: CdnClient): Promise<unknown> {
  const entry: { answer: Endpoint['answer'] } = endpoints.addDnsRecord
  const { answer } = entry
  entry.answer = 'nothing'
  try {
    return callOf(client, 'addDnsRecord')
  } finally {
    entry.answer = answer
  }
}
