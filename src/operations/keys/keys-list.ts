import { count, counted } from '../../block-kit/amounts.ts'
import { heading, messageOf, paragraphs, readLast, smallPrint, tablePart } from '../../block-kit/message.ts'
import { type Column, tableOf } from '../../block-kit/table.ts'
import { code, joinMd, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import {
  type ApiKey,
  type ApiKeyList,
  MAX_KEYS_PER_PAGE,
  ROLES_THAT_READ_STATISTICS,
} from '../../cdn/contract/api-keys.ts'
import { INT32_MAX } from '../../cdn/contract/wire-fields.ts'
import { type Answer, type AnswerButton, pageButton } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { InputOf } from '../declaration/field.ts'
import { id, integer, readId, text, byLooks, isAnything } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'

const KEYS_PER_PAGE = 50
/** A search through the pages reads at most this many of them: 10,000 keys. */
const MAX_SCANNED_PAGES = 10
const MAX_ROLES_SEEN = 30
const NO_ROLE = 'no role'

const fields = {
  page: integer({ label: 'Page', hint: '50 keys a page; the first unless given.', min: 1, max: INT32_MAX }),
  role: text({
    label: 'Role',
    hint: 'Only keys with this role, such as UserApi, a part of its name, or the last four characters of the key.',
    maxLength: 64,
    word: 'role',
  }),
  id: id({ label: 'Key id', hint: 'Only the key with this id; looked for on all pages.' }),
}

export const apiKeys = defineOperation({
  name: 'keys list',
  aliases: ['keys', 'api keys', 'keys show'],
  summary: 'List the API keys of the account, redacted, with their roles',
  question: 'Which API keys are there?',
  verb: 'List keys',
  effect: 'sensitive read',
  fields,
  positionals: byLooks({ id: (typed) => readId(typed) !== undefined, role: isAnything }),
  form: [{ title: 'API keys', intro: 'Values are redacted.', fields: () => ['role', 'id', 'page'] }],
  examples: ['keys list', 'keys list --role UserApi', 'keys list 42', 'keys list …c671', 'keys list --page 2'],
  describe({ page = 1, ...wanted }) {
    const words = wantedWords(wanted)
    return `List the API keys of the account${words === '' ? '' : ` with ${words}`}, page ${page}`
  },
  // With the first page comes how many there are of each role, so all of them are read.
  run: ({ page = 1, ...wanted }, context) =>
    wantedWords(wanted) === '' && page > 1 ? readKeyPage(context, page) : scanKeys(context, wanted, page),
  present: apiKeysAnswer,
})

const MAX_ROLES_COUNTED = 8

type Wanted = Partial<Pick<InputOf<typeof fields>, 'role' | 'id'>>

function wantedWords({ role, id: keyId }: Wanted): string {
  return [role && `the role ${role}`, keyId && `the id ${keyId}`].filter(Boolean).join(' and ')
}

/** Without `scan` where a single page was read. */
type KeyPage = Omit<Awaited<ReturnType<typeof scanKeys>>, 'scan'> & { readonly scan?: KeyScan }

/** What was looked for, in words, empty where any key is; keys of the account, of which it may not reach the last. */
type KeyScan = Awaited<ReturnType<typeof scanKeys>>['scan']

async function readKeyPage({ cdn, signal }: OperationContext, page: number): Promise<KeyPage> {
  const { Items: keys, TotalItems, HasMoreItems } = await cdn.listApiKeys({ page, perPage: KEYS_PER_PAGE }, { signal })
  const total = TotalItems ?? (page - 1) * KEYS_PER_PAGE + keys.length
  return { page, keys, total, hasMore: HasMoreItems === true }
}

/**
 * Looks through all pages, for keys with an id or a role, whatever its case, where one is given; where there is none, for
 * those with a role that holds the word, or that end so. The CDN cannot filter, so the pages are read as large as it allows,
 * and at most ten of them.
 */
async function scanKeys(context: OperationContext, asked: Wanted, page: number) {
  const { cdn, signal } = context
  const tests = matchTests(asked)
  const seen = new Set<bigint | ApiKey>()
  const byRole = new Map<string, number>()
  let list: ApiKeyList
  let number = 0
  do {
    number += 1
    list = await cdn.listApiKeys({ page: number, perPage: MAX_KEYS_PER_PAGE }, { signal })
    for (const key of list.Items) {
      // Keys added or removed meanwhile shift the pages, so the same key may come twice. One without an id is always another.
      const identity = key.Id ?? key
      if (seen.has(identity)) continue
      seen.add(identity)
      for (const { fits, matches } of tests) if (fits(key)) matches.push(key)
      for (const name of key.Roles.length === 0 ? [NO_ROLE] : key.Roles)
        if (byRole.has(name) || byRole.size < MAX_ROLES_SEEN) byRole.set(name, (byRole.get(name) ?? 0) + 1)
    }
    context.progress(`Read ${seen.size} of ${list.TotalItems ?? seen.size} keys`)
  } while (list.HasMoreItems === true && number < MAX_SCANNED_PAGES)
  const { wanted, matches } = tests.find((test) => test.matches.length > 0) ?? tests[0]
  const keys: readonly ApiKey[] = matches.slice((page - 1) * KEYS_PER_PAGE, page * KEYS_PER_PAGE)
  const ofAccount = list.TotalItems ?? seen.size
  const isCut = list.HasMoreItems === true
  const counts = [...byRole].toSorted(([, a], [, b]) => b - a)
  const scan = { role: asked.role, wanted, scanned: seen.size, ofAccount, isCut, byRole: counts }
  const total = wanted === '' ? ofAccount : matches.length
  return { page, keys, total, hasMore: page < countPages(total), scan }
}

const KEY_END = /^[.…]*([\w-]{4})$/

/** What a key may fit, the nearest first; `wanted` stands after “keys have”. */
function matchTests({ role, id: keyId }: Wanted) {
  const word = role?.toLowerCase() ?? ''
  const exact = (key: ApiKey): boolean =>
    (role === undefined || key.Roles.some((name) => name.toLowerCase() === word)) &&
    (keyId === undefined || key.Id === keyId)
  const test = (wanted: string, fits: (key: ApiKey) => boolean) => ({ wanted, fits, matches: new Array<ApiKey>() })
  const asIs = test(wantedWords({ role, id: keyId }), exact)
  if ((role === undefined) === (keyId === undefined)) return [asIs] as const
  const isLike = ({ Roles }: ApiKey) => role !== undefined && Roles.some((name) => name.toLowerCase().includes(word))
  const end = KEY_END.exec(role ?? String(keyId))?.[1]
  const endsSo = ({ redactedKey }: ApiKey) => end !== undefined && redactedKey?.endsWith(end) === true
  return [asIs, test(`a role with “${role}” in it`, isLike), test(`a value that ends in ${end}`, endsSo)] as const
}

function apiKeysAnswer(found: KeyPage, _: unknown, { command }: Pick<OperationContext, 'command'>): Answer {
  const { keys, page, total, scan } = found
  const pages = countPages(total)
  const where =
    keys.length > 0
      ? md`Page ${page} of ${pages}`
      : total > 0 && md`There is no page ${page}, only ${counted(pages, 'page')}.`
  const buttons = pageButtons(found)
  const head = [heading(title(found)), paragraphs(scan !== undefined && rolesLine(scan), where)]
  if (keys.length === 0) return { message: messageOf(...head, smallPrint(...scanNotes(scan))), buttons }
  const table = tablePart(tableOf('API keys, redacted', COLUMNS, keys, keys.length))
  const left = table.total - table.kept
  const cut = left > 0 && md`${counted(left, 'key')} of this page found no room in the table.`
  const notes = smallPrint(
    ...scanNotes(scan),
    cut,
    pages > 1 && md`An id, a role or the last four of a key show fewer: ${code(`${command} keys list UserApi`)}`,
    md`Values are redacted to their last four characters. The CDN does not tell when a key was made or last used.`,
    md`Of roles the CDN says only which of them read storage statistics, not what else they allow.`,
  )
  return { message: messageOf(...head, readLast(table), notes), buttons }
}

const COLUMNS: readonly Column<ApiKey>[] = [
  // An id is a name, not an amount: no thousands separators, so that it can be copied.
  ['Id', ({ Id }) => Id && String(Id)],
  ['Key', ({ redactedKey }) => redactedKey],
  ['Roles', ({ Roles }) => Roles.join(', ')],
  ['Reads statistics', ({ Roles }) => (Roles.some((role) => ROLES_THAT_READ_STATISTICS.has(role)) ? 'yes' : 'no')],
]

function title({ total, scan }: KeyPage): string {
  const { wanted = '' } = scan ?? {}
  if (wanted === '')
    return total === 0 ? 'No API keys that may be listed' : `${counted(total, 'API key')} of the account`
  const amount = total === 0 ? 'No key has' : `${counted(total, 'key')} ${total === 1 ? 'has' : 'have'}`
  return `${amount} ${wanted}`
}

function rolesLine({ wanted, byRole, scanned }: KeyScan): Mrkdwn {
  if (wanted !== '') return md`Of ${counted(scanned, 'key')} in all.`
  const shown = byRole.slice(0, MAX_ROLES_COUNTED).map(([name, keys]) => md`${name} *${count(keys)}*`)
  const rest = byRole.length - shown.length
  return joinMd([...shown, ...(rest > 0 ? [md`${counted(rest, 'more role')}`] : [])], ' · ')
}

function scanNotes(scan: KeyScan | undefined): readonly (Mrkdwn | false)[] {
  if (scan === undefined) return []
  const { role, wanted, isCut, scanned, ofAccount, byRole } = scan
  const roles = byRole.flatMap(([name]) => (name === NO_ROLE ? [] : [name]))
  const found = role === undefined || roles.some((name) => name.toLowerCase() === role.toLowerCase())
  return [
    isCut &&
      md`Only the first ${count(scanned)} of ${count(ofAccount)} keys were read${wanted === '' ? ' for these counts' : '; there may be more like this'}.`,
    !found && roles.length > 0 && md`Roles seen: ${roles.toSorted().join(', ')}.`,
  ]
}

function pageButtons({ page, total, hasMore, scan }: KeyPage): readonly AnswerButton[] {
  const previous = Math.min(page - 1, countPages(total))
  const button = (label: string, number: number): AnswerButton =>
    pageButton(label, { page: String(number), ...(scan?.role !== undefined && { role: scan.role }) })
  return [
    ...(previous >= 1 ? [button(previous < page - 1 ? 'Last page' : 'Previous', previous)] : []),
    ...(hasMore ? [button('Next', page + 1)] : []),
  ]
}

function countPages(keys: number): number {
  return Math.max(1, Math.ceil(keys / KEYS_PER_PAGE))
}
