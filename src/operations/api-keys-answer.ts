import { count } from '../block-kit/amounts.ts'
import { message } from '../block-kit/message.ts'
import { md, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { context, header, section } from '../block-kit/sections.ts'
import { fitTable, type Table, tableText } from '../block-kit/table.ts'
import { type ApiKey, ROLES_THAT_READ_STATISTICS } from '../cdn/api-keys.ts'
import type { Answer, AnswerButton } from './answer.ts'
import { KEYS_PER_PAGE, type KeyPage, type KeySearch, type KeysReading } from './api-keys-reading.ts'
import { counted } from './counted.ts'
import type { RawValues } from '../shared/raw-values.ts'

const TITLE = 'API keys of the account'
const TABLE_PAGE_ROWS = 25
const REDACTED =
  'Only the last four characters of a value are shown, and none of a short one. “Statistics” says which keys the platform lets read storage statistics.'

/** A page of keys with buttons to the pages beside it. */
export function apiKeysAnswer(reading: KeysReading): Answer {
  const { keys } = reading
  const lead = reading.kind === 'page' ? pageSentence(reading) : searchSentence(reading)
  const notes = reading.kind === 'page' ? pageNotes(reading) : searchNotes(reading)
  const buttons = pageButtons(reading)
  if (keys.length === 0) {
    const text = [TITLE, plainOf(lead), ...notes.map(plainOf)].join('\n')
    return {
      message: message({ text, blocks: [header(TITLE), section(lead), ...notes.map((note) => context(note))] }),
      buttons,
    }
  }
  const table = keysTable(keys)
  const { block, kept, total } = fitTable(table)
  const small = [
    ...notes,
    ...(kept < total ? [md`${counted(total - kept, 'key')} of this page found no room in the table.`] : []),
    md`${REDACTED}`,
  ]
  const blocks = [header(TITLE), section(lead), block, ...small.map((note) => context(note))]
  return {
    message: message({ text: [TITLE, plainOf(lead), ...small.map(plainOf), tableText(table)].join('\n'), blocks }),
    buttons,
  }
}

function keysTable(keys: readonly ApiKey[]): Table {
  return {
    caption: 'API keys, redacted',
    columns: [
      { title: 'Id', kind: 'text' },
      { title: 'Key', kind: 'text' },
      { title: 'Roles', kind: 'text' },
      { title: 'Statistics', kind: 'text' },
    ],
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

function pageNotes({ page, otherPage, keys }: KeyPage): readonly Mrkdwn[] {
  return [
    ...(otherPage === undefined ? [] : [md`Page ${page} was asked for; the platform says it sent page ${otherPage}.`]),
    ...(keys.length > KEYS_PER_PAGE
      ? [md`The platform sent ${keys.length} keys where ${KEYS_PER_PAGE} were asked for.`]
      : []),
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

function searchNotes({ cut, lookedAt, total, matches, rolesSeen }: KeySearch): readonly Mrkdwn[] {
  const all = total === undefined ? 'more' : count(total)
  return [
    ...(cut
      ? [md`The search ended after ${count(lookedAt)} of ${all} keys; there may be further ones with this role.`]
      : []),
    ...(matches === 0 && rolesSeen.length > 0 ? [md`Roles seen: ${rolesSeen.join(', ')}.`] : []),
  ]
}

function pageButtons(reading: KeysReading): readonly AnswerButton[] {
  const last = lastPage(reading)
  const { page } = reading
  const previous = Math.min(page - 1, last ?? page - 1)
  const next = reading.kind === 'page' ? reading.hasMore && reading.keys.length > 0 : last !== undefined && page < last
  return [
    ...(previous >= 1 ? [pageButton(previous < page - 1 ? 'Last page' : 'Previous', previous, reading)] : []),
    ...(next ? [pageButton('Next', page + 1, reading)] : []),
  ]
}

function pageButton(label: string, page: number, reading: KeysReading): AnswerButton {
  const values: RawValues = { page: String(page), ...(reading.kind === 'search' && { role: reading.role }) }
  return { kind: 'page', label, values }
}

function lastPage(reading: KeysReading): number | undefined {
  const rows = reading.kind === 'page' ? reading.total : reading.matches
  return rows === undefined ? undefined : pagesFor(rows)
}

function pagesFor(rows: number): number {
  return Math.max(1, Math.ceil(rows / KEYS_PER_PAGE))
}
