import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { defaultDialect } from '../../../src/cdn/contract/dialect.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { bodyOf, OversizedBody } from '../../../src/cdn/http/response-body.ts'
import { StorageStatistics } from '../../../src/cdn/contract/storage-statistics.ts'
import { readAnswer, readNothing } from '../../../src/cdn/reading/response-reading.ts'
import { answered, arrived, noDeadline, readKeys } from '../arrived-answer.ts'

const PAGE = JSON.stringify({ Items: [{ Key: 'a-key-of-more-than-sixteen-characters' }] })

it.each([
  ['is read', PAGE, { Items: [{ redactedKey: '…ters' }] }],
  ['breaks off', PAGE.slice(0, -6), { kind: 'malformed', why: 'Not JSON, or not as keys are sent' }],
  ['does not fit', PAGE.replace(']', '],"TotalItems":"x"'), { kind: 'malformed' }],
])('wipes each copy of the bytes of an answer that %s', async (_, page, expected) => {
  const chunk = Buffer.from(page)
  const concat = vi.spyOn(Buffer, 'concat')
  try {
    expect(await answered(readKeys(chunk))).toMatchObject(expected)
    const wholes = concat.mock.results.map(({ value }) => value as Buffer)
    expect([chunk, ...wholes].map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true, true])
  } finally {
    concat.mockRestore()
  }
})

it('takes a body that says it is as long as it may be, and none that says it is longer', async () => {
  const said = (bytes: number) => ({ ...arrived('12345678'), headers: { 'content-length': String(bytes) } })
  expect(await bodyOf(said(8), 8)).toHaveLength(8)
  await expect(bodyOf(said(9), 8)).rejects.toThrow(OversizedBody)
})

it('keeps each piece of a compressed body until all of it is put together', async () => {
  const body = Buffer.from('0123456789'.repeat(100_000))
  const incoming = { ...arrived(gzipSync(body)), headers: { 'content-encoding': 'gzip' } }
  expect((await bodyOf(incoming, 2_000_000)).equals(body)).toBe(true)
})

it('reads all digits of long numbers, whatever the answer is of', async () => {
  const used = '{"StorageUsedChart":{"2026-11-20T00:00:00Z":9007199254740993},"FileCountChart":null}'
  const read = readAnswer('getStorageStatistics', StorageStatistics, arrived(used), noDeadline(), {
    dialect: defaultDialect,
  })
  expect((await read).StorageUsedChart).toEqual(new Map([['2026-11-20T00:00:00Z', 9_007_199_254_740_993n]]))
})

it('reads a page of keys by the names of the contract, whatever else they are said to be called', async () => {
  const dialect = { ...defaultDialect, fieldAliases: { Total: 'TotalItems' } }
  expect(await readKeys('{"Total":7}', { dialect })).toMatchObject({ Items: [], TotalItems: 7 })
})

it.each([
  ['', 'the body is empty'],
  [' \r\n', 'the body is empty'],
  ['\u{FEFF}', 'the body is empty'],
  [' <!doctype html><p>x', 'a web page came instead of an answer'],
  ['the platform is tired', 'Not JSON, or not as keys are sent'],
])('says of %j what it is in place of JSON', async (body, why) => {
  expect(await answered(readKeys(body))).toEqual({ kind: 'malformed', status: 200, why })
})

it('does not believe what says that it is a web page, whatever is in it', async () => {
  const page = { ...arrived('{"StorageUsedChart":{}}'), headers: { 'content-type': ' Text/HTML; charset=utf-8' } }
  const reading = readAnswer('getStorageStatistics', StorageStatistics, page, noDeadline(), { dialect: defaultDialect })
  expect(await answered(reading)).toMatchObject({ why: 'a web page came instead of an answer' })
})

describe('a 2xx that has no answer to read', () => {
  it.each([
    ['nothing', arrived('')],
    ['JSON', arrived('{"Id":7}')],
    ['what is no JSON', arrived('all is well')],
  ])('is taken for one with %s in it', (_, incoming) => {
    expect(readNothing('addDnsRecord', incoming)).toBeUndefined()
  })

  it('is not believed when it is a web page, which comes from somebody else', () => {
    const page = { ...arrived('<p>Sign in'), headers: { 'content-type': 'text/html' } }
    expect(() => readNothing('addDnsRecord', page)).toThrow(CdnError)
  })
})
