import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import { blankApiKeys } from '../../../src/cdn/reading/api-keys-blanking.ts'
import { ApiKeyList } from '../../../src/cdn/contract/api-keys.ts'
import { JsonProblem, parseJson, stringifyJson } from '../../../src/shared/json.ts'
import { answered, readKeys } from '../arrived-answer.ts'
import { anyCharacter } from '../../block-kit/foreign-text.ts'
import { cpuOf } from '../../support/cpu-spent.ts'

const KEY = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'

/** What may become text of an answer: nothing of one that is refused. */
function blanked(text: string): string {
  const bytes = Buffer.from(text)
  try {
    blankApiKeys(bytes)
  } catch (error) {
    if (error instanceof JsonProblem) return ''
    throw error
  }
  expect(bytes.length).toBe(Buffer.byteLength(text))
  return bytes.toString()
}

describe('keys in an answer', () => {
  test.each([
    ['as they come', `{"Items":[{"Id":1,"Key":"${KEY}","Roles":["User"]}]}`],
    ['with white space', `{ "Items" : [ { "Key" :\n\t"${KEY}" } ] }`],
    ['of a name that is spelt otherwise', String.raw`{"Items":[{"\u004bey":"${KEY}"}]}`],
    ['after another of the same name', `{"Items":[{"Key":"x","Key":"${KEY}"}]}`],
    ['before another of the same name', `{"Items":[{"Key":"${KEY}","Key":"x"}]}`],
    ['after another without a comma', `{"Items":[{"Key":"x" "${KEY}"}]}`],
    ['of another name', `{"Items":[{"key":"${KEY}","Token":"${KEY}","Deep":{"List":["${KEY}"]}}]}`],
    ['beside roles', `{"Items":[{"Roles":{"Key":"${KEY}","a":["${KEY}"]}}]}`],
    ['in a list of roles', `{"Items":[{"Roles":["a",{"Key":"${KEY}"},["${KEY}"],"${KEY}"]}]}`],
    ['in a list within roles', `{"Items":[{"Roles":["a",["${KEY}"]]}]}`],
    ['behind a list within roles', `{"Items":[{"Roles":["a",[],"${KEY}"]}]}`],
    ['behind roles without a comma', `{"Items":[{"Roles":["a"] "${KEY}"}]}`],
    ['in the place of roles', `{"Items":[{"Roles":"${KEY}"}]}`],
    ['behind roles', `{"Items":[{"Roles":["a"],"b":"${KEY}"}],"c":"${KEY}"}`],
    ['in a list', `{"Items":[{"Key":["${KEY}"]}]}`],
    ['in an object', `{"Items":[{"Key":{"Key":"${KEY}"}}]}`],
    ['with a colon behind', `{"Items":[{"Key":"${KEY}":1}]}`],
    ['with a colon behind, in a list', `["${KEY}":1]`],
    ['in the place of a name', `{"Items":[{"Key":"x","${KEY}"}]}`],
    ['without quotes', `{"Items":[{"Key":${KEY}}]}`],
    ['without quotes, of another name', `{"Items":[{"Other":${KEY}}]}`],
    ['with half of an escape', String.raw`{"Items":[{"Key":"${KEY}\u00"}]}`],
    ['in an object that ends as a list', `{"Items":[{"Roles":[},"${KEY}":1]}`],
    ['in an answer that breaks off', `{"Items":[{"Key":"${KEY}`],
    ['in an answer that breaks off behind it', `{"Items":[{"Key":"${KEY}"`],
    ['in an answer that breaks off behind a name', `{"Items":[{"${KEY}"`],
    ['in an answer that breaks off in an escape', `{"Items":[{"Key":"${KEY}\\`],
    ['without anything around them', `"${KEY}"`],
    ['in text', `the key is ${KEY}`],
    ['after nonsense', `]]]}}{"Key":"${KEY}"`],
    ['with escapes', `{"Items":[{"Key":"${KEY}\\u0041${KEY}"}]}`],
    ['with more than ASCII', `{"Items":[{"Key":"ü${KEY}"}]}`],
  ])('are gone: %s', (_, text) => {
    expect(text).toContain(KEY.slice(0, 8))
    for (let at = 0; at + 8 <= KEY.length - 4; at += 4) expect(blanked(text)).not.toContain(KEY.slice(at, at + 8))
  })

  it('are as long as before, so that what may be shown is found where it was', () => {
    expect(blanked(`[{"Key":"${KEY}"}]`)).toBe(`[{"Key":"${'x'.repeat(KEY.length - 4)}e1f0"}]`)
    expect(blanked('[{"Key":"sixteen--letters"}]')).toBe('[{"Key":"xxxxxxxxxxxxters"}]')
    expect(blanked('[{"Key":"fifteen-letters"}]')).toBe(`[{"Key":""${' '.repeat(15)}}]`)
  })

  it('leave all else as it is, byte for byte', () => {
    const text =
      '{"Items":[{"Id":9007199254740993,"Key":null,"Roles":["a\\u0041","ü"]}],"CurrentPage":-1.5e+3,"HasMoreItems":false}'
    expect(blanked(text)).toBe(text)
  })

  it('read afterwards as they would have before, whatever they are', () => {
    const value = fc.string({ unit: anyCharacter, maxLength: 40 })
    const key = fc.record(
      {
        Id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        Key: fc.option(fc.string({ unit: 'grapheme-ascii', maxLength: 40 })),
        Roles: fc.option(fc.array(value, { maxLength: 3 })),
        Other: fc.oneof(value, fc.array(value), fc.record({ Key: value, Roles: value })),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    fc.assert(
      fc.property(fc.array(key, { maxLength: 4 }), (Items) => {
        const text = stringifyJson({ Items, TotalItems: Items.length })
        const read = ApiKeyList.parse(parseJson(blanked(text)))
        const before = ApiKeyList.parse(parseJson(text))
        const hidden = (at: number): boolean => /["\\]/.test(Items[at]?.Key ?? '')
        const items = before.Items.map((item, at) => (hidden(at) ? { ...item, redactedKey: '…' } : item))
        expect(read).toEqual({ ...before, Items: items })
      }),
      { numRuns: 400 },
    )
  })

  it('take no more than moments, however much there is', () => {
    for (const value of ['k'.repeat(8_000_000), String.raw`\u0041`.repeat(1_300_000)]) {
      const bytes = Buffer.from(`{"Items":[{"Key":"${value}"}]}`)
      expect(cpuOf(() => blankApiKeys(bytes))).toBeLessThan(1_000)
    }
  })

  it('are no text, wherever reading them ends', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const page = `{"Items":[{"Id":7,"Key":"${KEY}","Roles":["User"]}]}`
      for (let end = 0; end <= page.length; end += 1) await readKeys(page.slice(0, end)).catch(() => undefined)
      const texts = parse.mock.calls.map(([text]) => text)
      expect(texts.length).toBeGreaterThan(10)
      expect(texts.join('\n')).not.toContain(KEY.slice(-8))
      expect(texts.join('\n')).not.toContain(KEY.slice(0, 4))
    } finally {
      parse.mockRestore()
    }
  })
})

it('a page in which any byte is another one becomes text without its key, or not at all', () => {
  const page = `{"Items":[{"Id":-7,"Key":"${KEY}","Roles":["User","B\\u0041"],"Note":"\\n"}],"CurrentPage":10}`
  const byte = fc.oneof(fc.constantFrom(...Buffer.from(' \n\0"\\,:[]{}-eE0tnu/')), fc.nat({ max: 0x7f }))
  fc.assert(
    fc.property(fc.nat({ max: page.length - 1 }), byte, fc.nat({ max: 2 }), (at, other, replaced) => {
      const text = blanked(`${page.slice(0, at)}${String.fromCharCode(other)}${page.slice(at + replaced)}`)
      expect(text).not.toMatch(/0f1e2d3c|4b5a-6978|8796-a5b4/)
    }),
    { numRuns: 2_000 },
  )
})

it('a key with bytes that are no UTF-8 is not read', async () => {
  const page = Buffer.concat([Buffer.from(`{"Items":[{"Key":"${KEY}`), Buffer.from([0xff]), Buffer.from('"}]}')])
  expect(await answered(readKeys(page))).toMatchObject({ kind: 'malformed', why: 'the body is not UTF-8 text' })
})

it('a page is read with white space, with names in any order, and with the longest ids', async () => {
  const page =
    ' {\r\n"TotalItems" : 2 ,"Items":[ { "Roles" : [ ] , "Id" :\t-9223372036854775808 } , {"Key":"short","Id":9223372036854775807} ]\n} '
  expect(await readKeys(page)).toEqual({
    Items: [
      { Id: -(2n ** 63n), redactedKey: undefined, Roles: [] },
      { Id: 2n ** 63n - 1n, redactedKey: '…', Roles: [] },
    ],
    CurrentPage: undefined,
    TotalItems: 2,
    HasMoreItems: undefined,
  })
})

it.each([2n ** 53n - 1n, 2n ** 53n + 1n, 10n ** 16n - 1n])('an id of 16 digits stays the one it is: %d', async (Id) => {
  expect(await readKeys(`{"Items":[{"Id":${Id},"Key":"${KEY}"}]}`)).toMatchObject({ Items: [{ Id }] })
})

it.each([
  ['deeper than any answer', `{"Items":${'['.repeat(40)}${']'.repeat(40)}}`, 'JSON nested more than 32 deep'],
  ['with more in it than any answer', `[${'{},'.repeat(100_000)}{}]`, 'JSON of more than 100000 values'],
])('a page %s is not read at all', async (_, page, why) => {
  expect(await answered(readKeys(page))).toMatchObject({ kind: 'malformed', why })
})

it.each([15, 16, 17])('of a key of %d characters is shown what may be shown', async (length) => {
  const { Items } = await readKeys(JSON.stringify({ Items: [{ Key: 'k'.repeat(length - 4) + 'last' }] }))
  expect(Items[0]?.redactedKey).toBe(length < 16 ? '…' : '…last')
})

it.each([
  ['an escape at its end', String.raw`0123456789abcdef\u0041`],
  ['so few characters that all would be shown', String.raw`\u0041\u0042abcd`],
  ['an escaped quote', String.raw`0123456789abcdef\"`],
  ['more than ASCII', '0123456789abcdefé'],
])('nothing is shown of a key with %s', async (_, key) => {
  expect(await readKeys(`{"Items":[{"Key":"${key}"}]}`)).toMatchObject({ Items: [{ redactedKey: '…' }] })
})

it.each([
  ['an id below 64 bits', '{"Items":[{"Id":-9223372036854775809}]}', 'Items.0.Id'],
  ['an id above 64 bits', '{"Items":[{"Id":9223372036854775808}]}', 'Items.0.Id'],
  ['a page below 32 bits', '{"CurrentPage":-2147483649}', 'CurrentPage'],
  ['a total above 32 bits', '{"TotalItems":2147483648}', 'TotalItems'],
  ['more digits than any number has', `{"Items":[{"Id":${'1'.repeat(1_000_000)}}]}`, 'Items.0.Id'],
  ['a role that is a number', '{"Items":[{"Roles":["User",7]}]}', 'Items.0.Roles.1'],
  ['roles that are one text', '{"Items":[{"Roles":"User"}]}', 'Items.0.Roles'],
  ['more keys than any page has', `{"Items":[${Array(10_001).fill('{}').join()}]}`, 'Items'],
])('%s is refused by its name', async (_, page, field) => {
  expect(await answered(readKeys(page))).toMatchObject({ why: `of the wrong type or missing: ${field}` })
})

it.each(['7', '123456789012345678', 'true', '[]', '{}', KEY])(
  'a key that is no text is not read at all: %s',
  async (key) => {
    const why = 'of the wrong type or missing: Items.Key'
    expect(await answered(readKeys(`{"Items":[{"Key":${key}}]}`))).toMatchObject({ kind: 'malformed', why })
  },
)

it('names that reach prototypes are names as all others are', async () => {
  const told: unknown[] = []
  const page = '{"__proto__":{"polluted":1},"Items":[{"__proto__":{"Key":"x"},"constructor":1,"Id":1}]}'
  const { Items } = await readKeys(page, { onUnknownFields: (_, count) => told.push(count) })
  expect(Items).toEqual([{ Id: 1n, redactedKey: undefined, Roles: [] }])
  expect(told).toEqual([1])
  expect('polluted' in {}).toBe(false)
})
