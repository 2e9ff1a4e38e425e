import type { CdnClient } from '../../../src/cdn/client.ts'
import { utcDay } from '../../../src/cdn/dates.ts'
import type { EndpointName } from '../../../src/cdn/endpoints.ts'

/** What an operation is to a fault: whether it may be sent again, how long it may take, how its answer is taken in. */
export type OperationKind = 'read' | 'write' | 'day file'

/** One call of the platform, as the matrix plays it. */
export interface FaultedOperation {
  readonly kind: OperationKind
  readonly method: 'GET' | 'POST' | 'PUT'
  /** By hand, not from the client: how long it may take in all, and to begin or go on. */
  readonly deadlineMs: number
  readonly call: (client: CdnClient, now: Date) => Promise<unknown>
  /** What a sound platform answers, long enough to be cut in its middle. */
  readonly good: string
  readonly contentType: string
}

const READ_MS = 8_000
const CREATE_MS = 30_000
const DAY_FILE_MS = 600_000
const JSON_TYPE = 'application/json'
const PADDING = 'x'.repeat(200)

const row = {
  requestId: 'r-1',
  timestamp: '2026-11-20T11:59:00Z',
  cacheStatus: 'HIT',
  statusCode: 200,
  path: `/${PADDING}`,
}
const line = `HIT|200|1795000000000|412|390|192.0.2.0|-|https://a.example/${PADDING}|WA|Agent|r-1|DE\n`

/** The five operations and the day file: every endpoint there is, or the types do not fit. */
export const OPERATIONS: Readonly<Record<EndpointName, FaultedOperation>> = {
  getStorageStatistics: {
    kind: 'read',
    method: 'GET',
    deadlineMs: READ_MS,
    call: async (client) => client.getStorageStatistics(7n),
    good: `${JSON.stringify({ StorageUsedChart: { '2026-11-19T00:00:00Z': 7 }, FileCountChart: {} })}${' '.repeat(200)}`,
    contentType: JSON_TYPE,
  },
  listApiKeys: {
    kind: 'read',
    method: 'GET',
    deadlineMs: READ_MS,
    call: async (client) => client.listApiKeys(),
    good: JSON.stringify({
      Items: [{ Id: 7, Key: 'abcd-efgh-ijkl', Roles: [PADDING] }],
      CurrentPage: 1,
      TotalItems: 1,
    }),
    contentType: JSON_TYPE,
  },
  createVideoLibrary: {
    kind: 'write',
    method: 'POST',
    deadlineMs: CREATE_MS,
    call: async (client) => client.createVideoLibrary({ Name: 'x' }),
    good: JSON.stringify({ Id: 7, Name: PADDING }),
    contentType: JSON_TYPE,
  },
  addDnsRecord: {
    kind: 'write',
    method: 'PUT',
    deadlineMs: CREATE_MS,
    call: async (client) => client.addDnsRecord(7n, { Type: 0, Name: 'www', Value: '192.0.2.1' }),
    good: JSON.stringify({ Id: 7, Name: 'www', Value: '192.0.2.1', Comment: PADDING }),
    contentType: JSON_TYPE,
  },
  queryLogs: {
    kind: 'read',
    method: 'GET',
    deadlineMs: READ_MS,
    call: async (client) => client.queryLogs(390n, {}, { maxEntries: 100 }),
    good: JSON.stringify({ data: [row], pagination: { offset: 0, limit: 100, returned: 1, hasMore: false } }),
    contentType: JSON_TYPE,
  },
  streamDayFile: {
    kind: 'day file',
    method: 'GET',
    deadlineMs: DAY_FILE_MS,
    call: async (client, now) => client.streamDayFile(390n, utcDay(now), {}, () => undefined),
    good: line.repeat(5),
    contentType: 'text/plain',
  },
}
