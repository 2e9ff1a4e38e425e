import { cut, listFew } from '../../block-kit/plain-text.ts'
import type { ZoneKind } from '../../store/schema/tables.ts'
import type { Field, NamedZone, ParseContext, ZoneReference } from './field.ts'
import { custom, type FieldText, one, problem, readId } from './fields.ts'
import { nearestWord, sortByNearness } from './nearest-word.ts'

const MAX_LISTED = 8

/** A zone of one kind, given by its numeric id or by a name somebody gave it. */
export function zone(options: FieldText & { readonly zoneKind: ZoneKind }): Field<ZoneReference, false> {
  return custom<ZoneReference>({
    ...options,
    control: { kind: 'zone', zoneKind: options.zoneKind },
    read(raw, context) {
      const typed = one(raw).trim()
      const id = readId(typed)
      const named = namesOf(options.zoneKind, context)
      if (id !== undefined)
        return { ok: true, value: { id, name: named.find(({ zoneId }) => zoneId === String(id))?.name } }
      const [found] = zonesNamed(typed, named)
      if (found) return { ok: true, value: { id: BigInt(found.zoneId), name: found.name } }
      return problem(unknownZone(options.zoneKind, typed, named))
    },
  })
}

/** So many characters of a list are typed into a form at most. */
export const MAX_ZONE_LIST_CHARACTERS = 3_000

/** Several zones of one kind, each once, separated by commas or spaces; `all` stands for those that have a name. */
export function zones(options: FieldText & { readonly zoneKind: ZoneKind; readonly most: number }) {
  const { zoneKind, most } = options
  const each = zone(options)
  return custom<readonly ZoneReference[]>({
    ...options,
    control: { kind: 'zone', zoneKind, several: true },
    read(raw, context) {
      const words = [raw].flat().flatMap((part) => part.split(/[\s,]+/).filter((word) => word !== ''))
      const all = namesOf(zoneKind, context).map(({ zoneId }) => zoneId)
      const found = new Map<bigint, ZoneReference>()
      for (const word of words.flatMap((typed) => (typed.toLowerCase() === 'all' ? all : typed))) {
        const result = each.read(word, context)
        if (!result.ok) return result
        found.set(result.value.id, result.value)
      }
      if (found.size > most) return problem(`${options.label}: at most ${most} are taken; these are ${found.size}.`)
      if (found.size > 0) return { ok: true, value: [...found.values()] }
      return problem(`No name has been given to a ${zoneKind} zone yet, so all means none: use numeric ids.`)
    },
  })
}

/** How a zone is written in sentences: its name with the id that decides, or the id alone. */
export function zoneLabel({ id, name }: ZoneReference): string {
  return name === undefined ? String(id) : `${name} (${id})`
}

/** How a zone is written in a title: its name alone, cut, or its id. Its label stands below. */
export function zoneTitle({ id, name }: ZoneReference, kind: 'Pull' | 'Storage'): string {
  return name === undefined ? `${kind} zone ${id}` : cut(name, 24)
}

export function zonesLabel(all: readonly ZoneReference[]): string {
  return listFew(all.map(zoneLabel), MAX_LISTED)
}

export function zonesNamed(typed: string, all: readonly NamedZone[]): readonly NamedZone[] {
  const wanted = typed.toLowerCase()
  return all.filter(({ name }) => name.toLowerCase() === wanted)
}

function namesOf(kind: ZoneKind, context: ParseContext): readonly NamedZone[] {
  return context.zones.filter((candidate) => candidate.kind === kind)
}

/** What there is instead, the nearest first, and where an id is found; of one kind, or of any. */
export function unknownZone(kind: ZoneKind | undefined, typed: string, named: readonly NamedZone[]): string {
  const which = kind === undefined ? '' : `${kind === 'dns' ? 'DNS' : kind} `
  const said = `No ${which}zone is named ${typed}.`
  const names = [...new Set(named.map(({ name }) => name))]
  if (names.length === 0) return `${said} None has a name yet: ${BY_ID}`
  const more = names.length > MAX_LISTED ? ', …' : ''
  const nearest = sortByNearness(typed, names).slice(0, MAX_LISTED)
  const close = nearestWord(typed, names)
  if (close === undefined)
    return `${said} There ${nearest.length === 1 ? 'is' : 'are'} ${nearest.join(', ')}${more}; for another, ${BY_ID}`
  const others = nearest.filter((name) => name !== close)
  return `${said} Did you mean ${close}?${others.length === 0 ? '' : ` There ${others.length === 1 ? 'is' : 'are'} also ${others.join(', ')}${more}.`}`
}

const BY_ID = "type its id, the number in its address in the CDN's panel."
