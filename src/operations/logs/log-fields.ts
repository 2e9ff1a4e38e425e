import { isIP } from 'node:net'
import { TABLE_ROWS } from '../../block-kit/limits.ts'
import type { LogCursor } from '../../cdn/contract/cdn.ts'
import { UNSTATED_CACHE_STATUSES } from '../../cdn/contract/dialect.ts'
import { CACHE_STATUSES } from '../../cdn/contract/enums.ts'
import { MAX_LOG_ENTRIES } from '../../cdn/reading/log-pages.ts'
import type { Field, InputOf } from '../declaration/field.ts'
import { nearestWord } from '../declaration/nearest-word.ts'
import { choice } from '../declaration/choice-field.ts'
import { custom, type FieldText, flag, integer, many, problem, required, spelled, text } from '../declaration/fields.ts'
import { day, instant, readSince } from '../declaration/time-field.ts'
import { zone } from '../declaration/zone-field.ts'

export const MAX_FILE_LINES = MAX_LOG_ENTRIES
export const MAX_LISTED_LINES = TABLE_ROWS
export const DEFAULT_LISTED_LINES = 25

const MAX_LIST_VALUES = 20
const MAX_PATTERN_LENGTH = 256
/** How `-`, which a person cannot type after a flag, is written. */
const NO_CACHE = 'none'
/** Typed for every cache status, and to see client addresses without filtering by one. */
const ALL_STATUSES = 'all'
const CACHE_WORDS = [...Object.keys(CACHE_STATUSES), ...UNSTATED_CACHE_STATUSES, ALL_STATUSES].map(cacheWord)
const CURSOR = /^(\d{1,18})\.(\d{1,5})\.(\d{1,5})$/

/** Cache statuses, any that the log may hold; an empty list is every one. */
const CACHE = custom<readonly string[]>({
  label: 'Cache status',
  hint: 'MISS,STALE unless this or a status is given; none for no cache involved, all for every status.',
  control: { kind: 'choices', choices: CACHE_WORDS.map((value) => ({ value, label: value })) },
  read(raw) {
    const typed = [...new Set(many(raw).map((value) => value.toLowerCase()))]
    if (typed.length === 0 || typed.length > MAX_LIST_VALUES) return listProblem('Cache status')
    if (typed.includes(ALL_STATUSES)) return { ok: true, value: [] }
    // The CDN may know statuses that are not listed here; what is one slip away from a listed one is a slip.
    for (const value of typed) {
      const meant = isCacheWord(value) ? undefined : nearestWord(value, CACHE_WORDS)
      if (meant !== undefined) return problem(`Cache status cannot be ${value.toUpperCase()}. Did you mean ${meant}?`)
    }
    return { ok: true, value: typed.map((value) => (value === NO_CACHE ? '-' : value.toUpperCase())) }
  },
})

export const logFields = {
  pullZone: required(zone({ label: 'Pull zone', hint: 'The name or numeric id of a pull zone.', zoneKind: 'pull' })),
  cache: CACHE,
  status: list(
    { label: 'Status', hint: 'Codes such as 404 or classes such as 5xx, with commas between.', word: '404,5xx,…' },
    (typed) => (/^errors?$/i.test(typed) ? '5xx' : typed.toLowerCase()),
  ),
  failing: flag({
    label: 'What fails',
    hint: 'Errors (5xx) and old content (STALE), in place of cache status and status.',
  }),
  since: instant(
    {
      label: 'Since',
      hint: '1h, 03:10, yesterday or 2026-11-20T03:10Z; at most 3 days ago. Without it: 24 hours before the end.',
    },
    readSince,
  ),
  until: instant({ label: 'Until', hint: 'Given like the start; now unless given.' }),
  day: day({
    label: 'Day',
    hint: 'Reads the raw file of this UTC day (version 1) from end to end: today, 2026-11-20.',
  }),
  url: pattern('URL contains', 'Part of host, path and query, in any case. Query values are masked in answers.'),
  ip: spelled({
    label: 'Client address',
    hint: 'An address filters by it and shows the addresses; all shows them without filtering. Else they stay hidden.',
    maxLength: 45,
    word: 'address|all',
    parse: readAddress,
    rule: 'Client address is an IPv4 or IPv6 address, or all to show the addresses without filtering.',
  }),
  country: list(
    { label: 'Country', hint: 'Two-letter codes such as DE, with commas between.', word: 'DE,…' },
    (typed) => typed.toUpperCase(),
  ),
  edge: spelled({
    label: 'Edge location',
    hint: 'The code of one location, such as WA.',
    maxLength: 16,
    word: 'code',
    parse: (typed) => typed.toUpperCase(),
    rule: 'Edge location is the code of one location.',
  }),
  agent: pattern('User agent contains', 'Part of the user agent, in any case.'),
  referer: pattern('Referer contains', 'Part of the referer, in any case.'),
  search: text({
    label: 'Search',
    hint: 'Up to 16 words; lines with any of them in cache status, request id, edge, host, path, agent or referer.',
    maxLength: 2_100,
    word: 'words',
  }),
  request: text({
    label: 'Request id',
    hint: '32 hexadecimal digits, with or without hyphens.',
    maxLength: 36,
    word: 'id',
  }),
  order: choice({
    label: 'Order',
    hint: 'newest (the default) or oldest first.',
    choices: [
      { value: 'newest', label: 'Newest first' },
      { value: 'oldest', label: 'Oldest first' },
    ],
  }),
  shield: flag({ label: 'Origin shield', hint: 'Also requests from the edge to the origin shield.' }),
  limit: integer({
    label: 'Lines listed',
    hint: `${DEFAULT_LISTED_LINES} unless given, at most ${MAX_LISTED_LINES}; with a CSV file, lines in it: at most 50,000.`,
    min: 1,
    max: MAX_FILE_LINES,
  }),
  by: choice({
    label: 'Group by',
    hint: 'Counts lines by one of these instead of listing them.',
    choices: [
      { value: 'path', label: 'Path' },
      { value: 'status', label: 'Status code' },
      { value: 'edge', label: 'Edge location' },
      { value: 'country', label: 'Country' },
    ],
  }),
  wide: flag({ label: 'All columns', hint: 'Also user agent and request id; a CSV file always has them.' }),
  csv: flag({ label: 'CSV file', hint: 'Sends the lines as a file to your direct messages.' }),
  continueAt: spelled({
    label: 'Continue at',
    hint: 'Where an earlier answer ended; its Older button fills this in.',
    maxLength: 32,
    word: 'place',
    parse: readCursor,
    rule: 'Continue at is filled in by the Older button of an earlier answer.',
  }),
}

export type LogQuestion = InputOf<typeof logFields>

export type LogGrouping = NonNullable<LogQuestion['by']>

export function cursorText({ offset, pageSize, skip }: LogCursor): string {
  return `${offset}.${pageSize}.${skip}`
}

/** How a cache status is typed and shown: `none` for the log's `-`. */
export function cacheWord(status: string): string {
  return status === '-' ? NO_CACHE : status
}

export function isCacheWord(typed: string): boolean {
  return CACHE_WORDS.some((word) => word.toLowerCase() === typed.toLowerCase())
}

function list(options: FieldText & { readonly word: string }, spell: (typed: string) => string) {
  return custom<readonly string[]>({
    ...options,
    control: { kind: 'text', maxLength: MAX_PATTERN_LENGTH, multiline: false, word: options.word },
    read(raw) {
      const values = [...new Set(many(raw).map(spell))]
      if (values.length === 0 || values.length > MAX_LIST_VALUES) return listProblem(options.label)
      return { ok: true, value: values }
    },
  })
}

function listProblem(label: string) {
  return problem(`${label} takes 1 to ${MAX_LIST_VALUES} values with commas between.`)
}

function pattern(label: string, hint: string): Field<string, false> {
  return text({ label, hint, maxLength: MAX_PATTERN_LENGTH })
}

function readAddress(typed: string): string | undefined {
  const address = typed.toLowerCase()
  return address === ALL_STATUSES || isIP(address) !== 0 ? address : undefined
}

function readCursor(typed: string): LogCursor | undefined {
  const [, offset, pageSize, skip] = CURSOR.exec(typed) ?? []
  if (offset === undefined) return undefined
  return { offset: BigInt(offset), pageSize: Number(pageSize), skip: Number(skip) }
}
