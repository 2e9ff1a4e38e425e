import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readApiKeys } from '../../src/cdn/answer-reading.ts'
import { Deadline } from '../../src/cdn/deadline.ts'
import { defaultDialect } from '../../src/cdn/dialect.ts'
import { CdnError } from '../../src/cdn/errors.ts'
import { readPlainOr } from '../../src/cdn/json-answer.ts'
import { systemClock } from '../../src/shared/clock.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const NONE = Buffer.alloc(0)
const page = (): Buffer => Buffer.from(JSON.stringify({ Items: [{ Key: KEY }] }))

async function readPlain<T>(plain: (whole: Buffer) => T | undefined) {
  const incoming = { status: 200, headers: {}, body: Readable.from([page()]) }
  return readPlainOr('listApiKeys', incoming, new Deadline(systemClock, 0, undefined), plain)
}

it('lets others come in between the two ways to read an answer, and wipes it at last', async () => {
  let bytes: Buffer = NONE
  let seenBetween: Buffer = NONE
  const { sent } = await readPlain((whole) => {
    bytes = whole
    setImmediate(() => (seenBetween = Buffer.from(whole)))
    return undefined
  })
  expect(seenBetween).toEqual(page())
  expect(sent).toEqual({ Items: [{ Key: 'xxxxxxxxxxxxters' }] })
  expect(bytes.equals(Buffer.alloc(page().length))).toBe(true)
})

it('reads an answer in no other way once the first has made something of it, and wipes it', async () => {
  let bytes: Buffer = NONE
  expect(await readPlain((whole) => ((bytes = whole), 'made'))).toEqual({ plain: 'made', sent: undefined })
  expect(bytes.equals(Buffer.alloc(page().length))).toBe(true)
})

it('wipes an answer where reading it fails', async () => {
  let bytes: Buffer = NONE
  const failing = readPlain((whole) => {
    bytes = whole
    throw new TypeError('a bug')
  })
  await expect(failing).rejects.toBeInstanceOf(CdnError)
  expect(bytes.equals(Buffer.alloc(page().length))).toBe(true)
})

it('reads a page of keys by the names of the contract, whatever else they are said to be called', async () => {
  const incoming = { status: 200, headers: {}, body: Readable.from([Buffer.from('{"TotalItems":7}')]) }
  const dialect = { ...defaultDialect, fieldAliases: { TotalItems: 'CurrentPage' } }
  const list = await readApiKeys(incoming, new Deadline(systemClock, 0, undefined), { dialect })
  expect(list).toMatchObject({ Items: [], CurrentPage: 7 })
  expect(list.TotalItems).toBeUndefined()
})
