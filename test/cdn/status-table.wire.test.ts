import { expect, test } from 'vitest'
import { ANY_ANSWER, expectedCell, METHODS, outcomeOfCall, type StatusCell } from '../support/status-rules.ts'
import { PlatformServer, raw } from './platform-server.ts'

/** Below 200 nothing is final: HTTP itself waits for more. */
const STATUSES = Array.from({ length: 400 }, (_, index) => 200 + index)
/** Answers that have no body by HTTP, so a read has nothing to read. */
const BODILESS = new Set([204, 304])
const HEADERS = { 'content-type': 'application/json', 'retry-after': '0' }

test.each(METHODS)('over the wire every status from 200 to 599 means for a %s what the table says', async (method) => {
  let status = 0
  await using platform = await PlatformServer.start((response, request) =>
    raw(ANY_ANSWER, status, HEADERS)(response, request),
  )
  const client = platform.client()
  const cells: [number, StatusCell][] = []
  for (status of STATUSES) {
    const before = platform.received.length
    const outcome = await outcomeOfCall(client, method)
    cells.push([status, { outcome, requests: platform.received.length - before }])
  }
  const expected = STATUSES.map((each) => {
    const cell = expectedCell(method, each)
    return [each, BODILESS.has(each) && cell.outcome === 'answered' ? { ...cell, outcome: 'no answer' } : cell]
  })
  expect(cells).toEqual(expected)
  expect(new Set(platform.received.map((received) => received.method))).toEqual(new Set([method]))
})
