import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { ApiKeyList } from '../../src/cdn/api-keys.ts'
import { parseJson, stringifyJson } from '../../src/cdn/json.ts'
import { plainApiKeys } from '../../src/cdn/plain-api-keys.ts'
import { unknownFields } from '../../src/cdn/unknown-fields.ts'

const odd = fc.constantFrom<unknown>(
  null,
  undefined,
  '',
  'x',
  0,
  -1,
  1.5,
  1e17,
  2 ** 31,
  2n ** 63n,
  -(2n ** 63n),
  true,
  [],
  {},
  [1],
)
/** A field that is sent with undefined is not sent. */
const seldom = fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, odd)
const role = fc.constantFrom('User', 'UserApi', 'SubuserManage', '')
const key = fc.record(
  {
    Id: fc.oneof({ weight: 40, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }, odd),
    Key: fc.oneof(
      { weight: 30, arbitrary: fc.stringMatching(/^[0-9a-f-]{0,40}$/) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
      odd,
    ),
    Roles: fc.oneof({ weight: 40, arbitrary: fc.array(role, { maxLength: 3 }) }, odd),
    Other: seldom,
  },
  { requiredKeys: [], noNullPrototype: true },
)
const list = fc.record(
  {
    Items: fc.oneof({ weight: 40, arbitrary: fc.array(key, { maxLength: 4 }) }, odd),
    CurrentPage: fc.oneof({ weight: 40, arbitrary: fc.integer() }, odd),
    TotalItems: fc.oneof({ weight: 40, arbitrary: fc.integer() }, odd),
    HasMoreItems: fc.oneof({ weight: 40, arbitrary: fc.boolean() }, odd),
    Other: seldom,
  },
  { requiredKeys: ['Items'], noNullPrototype: true },
)

/** What the schema makes of a text, if it is JSON with nothing but what the contract says. */
function bySchema(json: Buffer): ApiKeyList | undefined {
  try {
    const body = parseJson(json.toString())
    return unknownFields(ApiKeyList, body).length === 0 ? ApiKeyList.parse(body) : undefined
  } catch {
    return undefined
  }
}

it('reads a page as its schema does, and leaves to it whatever it refuses or does not know', () => {
  let plain = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 40, arbitrary: list }, odd), (sent) => {
      const json = stringifyJson(sent)
      if (json === undefined) return
      const read = plainApiKeys(Buffer.from(json))
      if (read === undefined) return
      plain += 1
      expect(read).toEqual(bySchema(Buffer.from(json)))
      expect(Object.isFrozen(read.Items) && read.Items.every(({ Roles }) => Object.isFrozen(Roles))).toBe(true)
    }),
    { numRuns: 3_000 },
  )
  expect(plain).toBeGreaterThan(1_000)
})

it('takes nothing that is no JSON, or another value than it takes it for, whatever a byte of it becomes', () => {
  const page = `{"Items":[{"Id":-7,"Key":"${'k'.repeat(20)}","Roles":["User","B\\u0041"]},{"Id":9007199254740993,"Key":null}],"CurrentPage":10,"HasMoreItems":true}`
  const byte = fc.oneof(fc.constantFrom(...Buffer.from(' \t\n\0"\\,:[]{}-+.eE019ntf\x7f')), fc.nat({ max: 0x7f }))
  let plain = 0
  fc.assert(
    fc.property(fc.nat({ max: page.length - 1 }), byte, fc.nat({ max: 2 }), (at, other, replaced) => {
      const json = Buffer.concat([
        Buffer.from(page.slice(0, at)),
        Buffer.of(other),
        Buffer.from(page.slice(at + replaced)),
      ])
      const before = Buffer.from(json)
      const read = plainApiKeys(json)
      expect(json).toEqual(before)
      if (read === undefined) return
      plain += 1
      expect(read).toEqual(bySchema(json))
    }),
    { numRuns: 10_000 },
  )
  expect(plain).toBeGreaterThan(1_000)
})

it('reads pages with white space, with names in any order, and with the longest ids', () => {
  const page =
    ' {\r\n"TotalItems" : 2 ,"Items":[ { "Roles" : [ ] , "Id" :\t-9223372036854775808 } , {"Key":"short","Id":9223372036854775807} ]\n} '
  expect(plainApiKeys(Buffer.from(page))).toEqual({
    Items: [
      { Id: -(2n ** 63n), redactedKey: undefined, Roles: [] },
      { Id: 2n ** 63n - 1n, redactedKey: '…', Roles: [] },
    ],
    CurrentPage: undefined,
    TotalItems: 2,
    HasMoreItems: undefined,
  })
})

it('leaves a page that names a field twice to the schema', () => {
  for (const key of ['"Id":1,"Id":null', '"Roles":["User"],"Roles":null', '"Key":"k","Id":1,"Key":null'])
    expect(plainApiKeys(Buffer.from(`{"Items":[{${key}}]}`))).toBeUndefined()
  expect(plainApiKeys(Buffer.from('{"Items":[{"Id":1}],"Items":null}'))).toBeUndefined()
})

it('makes no text of anything in which a key may lie', () => {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const key = 'k'.repeat(72)
    for (const roles of [
      `[{"Key":"${key}"}]`,
      `[["a",{"Key":"${key}"}]]`,
      `{"Key":"${key}"}`,
      `["a","Key":"${key}"]`,
      `[{"Key" "${key}"}]`,
    ])
      expect(plainApiKeys(Buffer.from(`{"Items":[{"Roles":${roles}}]}`))).toBeUndefined()
    expect(parse).not.toHaveBeenCalled()
  } finally {
    parse.mockRestore()
  }
})

it.each([15, 16, 17])('shows of a key of %d characters what may be shown', (length) => {
  const json = Buffer.from(JSON.stringify({ Items: [{ Key: 'k'.repeat(length - 4) + 'last' }] }))
  expect(plainApiKeys(json)?.Items[0]?.redactedKey).toBe(length < 16 ? '…' : '…last')
  expect(bySchema(json)?.Items).toEqual(plainApiKeys(json)?.Items)
})

it('takes no list of roles for another one, of the same page or of the one before', async () => {
  vi.resetModules()
  const fresh = await import('../../src/cdn/plain-api-keys.ts')
  const page = (...lists: readonly string[][]) =>
    fresh.plainApiKeys(Buffer.from(JSON.stringify({ Items: lists.map((Roles) => ({ Roles })) })))?.Items
  // Lists of the same hash, at the same place of each page.
  expect(page(['Aa'])).toEqual([{ Roles: ['Aa'] }])
  expect(page(['BB'])).toEqual([{ Roles: ['BB'] }])
  const lists = ['AaAa', 'AaBB', 'BBAa', 'BBBB', 'AaAa'].map((role) => [role])
  expect(page(...lists)).toEqual(lists.map((Roles) => ({ Roles })))
})

it.each([
  ['an id below 64 bits', '{"Items":[{"Id":-9223372036854775809}]}'],
  ['an id above 64 bits', '{"Items":[{"Id":9223372036854775808}]}'],
  ['a page below 32 bits', '{"CurrentPage":-2147483649}'],
  ['a total above 32 bits', '{"TotalItems":2147483648}'],
  ['more digits than can be handed on at once', `{"Items":[{"Id":${'1'.repeat(1_000_000)}}]}`],
  ['roles longer than any', `{"Items":[{"Roles":["${'r'.repeat(5_000)}"]}]}`],
])('leaves %s to the schema', (_, json) => {
  expect(plainApiKeys(Buffer.from(json))).toBeUndefined()
})

it('leaves more values than are taken in, and longer lists, to the schema', () => {
  const page = (item: string, count: number): Buffer => Buffer.from(`{"Items":[${Array(count).fill(item).join()}]}`)
  expect(plainApiKeys(page('{"Id":1}', 10_000))?.Items).toHaveLength(10_000)
  expect(plainApiKeys(page('{"Id":1}', 10_001))).toBeUndefined()
  expect(plainApiKeys(page(`{"Roles":[${'"User",'.repeat(99)}"User"]}`, 1_100))).toBeUndefined()
})

it('reads what the contract shows, so that the schema is not asked for a usual page', () => {
  const page = {
    Items: [
      { Id: 7, Key: 'k'.repeat(72), Roles: ['User', 'UserApi'] },
      { Id: 8, Key: null, Roles: null },
    ],
  }
  const sent = { ...page, CurrentPage: 1, TotalItems: 2, HasMoreItems: false }
  expect(plainApiKeys(Buffer.from(JSON.stringify(sent)))).toEqual({
    Items: [
      { Id: 7n, redactedKey: '…kkkk', Roles: ['User', 'UserApi'] },
      { Id: 8n, redactedKey: undefined, Roles: [] },
    ],
    CurrentPage: 1,
    TotalItems: 2,
    HasMoreItems: false,
  })
})

it.each([
  { Items: [{ Id: 7, Secret: 'x' }] },
  { Items: [], Sort: 1 },
  { Items: [{ Roles: ['User', 7] }] },
  [],
  null,
  'x',
])('leaves %j to the schema', (body) => {
  expect(plainApiKeys(Buffer.from(JSON.stringify(body)))).toBeUndefined()
})
