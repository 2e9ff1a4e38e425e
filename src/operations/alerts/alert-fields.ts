import type { Field, NamedZone } from '../field.ts'
import { custom, type FieldText, many, one, problem, readId, spelled } from '../fields.ts'
import { userGroup } from '../person-field.ts'
import { nearestWord } from '../nearest-word.ts'
import type { AlertSubject } from '../../store/alert-records.ts'
import { subjectOf } from './alert-subjects.ts'
import { MAX_RUNBOOK_CHARACTERS, runbookProblem, runbookUrl } from '../../alerts/runbook.ts'
import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'

const ALERT_ID = /^[0-9a-f]{4,64}$/

/** The id of a rule, a silence or an incident, or how it begins: lists and messages show its first eight digits. */
export function alertIdField(options: FieldText): Field<string, false> {
  return spelled({
    ...options,
    maxLength: 64,
    word: 'id',
    parse: (typed) => (ALERT_ID.test(typed.toLowerCase()) ? typed.toLowerCase() : undefined),
    rule: `${options.label} is an id as lists show it, or its first 4 digits or more.`,
  })
}

type IdMatch<T> = { readonly found: T } | { readonly found: undefined; readonly several: boolean }

export function byId<T extends { readonly id: string }>(id: string, all: readonly T[]): IdMatch<T> {
  const exact = all.find((each) => each.id === id)
  if (exact !== undefined) return { found: exact }
  const [first, second] = all.filter((each) => each.id.startsWith(id))
  if (first !== undefined && second === undefined) return { found: first }
  return { found: undefined, several: second !== undefined }
}

const MAX_CHARACTERS = 1_000
const WHOLE_ID = /^[0-9a-f]{32}$/
const ID = /^[0-9a-f]{4,32}$/

/** What a word may be about: everything of the channel, zones that bear the name or number, or ids of what is listed. */
export interface About {
  readonly typed: string
  readonly all: boolean
  /** A pull zone and a storage zone may have the same name. */
  readonly subjects: readonly AlertSubject[]
  /** Whole ids, or how one begins. */
  readonly ids: readonly string[]
}

/**
 * A zone by name or numeric id, `all` for everything of the channel, or ids of rules as lists show them. Which of them it
 * is may hang on what there is, so that is looked up when it is used.
 */
export function about(options: FieldText & { readonly word?: string }): Field<About, false> {
  return custom<About>({
    ...options,
    control: { kind: 'text', maxLength: MAX_CHARACTERS, multiline: false, word: options.word ?? 'zone' },
    read(raw, { zones }) {
      const typed = one(raw).trim()
      if (typed.toLowerCase() === 'all') return { ok: true, value: { typed, all: true, subjects: [], ids: [] } }
      const words = many(raw).map((word) => word.toLowerCase())
      if (
        (words.length > 0 && words.every((word) => WHOLE_ID.test(word))) ||
        (words.length > 1 && words.every((word) => ID.test(word)))
      )
        return { ok: true, value: { typed, all: false, subjects: [], ids: words } }
      const subjects = subjectsNamed(typed, zones)
      const ids = ID.test(typed.toLowerCase()) ? [typed.toLowerCase()] : []
      if (subjects.length + ids.length > 0) return { ok: true, value: { typed, all: false, subjects, ids } }
      return problem(unknown(typed, zones))
    },
  })
}

function subjectsNamed(typed: string, zones: readonly NamedZone[]): readonly AlertSubject[] {
  const id = readId(typed)
  if (id !== undefined) return [subjectOf({ kind: 'pull', id }), subjectOf({ kind: 'storage', id })]
  const wanted = typed.toLowerCase()
  return zones.flatMap(({ kind, name, zoneId }) =>
    kind !== 'dns' && name.toLowerCase() === wanted ? [subjectOf({ kind, id: BigInt(zoneId) })] : [],
  )
}

function unknown(typed: string, zones: readonly NamedZone[]): string {
  const names = zones.filter(({ kind }) => kind !== 'dns').map(({ name }) => name)
  const close = nearestWord(typed, ['all', ...names])
  const said = `No pull or storage zone is named ${typed}.`
  return close === undefined ? `${said} A numeric id works too.` : `${said} Did you mean ${close}?`
}

export const mentionField = userGroup({
  label: 'Mention',
  hint: 'A user group of Slack that critical alerts mention, by @ or by its id, S….',
})

/** Slack writes an address so where it has made a link of it. */
const LINKED = /^<([^<>|]+)(?:\|[^<>]*)?>$/

export const runbookField = custom<string>({
  label: 'Runbook',
  hint: 'An https address at which it stands what to do; it is linked from each message of the alert.',
  control: { kind: 'text', maxLength: MAX_RUNBOOK_CHARACTERS, multiline: false, word: 'https-address' },
  read(raw) {
    const typed = one(raw).trim()
    const value = LINKED.exec(typed)?.[1] ?? typed
    const wrong = runbookProblem(value)
    return wrong === undefined ? { ok: true, value } : problem(`Runbook ${wrong}.`)
  },
})

/** The link that stands in an answer, after what it follows; nothing without an address. */
export function runbookLink(runbook: string | undefined, before = ''): Mrkdwn {
  const url = runbookUrl(runbook)
  return url === undefined ? md`` : md`${before}${link(url, 'Runbook')}`
}
