import fc from 'fast-check'
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { readLogPage } from '../../src/cdn/answer-reading.ts'
import { Deadline } from '../../src/cdn/deadline.ts'
import { defaultDialect } from '../../src/cdn/dialect.ts'
import { CdnError } from '../../src/cdn/errors.ts'
import { stringifyJson } from '../../src/cdn/json.ts'
import { logPieces } from '../../src/cdn/log-pieces.ts'
import { systemClock } from '../../src/shared/clock.ts'

/** What is read of a page, or what is said of one that cannot be read; and the names that nobody knows. */
async function read(
  text: string,
  fieldAliases: Readonly<Record<string, string>> = {},
  onUnknownFields?: () => void,
): Promise<unknown> {
  const told: unknown[] = []
  const incoming = { status: 200, headers: {}, body: Readable.from([Buffer.from(text)]) }
  const reading = {
    dialect: { ...defaultDialect, fieldAliases },
    onUnknownFields: onUnknownFields ?? ((...names: unknown[]) => told.push(names)),
  }
  const page = await readLogPage(incoming, new Deadline(systemClock, 0, undefined), reading).catch((error: unknown) => {
    if (error instanceof CdnError) return error.failure
    throw error
  })
  return { page, told }
}

/** Something that could be called `data` is looked for in the whole. */
const readAsAWhole = async (text: string): Promise<unknown> => read(text, { elsewhere: 'data' })

const TAIL = '"pagination":{"offset":0,"hasMore":false}'
const pageOf = (rows: readonly string[], tail = TAIL): string => `{"data":[${rows.join(',')}],${tail}}`
/** So long that a page of twenty has several pieces. */
const row = (fields: object = {}): string =>
  stringifyJson({ timestamp: '2026-11-20T11:59:59.123Z', userAgent: 'x'.repeat(8_000), ...fields })
const rows = (count: number, fields?: object): string[] => Array.from({ length: count }, () => row(fields))

describe('a page that is read in pieces', () => {
  it('has the same entries as one that is read as a whole, whatever is in its rows', async () => {
    const text = fc.constantFrom('},{"timestamp":', '}]', '[', '{', '"data":[', '\\', 'ü', '\u{1F511}', '?a=b', '')
    const odd = fc.constantFrom<unknown>(null, 1.5, 1e17, 2n ** 53n + 1n, -(2n ** 60n), [], { data: [{}] }, true, 'x')
    const fields = fc.record(
      {
        requestId: text,
        path: text,
        pullZoneId: fc.oneof({ weight: 20, arbitrary: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }) }, odd),
        bytesSent: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(1, 2 ** 53, 1e300) }, odd),
        newField: fc.oneof(odd, text),
      },
      { requiredKeys: [] },
    )
    const tails = fc.constantFrom(TAIL, `${TAIL},"data":[]`, `${TAIL},"d\\u0061ta":null`, '"query":{}', `${TAIL},`, '')
    let inPieces = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 14 }), tails, async (list, tail) => {
        const page = pageOf(
          list.map((each) => row(each)),
          tail,
        )
        inPieces += Number((logPieces(Buffer.from(page))?.pieces.length ?? 0) > 1)
        expect(await read(page)).toEqual(await readAsAWhole(page))
      }),
      { numRuns: 400 },
    )
    expect(inPieces).toBeGreaterThan(100)
  })

  it.each([
    ['of another list of that name', `{"query":{"data":[${rows(9).join(',')}]},"data":[],${TAIL}}`],
    ['of another object, where the page has none', `{"query":{"data":[${rows(9).join(',')}]},${TAIL}}`],
    ['that stand in a text', JSON.stringify({ query: { order: pageOf(rows(9)) }, pagination: {} })],
    ['that another list of that name replaces', pageOf(rows(9), `${TAIL},"data":[{}]`)],
    ['that end in nothing', `{"data":[${rows(9).join(',')},],${TAIL}}`],
    ['without an end', `{"data":[${rows(9).join(',')}`],
    ['with no comma between', `{"data":[${rows(9).join('')}],${TAIL}}`],
    ['behind a mark', `\u{FEFF}${pageOf(rows(9))}`],
    ['that are spread out', JSON.stringify(JSON.parse(pageOf(rows(9))), undefined, 2)],
    ['that are none', pageOf([...rows(9), '7'])],
    ['of fields in another order', pageOf([...rows(9), `{"asn":1,"timestamp":null}`, ...rows(9)])],
    ['with a field of another type', pageOf([...rows(9), row({ statusCode: 'x' })])],
    ['with a status that no double holds', pageOf([...rows(9), row({ statusCode: 2n ** 53n + 1n })])],
    ['with a status beyond what doubles reach', pageOf([...rows(9), row({ statusCode: 10n ** 400n })])],
    ['too many for a page', pageOf(Array.from({ length: 10_001 }, () => '{"asn":1}'))],
  ])('has the rows, or the words, of the whole: rows %s', async (_, page) => {
    expect(await read(page)).toEqual(await readAsAWhole(page))
  })

  it('has no row whose status is not finite', async () => {
    const page = pageOf([...rows(9), row({ statusCode: 7n }).replace(':7}', ':1e400}')])
    expect(page).toContain('1e400')
    expect(await read(page)).toMatchObject({ page: { kind: 'malformed', why: 'statusCode has the wrong type' } })
  })

  it('is told from one nested so deep that it must not be walked', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`
    const page = pageOf([...rows(9), `{"timestamp":null,"newField":${deep}}`])
    expect(await read(page)).toMatchObject({ page: { kind: 'malformed', why: 'JSON nested more than 32 deep' } })
  })

  it('lets others come in between, however little of its rows is read', async () => {
    const page = pageOf(Array.from({ length: 800 }, () => row({ userAgent: undefined, newField: 'x'.repeat(8_000) })))
    let turns = 0
    let isRead = false
    const turn = (): void => {
      turns += 1
      if (!isRead) setImmediate(turn)
    }
    setImmediate(turn)
    expect(await read(page)).toMatchObject({ told: [['queryLogs', ['newField']]] })
    isRead = true
    expect(turns).toBeGreaterThan(page.length / (128 * 1024))
  })

  it('is not read again where it is we who fail', async () => {
    const failed = vi.fn(() => {
      throw new TypeError('a bug')
    })
    await expect(read(pageOf(rows(9, { newField: 1 })), {}, failed)).rejects.toThrow('a bug')
    expect(failed).toHaveBeenCalledOnce()
  })

  it('keeps every integer, also those behind the first one that a double does not hold', async () => {
    const ids = [1n, 2n ** 53n + 1n, 2n ** 53n + 3n, 2n ** 63n - 1n, 2n]
    const page = pageOf(ids.flatMap((pullZoneId) => rows(5, { pullZoneId })))
    expect(logPieces(Buffer.from(page))?.pieces.length).toBeGreaterThan(3)
    const { page: whole } = (await read(page)) as { page: { entries: readonly { pullZoneId: bigint }[] } }
    expect(whole.entries.map(({ pullZoneId }) => pullZoneId)).toEqual(ids.flatMap((id) => Array(5).fill(id)))
  })
})
