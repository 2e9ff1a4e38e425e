import type { EndpointName } from '../../cdn/endpoints.ts'
import { listApiKeys } from './api-keys-handler.ts'
import { streamDayFile } from './day-file-handler.ts'
import { addDnsRecord } from './dns-record-handler.ts'
import type { Answer, Call } from './handler.ts'
import { queryLogs } from './log-page-handler.ts'
import { getStorageStatistics } from './storage-statistics-handler.ts'
import { createVideoLibrary } from './video-library-handler.ts'

/** One handler for every endpoint the client can call: leaving one out does not compile. Handlers throw `Refusal`. */
export type Handlers = { readonly [Name in EndpointName]: (call: Call<Name>) => Answer<Name> }

/** The emulator's answers, endpoint by endpoint. */
export const handlers: Handlers = {
  getStorageStatistics,
  listApiKeys,
  createVideoLibrary,
  addDnsRecord,
  queryLogs,
  streamDayFile,
}
