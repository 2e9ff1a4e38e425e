import type { Field, NamedZone } from '../field.ts'
import { custom, type FieldText, many, one, problem, readId } from '../fields.ts'
import { nearestWord } from '../nearest-word.ts'
import { type AlertSubject } from '../../store/alert-records.ts'
import { subjectOf } from './alert-subjects.ts'

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
