import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { EndpointName } from '../../../src/cdn/contract/endpoints.ts'
import { PlatformServer } from '../../cdn/platform-server.ts'
import { body } from './fault.ts'

const MB = 1024 * 1024
const MAX_PEAK_KB = 256 * 1024
const MAX_STALL_MS = 100
/** The same in lists that the child parses at the end: a machine can be twice as slow as at other times. */
const MAX_STALL_YARDSTICKS = 8
/** The pauses of a busy machine are not the program's: the best of so many runs counts. */
const RUNS = 5
const CHILD_TIMEOUT_MS = 30_000

/** As much as is read of an answer, and a log page, all of it the same piece over and over. */
const ANSWER_BYTES = 2 * MB - 1024
const PAGE_BYTES = 8 * MB - 1024

function filled(start: string, piece: string, end: string, bytes = ANSWER_BYTES): Buffer {
  const times = Math.floor((bytes - start.length - end.length) / piece.length)
  return Buffer.from(`${start}${piece.repeat(times).replace(/,$/, '')}${end}`)
}

function page(): Buffer {
  const rows = Array.from({ length: 2_000 }, (_, index) => ({
    requestId: `r-${index}`,
    timestamp: '2026-11-20T11:59:00Z',
    cacheStatus: 'HIT',
    statusCode: 200,
    url: `https://a.example/${'y'.repeat(200)}?token=${index}`,
    userAgent: `Mozilla/5.0 ${'z'.repeat(100)}`,
    referer: `https://b.example/?q=${'w'.repeat(3_000)}`,
  }))
  return Buffer.from(JSON.stringify({ data: rows, pagination: {} }))
}

const ROWS = '{"pagination":{},"data":['
const LONG_ROW = `{${Array.from({ length: 9 }, (_, index) => `"k${index}":12345678901234567`).join(',')}}`
/** Bodies that cost as much as any can, each for the call it costs most. */
const BODIES: readonly (readonly [name: string, endpoint: EndpointName, ended: string, bytes: () => Buffer])[] = [
  ['lists without end', 'listApiKeys', 'malformed', () => filled('{"Items":[', '[],', ']}')],
  ['objects without end', 'listApiKeys', 'malformed', () => filled('{"Items":[', '{},', ']}')],
  ['long numbers without end', 'listApiKeys', 'malformed', () => filled('{"Items":[', '12345678901234567,', ']}')],
  [
    'keys without end',
    'listApiKeys',
    'malformed',
    () => filled('{"Items":[', '{"Id":12345678901234567,"Key":"abcdefgh","Roles":["User"]},', ']}'),
  ],
  [
    'fields without end',
    'createVideoLibrary',
    'malformed',
    () => Buffer.from(`{${Array.from({ length: 150_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
  ],
  ['one long name', 'getStorageStatistics', 'answer', () => filled('{"', 'x', '":1}')],
  ['one long number', 'getStorageStatistics', 'malformed', () => filled('{"FileCountChart":{"x":', '7', '}}')],
  ['one long key', 'listApiKeys', 'answer', () => filled('{"Items":[{"Key":"', 'k', '"}]}')],
  ['one long name of a key', 'listApiKeys', 'answer', () => filled('{"Items":[{"', 'k', '":""}]}')],
  ['quotes in one text', 'addDnsRecord', 'answer', () => filled('{"Id":7,"Name":"', '\\"', '"}')],
  [
    'days without end',
    'getStorageStatistics',
    'malformed',
    () => Buffer.from(`{"FileCountChart":{${Array.from({ length: 90_000 }, (_, index) => `"${index}":1`).join(',')}}}`),
  ],
  ['a full page of lines', 'queryLogs', 'answer', page],
  ['lines without end', 'queryLogs', 'malformed', () => filled(ROWS, '{"a":1},', ']}', PAGE_BYTES)],
  [
    'lines of long numbers',
    'queryLogs',
    'answer',
    () => Buffer.from(`${ROWS}${Array(5_800).fill(LONG_ROW).join(',')}]}`),
  ],
  ['one line to mask', 'queryLogs', 'answer', () => filled(`${ROWS}{"userAgent":"`, 'a//b@ ', '"}]}', PAGE_BYTES)],
  [
    'long lines to mask',
    'queryLogs',
    'answer',
    () => filled(ROWS, `{"url":"${'/a=b&?'.repeat(2_500)}"},`, ']}', PAGE_BYTES),
  ],
]

const BOMB = { 'content-encoding': 'gzip' }
const bomb = (): Buffer => gzipSync(Buffer.alloc(200 * MB, ' '), { level: 1 })

interface Measured {
  readonly ended: string
  readonly peakKb: number
  readonly stallMs: number
  readonly yardstickMs: number
}

async function measure(endpoint: EndpointName, bytes: Buffer, headers = {}): Promise<Measured> {
  await using platform = await PlatformServer.start(body(bytes, headers))
  const child = new URL('hostile-child.ts', import.meta.url).pathname
  const runs: Measured[] = []
  while (runs.length < RUNS && !runs.some(isQuick)) {
    const { stdout } = await promisify(execFile)(process.execPath, [child, platform.url, endpoint], {
      timeout: CHILD_TIMEOUT_MS,
    })
    runs.push(JSON.parse(stdout) as Measured) // the child's own line
  }
  const first = runs.find(isQuick) ?? runs[0]
  if (first === undefined) throw new Error('No run')
  return { ...first, peakKb: Math.max(...runs.map(({ peakKb }) => peakKb)) }
}

function isQuick({ stallMs, yardstickMs }: Measured): boolean {
  return stallMs < Math.max(MAX_STALL_MS, MAX_STALL_YARDSTICKS * yardstickMs)
}

function withinBudget(measured: Measured): boolean {
  return measured.peakKb > 0 && measured.peakKb < MAX_PEAK_KB && isQuick(measured)
}

test.each(BODIES)('%s take under 256 MB and no 100 ms at a stretch: %s', async (_, endpoint, ended, bytes) => {
  const measured = await measure(endpoint, bytes())
  expect(measured.ended).toBe(ended)
  expect(measured).toSatisfy(withinBudget)
})

test.each([
  ['listApiKeys', 'malformed'],
  ['addDnsRecord', 'malformed'],
  ['queryLogs', 'malformed'],
  ['streamDayFile', 'answer'],
] as const)('200 MB in 900 KB of gzip take no more: %s', async (endpoint, ended) => {
  const measured = await measure(endpoint, bomb(), BOMB)
  expect(measured.ended).toBe(ended)
  expect(measured).toSatisfy(withinBudget)
})
