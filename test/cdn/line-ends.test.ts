import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineEnds, WINDOW_BYTES } from '../../src/cdn/line-ends.ts'

const byte = fc.oneof({ weight: 3, arbitrary: fc.constant(10) }, { weight: 7, arbitrary: fc.nat(255) })
const bytes = fc
  .uint8Array({ maxLength: 200 })
  .chain((some) => fc.array(byte, { maxLength: 200 }).map((others) => Buffer.from([...some, ...others])))

function found(ends: LineEnds, looked: Buffer): readonly number[] {
  return [...ends.places.subarray(0, ends.find(looked))]
}

function placesIn(looked: Buffer): readonly number[] {
  return [...looked].flatMap((value, at) => (value === 10 ? [at] : []))
}

it.each([
  ['sixteen bytes at a time', new LineEnds()],
  ['one by one, where the processor cannot', new LineEnds(() => undefined)],
])('finds every line feed and no other, %s, whatever was looked through before', (_, ends) => {
  fc.assert(
    fc.property(bytes, (looked) => {
      expect(found(ends, looked)).toEqual(placesIn(looked))
    }),
    { numRuns: 500 },
  )
})

it('has room for as many line feeds as there can be', () => {
  const ends = new LineEnds()
  const all = Buffer.alloc(WINDOW_BYTES, 10)
  expect(found(ends, all)).toEqual(placesIn(all))
  expect(found(ends, Buffer.from('a\n'))).toEqual([1])
  expect(found(ends, Buffer.alloc(0))).toEqual([])
  expect(() => ends.find(Buffer.alloc(WINDOW_BYTES + 1))).toThrow(RangeError)
})

it('looks at sixteen bytes at a time with the Node that the bot runs on', () => {
  const looked = Buffer.from('a\nb')
  looked.indexOf = () => {
    throw new Error('asked one by one')
  }
  expect(found(new LineEnds(), looked)).toEqual([1])
  expect(() => found(new LineEnds(() => undefined), looked)).toThrow('one by one')
})
