import type { Outcome } from '../../../src/execution/messages/write-outcome.ts'
import type { Answer } from '../../cdn/platform-server.ts'
import { type Expected, type Fault, good, place, type Rows } from './fault.ts'

/** Every class, every status the contract states, and those that mean something of their own to a write. */
const STATUSES = [
  [300, 301, 302, 303, 304, 305, 307, 308],
  [400, 401, 402, 403, 404, 405, 408, 409, 410, 411, 413, 415, 418, 421, 422, 425, 428, 429, 431, 451, 499],
  [500, 501, 502, 503, 504, 507, 511, 520, 599],
].flat()
/** The codes the contract states for logs, which any part of the platform might send. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'logging_disabled',
  429: 'rate_limited',
  500: 'internal_error',
}

/** What a final status means, by hand: the first range that holds it. Told by nothing in `src`. */
const RULES: readonly {
  readonly from: number
  readonly to: number
  readonly write: Outcome
  readonly tries: number
}[] = [
  { from: 408, to: 408, write: 'unknown', tries: 1 },
  { from: 425, to: 425, write: 'unknown', tries: 1 },
  { from: 429, to: 429, write: 'rejected', tries: 3 },
  { from: 499, to: 499, write: 'unknown', tries: 1 },
  { from: 100, to: 199, write: 'unknown', tries: 1 },
  { from: 200, to: 299, write: 'done', tries: 1 },
  { from: 300, to: 399, write: 'rejected', tries: 1 },
  { from: 400, to: 498, write: 'rejected', tries: 1 },
  { from: 500, to: 599, write: 'unknown', tries: 3 },
]

type Wait = number | undefined | '5 s from the start'

/** What a `Retry-After` may be, and the wait it means; the clock stands at 12:00:00 when the call begins. */
const WAITS: readonly (readonly [name: string, header: string | undefined, wait: Wait])[] = [
  ['absent', undefined, undefined],
  ['0', '0', 0],
  ['5', '5', 5_000],
  ['1.5', '1.5', 1_500],
  ['86400', '86400', 60_000],
  ['more digits than a number has', '9'.repeat(30), undefined],
  ['-1', '-1', undefined],
  ['a date', 'Fri, 20 Nov 2026 12:00:05 GMT', '5 s from the start'],
  ['a date in the old form', 'Friday, 20-Nov-26 12:00:05 GMT', '5 s from the start'],
  ['a date in the oldest form', 'Fri Nov 20 12:00:05 2026', '5 s from the start'],
  ['a date long past', 'Fri, 20 Nov 2020 12:00:05 GMT', 0],
  ['a date far ahead', 'Fri, 20 Nov 2099 12:00:05 GMT', 60_000],
  ['garbage', 'soon; "\u00e9"', undefined],
  ['twice', '5, 7', undefined],
]

const READ_MS = 8_000
const DAY_FILE_MS = 600_000
const TRIES = 3
const UNTIL_DATE_MS = 5_000

function refused(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  const code = CODES[status]
  const body = code === undefined ? '' : JSON.stringify({ error: { code, message: 'It says no.' } })
  return (response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

function rows(status: number, wait: Wait): Rows {
  const rule = RULES.find(({ from, to }) => status >= from && status <= to)
  const code = CODES[status]
  const ends = (retryAfterMs: number | undefined) =>
    ({
      kind: 'rejected',
      status,
      ...(code !== undefined && { code }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }) as const
  const says = new RegExp(`\\(${status}\\)`)
  const reads = (withinMs: number): Expected => {
    // A date has come when the first pause is over, so there is no second.
    if (typeof wait === 'string') return { ends: ends(0), sends: TRIES, tries: TRIES, says, lastsMs: UNTIL_DATE_MS }
    const tries = rule?.tries === 1 ? 1 : triesWithin(withinMs, wait)
    return { ends: ends(wait), sends: tries, tries, says, lastsMs: (tries - 1) * (wait ?? 0) }
  }
  return {
    read: reads(READ_MS),
    'day file': reads(DAY_FILE_MS),
    write: {
      ends: ends(typeof wait === 'string' ? UNTIL_DATE_MS : wait),
      sends: 1,
      tries: 1,
      outcome: rule?.write ?? 'done',
      says,
    },
  }
}

/** A pause that would outlast the deadline is not begun. */
function triesWithin(ms: number, pauseMs: number | undefined): number {
  return pauseMs === undefined || pauseMs === 0 ? TRIES : Math.min(TRIES, 1 + Math.floor((ms - 1) / pauseMs))
}

function waiting(status: number): readonly Fault[] {
  return WAITS.map(([name, header, wait]) => ({
    name: `status ${status} with Retry-After ${name}`,
    place: async () => place([refused(status, header === undefined ? {} : { 'retry-after': header })]),
    expected: rows(status, wait),
  }))
}

const answered: Expected = { ends: 'answer', sends: 1, tries: 1 }
const broken = { kind: 'unreachable', sent: 'maybe' } as const
const cut: Expected = { ends: broken, sends: TRIES, tries: TRIES }

/** Refusals of every kind, and the waits they ask for. */
export const STATUS_FAULTS: readonly Fault[] = [
  ...STATUSES.map((status) => ({
    name: `status ${status}`,
    place: async () => place([refused(status)]),
    expected: rows(status, undefined),
  })),
  ...waiting(429),
  ...waiting(503),
  {
    name: 'status 307 to another address',
    // It points back to itself, so that a client which follows would be seen to come again.
    place: async () =>
      place([
        (response, request) =>
          void response.writeHead(307, { location: `http://${request.headers.host ?? ''}/elsewhere` }).end(),
      ]),
    expected: rows(307, undefined),
  },
  {
    name: 'status 102 before the answer',
    place: async (operation) =>
      place([
        (response, request) => {
          response.writeProcessing()
          good(operation)(response, request)
        },
      ]),
    expected: { read: answered, write: answered, 'day file': answered },
  },
  {
    name: 'status 101, which nobody asked for',
    place: async () =>
      place([
        (_, request) =>
          void request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ]),
    expected: { read: cut, 'day file': cut, write: { ends: broken, sends: 1, tries: 1, outcome: 'unknown' } },
  },
]
