import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENDPOINT_NAMES } from '../../../src/cdn/contract/endpoints.ts'
import { BODY_FAULTS } from './body-faults.ts'
import { CERTIFICATE_FAULTS } from './certificate-faults.ts'
import { cellsOf, type Fault } from './fault.ts'
import { NETWORK_FAULTS } from './network-faults.ts'
import { OPERATIONS, UNANSWERED } from './operations.ts'
import { STATUS_FAULTS } from './status-faults.ts'

const TABLES = { NETWORK_FAULTS, STATUS_FAULTS, CERTIFICATE_FAULTS, BODY_FAULTS }
const FAULTS: readonly Fault[] = Object.values(TABLES).flat()

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

test('every table of faults is played by a test', () => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder)
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
  const declared = files.flatMap((file) =>
    [...read(file).matchAll(/^export const (\w+_FAULTS)\b/gm)].map(([, name]) => name),
  )
  const tests = files.filter((file) => file.endsWith('.wire.test.ts')).map(read)
  expect(new Set(declared)).toEqual(new Set(Object.keys(TABLES)))
  for (const name of declared)
    expect(tests.filter((text) => text.includes(`test.each(cellsOf(${name})`))).toHaveLength(1)
})
