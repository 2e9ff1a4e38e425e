import { beforeAll, expect, test } from 'vitest'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { PlatformServer } from '../../cdn/platform-server.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { runCell } from './cell-run.ts'
import { wrongTypes } from './wrong-types.ts'
import { ENDPOINT_NAMES } from '../../../src/cdn/contract/endpoints.ts'
import { BODY_FAULTS } from './body-faults.ts'
import { CERTIFICATE_FAULTS, trustTable } from './certificate-faults.ts'
import { body, cellsOf, type Fault } from './fault.ts'
import { NETWORK_FAULTS } from './network-faults.ts'
import { OPERATIONS, UNANSWERED } from './operations.ts'
import { STATUS_FAULTS } from './status-faults.ts'

const FAULTS: readonly Fault[] = [...NETWORK_FAULTS, ...STATUS_FAULTS, ...CERTIFICATE_FAULTS, ...BODY_FAULTS]

beforeAll(trustTable)

test.each(cellsOf(FAULTS).map((cell) => [cell.name, cell] as const))('%s', async (_, cell) => {
  expect(await runCell(cell)).toEqual(cell.fault.name)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

/** What has to be there, by hand: the faults that were promised, whatever the tables have besides. */
const REQUIRED: readonly (readonly [fault: string, least: number])[] = [
  ['refused', 1],
  ['no such host', 1],
  ['silence before: accepted', 1],
  ['silence in the TLS handshake', 1],
  ...['silence', 'reset', 'end'].flatMap((how) =>
    ['accepted', 'asked', 'status line', 'headers', 'body'].map((stage) => [`${how} at: ${stage}`, 1] as const),
  ),
  ['drip ', 2],
  ['status 1', 2],
  ['status 3', 8],
  ...[400, 401, 403, 404, 408, 425, 429, 499, 500, 502, 503, 504].map((status) => [`status ${status}`, 1] as const),
  ...['absent', '0', '5', '86400', '-1', 'a date', 'garbage'].flatMap((form) =>
    [429, 503].map((status) => [`status ${status} with Retry-After ${form}`, 1] as const),
  ),
  ['certificate ', 5],
  ['no TLS where it has to be', 1],
  ...['HTML', 'empty', 'deep nesting', '100 MB', 'a gzip bomb', 'invalid UTF-8', 'fields nobody knows', 'twice'].map(
    (name) => [`body: ${name}`, 1] as const,
  ),
  ['body: longer than its length', 1],
  ['body: shorter than its length', 1],
]

/** By the table of endpoints, so that a new one is played by every fault at once. */
const PLAYED = [...ENDPOINT_NAMES, UNANSWERED]

/** What is missing of a matrix: faults that nobody plays, and cells without a word on what is expected. */
function missing(faults: readonly Fault[]): readonly string[] {
  const few = REQUIRED.filter(([start, least]) => faults.filter(({ name }) => name.startsWith(start)).length < least)
  const cells = new Set(cellsOf(faults).map(({ name }) => name))
  const wanted = faults.flatMap(({ name }) => PLAYED.map((played) => `${name}: ${played}`))
  return [...few.map(([start]) => start), ...wanted.filter((name) => !cells.has(name))]
}

test('every fault is played on every operation of the platform', () => {
  expect(missing(FAULTS)).toEqual([])
  expect([...OPERATIONS.keys()]).toEqual(PLAYED)
  expect(new Set(cellsOf(FAULTS).map(({ name }) => name)).size).toBe(FAULTS.length * PLAYED.length)
  expect(
    cellsOf(FAULTS).every(({ operation, expected }) => !operation.kind.startsWith('write') || expected.sends <= 1),
  ).toBe(true)
})

test('a fault that is taken out is missed', () => {
  expect(missing(FAULTS.filter(({ name }) => name !== 'body: a gzip bomb'))).toEqual(['body: a gzip bomb'])
})

test.each([...OPERATIONS])('body: wrong types, field by field: %s', async (endpoint, { call, kind, good }) => {
  const wrong = wrongTypes(endpoint)
  const lines = good.replaceAll('|200|', '|two hundred|')
  await using platform = await PlatformServer.start(...wrong.map(({ body: text }) => body(text)), body(lines))
  const clock = new TurnedClock()
  const client = platform.client({ clock })
  const told: unknown[] = []
  for (const _ of wrong) {
    const error: unknown = await call(client, clock.now()).catch((thrown: unknown) => thrown)
    told.push(error instanceof CdnError ? error.failure : error)
  }
  expect(told).toEqual(
    wrong.map(({ field }) => ({ kind: 'malformed', status: 200, why: expect.stringContaining(field) as string })),
  )
  expect(platform.received).toHaveLength(wrong.length)
  // A line of text has no types; one that does not hold a status where it stands is counted as none.
  if (kind === 'day file') expect(await call(client, clock.now())).toMatchObject({ lines: 5, malformedLines: 5 })
})
