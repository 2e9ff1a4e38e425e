import { SELECT_OPTIONS } from '../../block-kit/limits.ts'
import { option, type Choice, type Option } from '../../block-kit/inputs.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import type { ZoneKind } from '../../store/schema/tables.ts'
import { readId } from '../../operations/declaration/fields.ts'

/**
 * What a zone menu offers for what was typed into it: zones whose name holds it, those beginning with it first, and
 * zones whose id begins with it. An id nobody has named is offered as `Zone 12345`, so every zone can be chosen.
 */
export function zoneOptions(kind: ZoneKind, query: string, zones: readonly NamedZone[]): readonly Option[] {
  const typed = query.trim().toLowerCase()
  const named = groupById(kind, zones)
  const matches = [...named]
    .map(([zoneId, names]) => ({ zoneId, names, rank: rankZone(typed, zoneId, names) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.rank - b.rank || compare(a.names[0] ?? '', b.names[0] ?? ''))
    .map(({ zoneId }) => zoneChoice(kind, zoneId, zones))
  const id = readId(typed)
  const unnamed = id !== undefined && !named.has(String(id)) ? [zoneChoice(kind, String(id), zones)] : []
  return [...unnamed, ...matches].slice(0, SELECT_OPTIONS).map(option)
}

/** The one way a zone is written in a menu, which an initial option must match to the letter. */
export function zoneChoice(kind: ZoneKind, zoneId: string, zones: readonly NamedZone[]): Choice {
  const names = groupById(kind, zones).get(zoneId)
  return { value: zoneId, text: names === undefined ? `Zone ${zoneId}` : formatLabel(names, zoneId) }
}

/** Keeps the id readable when the names beside it are long. */
const MAX_NAMES_CHARACTERS = 50

function formatLabel(names: readonly string[], zoneId: string): string {
  const joined = names.join(', ')
  const shown = joined.length > MAX_NAMES_CHARACTERS ? `${joined.slice(0, MAX_NAMES_CHARACTERS - 1)}…` : joined
  return `${shown} (${zoneId})`
}

/** A zone may have several names; in a menu each zone stands once, as option values must differ. */
function groupById(kind: ZoneKind, zones: readonly NamedZone[]): ReadonlyMap<string, readonly string[]> {
  const ofKind = zones.filter((zone) => zone.kind === kind)
  const byId = Map.groupBy(ofKind, ({ zoneId }) => zoneId)
  return new Map([...byId].map(([zoneId, named]) => [zoneId, named.map(({ name }) => name)]))
}

function rankZone(typed: string, zoneId: string, names: readonly string[]): number {
  const lower = names.map((name) => name.toLowerCase())
  if (typed === zoneId || lower.includes(typed)) return 0
  if (lower.some((name) => name.startsWith(typed))) return 1
  if (lower.some((name) => name.includes(typed))) return 2
  return zoneId.startsWith(typed) ? 3 : Number.POSITIVE_INFINITY
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
