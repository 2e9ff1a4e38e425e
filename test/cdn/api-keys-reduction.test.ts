import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { reduceApiKeys } from '../../src/cdn/api-keys-reduction.ts'
import { ApiKeyList } from '../../src/cdn/api-keys.ts'
import { shapeOf } from '../../src/cdn/json-shape.ts'
import { parseJson } from '../../src/cdn/json.ts'

const KEY = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'

function reduced(text: string): string {
  const bytes = Buffer.from(text)
  const { problem, hasLongNumbers, hasFractions } = reduceApiKeys(bytes)
  expect({ problem, hasLongNumbers, hasFractions }).toEqual({ ...shapeOf(bytes) })
  expect(bytes.length).toBe(Buffer.byteLength(text))
  return bytes.toString()
}

/** Of every third character another spelling. */
function escaped(text: string): string {
  return Array.from(text, (each, index) => (index % 3 === 1 ? spelt(each) : JSON.stringify(each).slice(1, -1))).join('')
}

function spelt(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

describe('keys in an answer', () => {
  test.each([
    ['as they come', `{"Items":[{"Id":1,"Key":"${KEY}","Roles":["User"]}]}`],
    ['with white space', `{ "Items" : [ { "Key" :\n\t"${KEY}" } ] }`],
    ['of a name that is spelt otherwise', String.raw`{"Items":[{"\u004bey":"${KEY}"}]}`],
    ['after another of the same name', `{"Items":[{"Key":"x","Key":"${KEY}"}]}`],
    ['of another name', `{"Items":[{"key":"${KEY}","Token":"${KEY}","Deep":{"List":["${KEY}"]}}]}`],
    ['beside roles', `{"Items":[{"Roles":{"Key":"${KEY}","a":["${KEY}"]}}]}`],
    ['in an answer that breaks off', `{"Items":[{"Key":"${KEY}`],
    ['in an answer that breaks off in an escape', `{"Items":[{"Key":"${KEY}\\`],
    ['without anything around them', `"${KEY}"`],
    ['in text', `the key is ${KEY}`],
    ['in a page', `<!DOCTYPE html><p>${KEY}`],
    ['after nonsense', `]]]}}{"Key":"${KEY}"`],
    ['deeper than is taken in', `${'['.repeat(50)}{"Key":"${KEY}","x":"${KEY}"}`],
  ])('are gone: %s', (_, text) => {
    expect(text).toContain(KEY.slice(0, 8))
    for (let at = 0; at + 8 <= KEY.length - 4; at += 4) expect(reduced(text)).not.toContain(KEY.slice(at, at + 8))
  })

  it('are as long as each other when they are not there any more', () => {
    expect(reduced(`[{"Key":"${KEY}"}]`)).toBe(`[{"Key":"xxxxxxxxxxxxe1f0"${' '.repeat(KEY.length - 16)}}]`)
    expect(reduced('[{"Key":"fifteen-letters"}]')).toBe(`[{"Key":""${' '.repeat(15)}}]`)
  })

  it('are cut between two characters, where the first one shown is half of one', () => {
    const value = `${'k'.repeat(11)}\u{1F511}abc`
    expect(reduced(`[{"Key":"${value}","Roles":[]}]`)).toBe(`[{"Key":"${'x'.repeat(11)}\u{1F511}abc","Roles":[]}]`)
    const page = `{"Items":[{"Key":"${value}"}]}`
    expect(read(reduced(page))).toEqual(read(page))
  })

  it('leave a page recognisable, and other text not', () => {
    expect(reduced(`\n<!DOCTYPE html>${KEY}`)).toMatch(/^\n<!DOCTYPEx+$/)
    expect(reduced(KEY)).toMatch(/^x+$/)
  })

  it('leave numbers as they are, byte for byte', () => {
    const text =
      '{"Items":[{"Id":9007199254740993,"Roles":["a\\u0041","ü"]}],"CurrentPage":-1.5e+3,"HasMoreItems":false}'
    expect(reduced(text)).toBe(text)
  })

  it('read afterwards as they would have before, whatever they are', () => {
    const value = fc.string({ unit: 'binary', maxLength: 40 })
    const key = fc.record(
      {
        Id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        Key: fc.option(value),
        Roles: fc.option(fc.array(value, { maxLength: 3 })),
        Other: value,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(key, { maxLength: 4 }), fc.boolean(), (Items, spells) => {
        const items = Items.map(({ Id, ...rest }) => {
          const fields = Object.entries(rest).map(([name, each]) => [name, spelling(each, spells)])
          return `{${[...(Id === undefined ? [] : [['Id', String(Id)]]), ...fields].map(([name, each]) => `"${name}": ${each}`).join(' , ')}}`
        })
        const text = `{"Items":[${items.join(',')}],"TotalItems":${items.length}}`
        expect(read(reduced(text))).toEqual(read(text))
      }),
      { numRuns: 200 },
    )
  })

  it('take no more than moments, however much there is', () => {
    const bytes = Buffer.from(`{"Items":[{"Key":"${'k'.repeat(8_000_000)}"}]}`)
    const startedAt = performance.now()
    reduceApiKeys(bytes)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

function spelling(value: unknown, spells: boolean): string {
  if (Array.isArray(value)) return `[${value.map((each) => spelling(each, spells)).join(',')}]`
  return typeof value === 'string' && spells ? `"${escaped(value)}"` : JSON.stringify(value)
}

/** Unknown fields are dropped by the schema. */
function read(text: string): unknown {
  return ApiKeyList.parse(parseJson(text))
}
