import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../../cdn/platform-server.ts'
import { body, type Expected, type Fault, place, type Rows } from './fault.ts'
import type { FaultedOperation } from './operations.ts'

const MB = 1024 * 1024
const HUGE_MB = 100
const BOMB_MB = 200
const DEEP = 100_000
const JSON_HEADERS = { 'content-type': 'application/json' }
const GZIP = { 'content-encoding': 'gzip' }

const answered: Expected = { ends: 'answer', sends: 1, tries: 1 }
const soundAll: Rows = { read: answered, write: answered, 'day file': answered }

/** A 2xx that cannot be read: a write is done all the same, and nothing is asked for again. */
function unreadable(why: RegExp, dayFile: 'unreadable' | 'lines'): Rows {
  const ends = { kind: 'malformed', status: 200 } as const
  const read: Expected = { ends, sends: 1, tries: 1, says: why }
  return {
    read,
    write: { ...read, outcome: 'done' },
    // Lines that are none are counted as such: for a file of lines there is no wrong JSON.
    'day file': dayFile === 'lines' ? answered : read,
  }
}

function fault(name: string, answer: (operation: FaultedOperation) => Answer, expected: Rows): Fault {
  return { name: `body: ${name}`, place: async (operation) => place([answer(operation)]), expected }
}

/** The same bytes whatever was asked for. */
function bytes(name: string, content: string | Buffer, why: RegExp, headers: Readonly<Record<string, string>> = {}) {
  return fault(name, () => body(content, { ...JSON_HEADERS, ...headers }), unreadable(why, 'lines'))
}

const webPage = unreadable(/a web page came/, 'unreadable')

let bombed: Buffer | undefined
const bomb: Answer = (response, request) => {
  bombed ??= gzipSync(Buffer.alloc(BOMB_MB * MB, ' '), { level: 1 })
  body(bombed, GZIP)(response, request)
}
const huge: Answer = (response) => {
  response.writeHead(200, JSON_HEADERS)
  const piece = Buffer.alloc(MB, ' ')
  // Whoever has had enough closes; that is no mistake of this side.
  void pipeline(Readable.from(Array.from({ length: HUGE_MB }, () => piece)), response).catch(() => undefined)
}

const cutOff: Rows = {
  read: {
    ends: { kind: 'unreachable', reason: 'reset' },
    sends: 3,
    tries: 3,
    says: /connection to the CDN broke/,
  },
  write: { ends: { kind: 'malformed', status: 200 }, sends: 1, tries: 1, outcome: 'done', says: /cut off/ },
  'day file': { ends: { kind: 'unreachable', reason: 'reset' }, sends: 1, tries: 1 },
}

const unclear: Expected = { ends: { kind: 'unreachable', sent: 'maybe' }, sends: 3, tries: 3 }
const packed = (operation: FaultedOperation): Buffer => gzipSync(operation.good)

/** Whatever can come as the body of a 2xx. */
export const BODY_FAULTS: readonly Fault[] = [
  {
    ...fault('HTML by its type', () => body('<p>Hello', { 'content-type': 'text/html; charset=utf-8' }), webPage),
    unread: webPage.write,
  },
  bytes('HTML by its look', '<!DOCTYPE html><html><body>Sign in</body></html>', /a web page came/),
  bytes('empty', '', /empty/),
  bytes('blanks', ' \r\n\t', /empty/),
  bytes('null', 'null', /the answer itself/),
  bytes('a list', '[1,2]', /the answer itself/),
  bytes('a text', '"yes"', /the answer itself/),
  bytes('half a JSON', '{"Id":7,"Name":"x', /Not JSON/),
  bytes('two JSONs', '{"Id":7}{"Id":8}', /Not JSON/),
  bytes('plain words', 'all is well', /Not JSON/),
  bytes('deep nesting', '['.repeat(DEEP) + ']'.repeat(DEEP), /nested/),
  bytes('deep nesting in a field nobody knows', `{"Id":7,"New":${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}}`, /nested/),
  bytes('invalid UTF-8', Buffer.from('7b224964223a372c224e616d65223a22c328a0a1f0288cbc227d', 'hex'), /UTF-8/),
  bytes('UTF-16', Buffer.from('{"Id":7}', 'utf16le'), /Not JSON/),
  tooMuch(`${HUGE_MB} MB`, huge),
  tooMuch('a gzip bomb', bomb),
  fault('gzip that is none', () => body('not gzip', GZIP), unreadable(/compressed body is broken/, 'unreadable')),
  fault(
    'gzip, cut',
    (operation) => body(packed(operation).subarray(0, 30), GZIP),
    unreadable(/compressed body is broken/, 'unreadable'),
  ),
  fault(
    'an encoding nobody asked for',
    () => body('x', { 'content-encoding': 'zstd' }),
    unreadable(/encoding/, 'unreadable'),
  ),
  fault('gzip nobody asked for', (operation) => body(packed(operation), GZIP), soundAll),
  fault('fields nobody knows', extended, soundAll),
  fault('longer than its length', (operation) => lengthOff(operation, -5), {
    ...unreadable(/Not JSON/, 'lines'),
  }),
  fault('shorter than its length', (operation) => lengthOff(operation, 100), cutOff),
  fault('twice', twice, soundAll),
  fault('behind 100 KB of headers', (operation) => body(operation.good, { 'x-long': 'x'.repeat(100 * 1024) }), {
    read: unclear,
    'day file': unclear,
    write: { ...unclear, sends: 1, tries: 1, outcome: 'unknown' },
  }),
]

/** More than is taken in. Of a page of a log half is asked for, down to one line, and some lines are passed over before it is given up. */
function tooMuch(name: string, answer: Answer): Fault {
  const expected = unreadable(/over (2048|8192) KB/, 'lines')
  return { ...fault(name, () => answer, expected), own: { queryLogs: { ...expected.read, sends: 10 } } }
}

/** A sound answer with more in it, some of which would change every object if it were taken over. */
function extended({ kind, good, contentType }: FaultedOperation): Answer {
  if (kind === 'day file') return body(good.replaceAll('|DE\n', '|DE|1|2|hush|more\n'))
  const more = '"Brand":{"New":[1]},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
  return body(good.replace('{', `{${more},`), { 'content-type': contentType })
}

function lengthOff({ good, contentType }: FaultedOperation, by: number): Answer {
  const length = Buffer.byteLength(good.trim()) + by
  const headers = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`
  return (_, request) => void request.socket.end(headers + good.trim())
}

/** The answer, and unasked another one behind it, which must not be taken for the answer to the next request. */
function twice({ good, contentType }: FaultedOperation): Answer {
  const answer = (text: string): string =>
    `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  const other = good.replaceAll('7', '6').replaceAll('HIT', 'MISS')
  return (_, request) => void request.socket.write(answer(good) + answer(other))
}
