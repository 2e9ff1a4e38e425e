import { count, counted } from '../block-kit/amounts.ts'
import { heading, messageOf, paragraphs, readLast, smallPrint, tablePart } from '../block-kit/message.ts'
import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { Table } from '../block-kit/table.ts'
import { type ApiKey, type ApiKeyList, MAX_KEYS_PER_PAGE, ROLES_THAT_READ_STATISTICS } from '../cdn/api-keys.ts'
import type { Cdn } from '../cdn/cdn.ts'
import { INT32_MAX } from '../cdn/wire-fields.ts'
import { type Answer, type AnswerButton, pageButton } from './answer.ts'
import { defineOperation } from './define-operation.ts'
import { integer, text } from './fields.ts'
import type { OperationContext } from './operation.ts'

const MAX_ROLE_LENGTH = 64

const fields = {
  page: integer({ label: 'Page', hint: '50 keys a page; the first unless given.', min: 1, max: INT32_MAX }),
  role: text({
    label: 'Role',
    hint: 'Only keys with this role, such as UserApi; looked for on all pages.',
    maxLength: MAX_ROLE_LENGTH,
    word: 'role',
  }),
}

export const apiKeys = defineOperation({
  name: 'keys list',
  aliases: ['keys', 'api keys'],
  summary: 'List the API keys of the account, redacted, with their roles',
  verb: 'List keys',
  effect: 'sensitive read',
  minimumRole: 'operator',
  audience: 'caller',
  fields,
  positionals: [],
  form: [{ title: 'API keys', intro: 'Values are shown redacted.', fields: () => ['role', 'page'] }],
  examples: ['keys list', 'keys list --role UserApi', 'keys list --page 2'],
  describe({ page = 1, role }) {
    return `List the API keys of the account${role === undefined ? '' : ` with the role ${role}`}, page ${page}`
  },
  run: ({ page = 1, role }, context) =>
    role === undefined ? readKeyPage(context.cdn, page, context.signal) : scanKeysByRole(context, role, page),
  present: apiKeysAnswer,
})

const TITLE = 'API keys of the account'
const TABLE_PAGE_ROWS = 25
const REDACTED =
  'Only the last four characters of a value are shown, and none of a short one. “Statistics” says which keys the platform lets read storage statistics.'

function apiKeysAnswer(reading: KeysReading): Answer {
  const { keys } = reading
  const lead = reading.kind === 'page' ? pageSentence(reading) : searchSentence(reading)
  const notes = reading.kind === 'page' ? pageNotes(reading) : searchNotes(reading)
  const buttons = pageButtons(reading)
  const table = keys.length === 0 ? undefined : tablePart(keysTable(keys))
  if (table === undefined)
    return { message: messageOf(heading(TITLE), paragraphs(lead), smallPrint(...notes)), buttons }
  const left = table.total - table.kept
  const cut = left > 0 ? [md`${counted(left, 'key')} of this page found no room in the table.`] : []
  const small = smallPrint(...notes, ...cut, md`${REDACTED}`)
  return { message: messageOf(heading(TITLE), paragraphs(lead), readLast(table), small), buttons }
}

function keysTable(keys: readonly ApiKey[]): Table {
  return {
    caption: 'API keys, redacted',
    columns: ['Id', 'Key', 'Roles', 'Statistics'].map((title) => ({ title, kind: 'text' })),
    rows: keys.map(({ Id, redactedKey, Roles }) => [
      // An id is a name, not an amount: no thousands separators, so that it can be copied.
      Id === undefined ? undefined : String(Id),
      redactedKey,
      Roles.join(', '),
      Roles.some((role) => ROLES_THAT_READ_STATISTICS.has(role)) ? 'yes' : 'no',
    ]),
    pageSize: TABLE_PAGE_ROWS,
  }
}

function pageSentence({ page, keys, total, hasMore }: KeyPage): Mrkdwn {
  const known = total === undefined ? '' : ` of ${pagesFor(total)}`
  if (keys.length > 0) {
    const all = total === undefined ? '' : `; ${counted(total, 'key')} in all`
    return md`Page ${page}${known}: ${counted(keys.length, 'key')}${all}${hasMore ? '' : ', this is the last page'}.`
  }
  if (page === 1 && (total ?? 0) === 0) return md`The account has no API keys that this key may list.`
  if (total !== undefined && page > pagesFor(total)) {
    return md`There is no page ${page}: the account has ${counted(total, 'key')} on ${counted(pagesFor(total), 'page')}.`
  }
  return md`The platform sent page ${page}${known} without any key.`
}

function pageNotes({ page, otherPage, keys }: KeyPage): readonly (Mrkdwn | false)[] {
  return [
    otherPage !== undefined && md`Page ${page} was asked for; the platform says it sent page ${otherPage}.`,
    keys.length > KEYS_PER_PAGE && md`The platform sent ${keys.length} keys where ${KEYS_PER_PAGE} were asked for.`,
  ]
}

function searchSentence({ role, page, keys, matches, lookedAt }: KeySearch): Mrkdwn {
  const among = md`among ${counted(lookedAt, 'key')} looked at`
  if (matches === 0) return md`No key has the role ${role}, ${among}.`
  if (keys.length === 0) {
    return md`There is no page ${page}: ${have(matches)} the role ${role}, on ${counted(pagesFor(matches), 'page')}.`
  }
  return md`Page ${page} of ${pagesFor(matches)}: ${have(matches)} the role ${role}, ${among}.`
}

function have(keys: number): string {
  return `${counted(keys, 'key')} ${keys === 1 ? 'has' : 'have'}`
}

function searchNotes({ cut, lookedAt, total, matches, rolesSeen }: KeySearch): readonly (Mrkdwn | false)[] {
  const all = total === undefined ? 'more' : count(total)
  return [
    cut && md`The search ended after ${count(lookedAt)} of ${all} keys; there may be further ones with this role.`,
    matches === 0 && rolesSeen.length > 0 && md`Roles seen: ${rolesSeen.join(', ')}.`,
  ]
}

function pageButtons(reading: KeysReading): readonly AnswerButton[] {
  const last = lastPage(reading)
  const { page } = reading
  const previous = Math.min(page - 1, last ?? page - 1)
  const to = (label: string, number: number): AnswerButton =>
    pageButton(label, { page: String(number), ...(reading.kind === 'search' && { role: reading.role }) })
  const next = reading.kind === 'page' ? reading.hasMore && reading.keys.length > 0 : last !== undefined && page < last
  return [
    ...(previous >= 1 ? [to(previous < page - 1 ? 'Last page' : 'Previous', previous)] : []),
    ...(next ? [to('Next', page + 1)] : []),
  ]
}

function lastPage(reading: KeysReading): number | undefined {
  const rows = reading.kind === 'page' ? reading.total : reading.matches
  return rows === undefined ? undefined : pagesFor(rows)
}

function pagesFor(rows: number): number {
  return Math.max(1, Math.ceil(rows / KEYS_PER_PAGE))
}

const KEYS_PER_PAGE = 50
/** A search through the pages reads at most this many of them: 10,000 keys. */
const MAX_SCANNED_PAGES = 10
/** Names of other roles kept for the answer to a search that finds nothing. */
const MAX_ROLES_SEEN = 30

type KeysReading = KeyPage | KeySearch

interface KeyPage {
  readonly kind: 'page'
  readonly page: number
  readonly keys: readonly ApiKey[]
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The page the platform says it sent, when it is another one. */
  readonly otherPage: number | undefined
}

interface KeySearch {
  readonly kind: 'search'
  readonly role: string
  readonly page: number
  readonly keys: readonly ApiKey[]
  readonly matches: number
  readonly lookedAt: number
  /** Keys on the account, as far as the platform says. */
  readonly total: number | undefined
  readonly cut: boolean
  readonly rolesSeen: readonly string[]
}

async function readKeyPage(cdn: Pick<Cdn, 'listApiKeys'>, page: number, signal: AbortSignal): Promise<KeyPage> {
  const list = await cdn.listApiKeys({ page, perPage: KEYS_PER_PAGE }, { signal })
  return {
    kind: 'page',
    page,
    keys: list.Items,
    total: list.TotalItems,
    // Missing, it follows from the number of keys.
    hasMore: list.HasMoreItems ?? (list.TotalItems ?? 0) > page * KEYS_PER_PAGE,
    otherPage: list.CurrentPage === undefined || list.CurrentPage === page ? undefined : list.CurrentPage,
  }
}

/**
 * Looks through all pages for keys with a role, whatever its case. The platform cannot filter, so the pages are read
 * as large as it allows, and at most ten of them.
 */
async function scanKeysByRole(context: OperationContext, role: string, page: number): Promise<KeySearch> {
  const wanted = role.toLowerCase()
  const seen = new Set<string>()
  const roles = new Set<string>()
  const matches: ApiKey[] = []
  let lookedAt = 0
  let list: ApiKeyList
  let number = 0
  do {
    number += 1
    list = await context.cdn.listApiKeys({ page: number, perPage: MAX_KEYS_PER_PAGE }, { signal: context.signal })
    for (const key of newOnes(list.Items, seen)) {
      lookedAt += 1
      if (key.Roles.some((name) => name.toLowerCase() === wanted)) matches.push(key)
      for (const name of key.Roles) if (roles.size < MAX_ROLES_SEEN) roles.add(name)
    }
    context.progress(`Looked at ${lookedAt} of ${list.TotalItems ?? 'an unknown number of'} keys`)
    // A page without keys that promises more would be asked for again and again without getting anywhere.
  } while (list.HasMoreItems === true && list.Items.length > 0 && number < MAX_SCANNED_PAGES)
  return {
    kind: 'search',
    role,
    page,
    keys: matches.slice((page - 1) * KEYS_PER_PAGE, page * KEYS_PER_PAGE),
    matches: matches.length,
    lookedAt,
    total: list.TotalItems,
    cut: list.HasMoreItems === true,
    rolesSeen: [...roles].sort(),
  }
}

/** Keys added or removed meanwhile shift the pages, so the same key may come twice. */
function newOnes(keys: readonly ApiKey[], seen: Set<string>): readonly ApiKey[] {
  return keys.filter(({ Id }) => {
    if (Id === undefined) return true
    const before = seen.size
    return seen.add(String(Id)).size > before
  })
}
