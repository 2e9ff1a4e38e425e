import type { Change } from '../../store/schema/change.ts'
import type { Field, NamedZone } from '../declaration/field.ts'
import { custom, type FieldText, one, problem, readId } from '../declaration/fields.ts'
import { nearestWord } from '../declaration/nearest-word.ts'
import type { OperationContext } from '../declaration/operation.ts'

/** The zones that a name or an id means: zones of several kinds may have the same. */
export interface MeantZones {
  readonly typed: string
  readonly zones: readonly Pick<NamedZone, 'kind' | 'zoneId'>[]
}

export function anyZone(options: FieldText): Field<MeantZones, false> {
  return custom<MeantZones>({
    ...options,
    control: { kind: 'text', maxLength: 100, multiline: false, word: 'zone' },
    read(raw, context) {
      const typed = one(raw).trim()
      const id = readId(typed)
      const meant = typed.toLowerCase()
      const named = context.zones.filter(({ name }) => name.toLowerCase() === meant)
      const byId = (['pull', 'storage', 'dns'] as const).map((kind) => ({ kind, zoneId: String(id) }))
      const zones = id === undefined ? named : byId
      if (zones.length > 0) return { ok: true, value: { typed, zones } }
      const names = context.zones.map(({ name }) => name)
      const close = nearestWord(typed, names)
      const next = close === undefined ? 'A numeric id works too.' : `Did you mean ${close}?`
      return problem(`No zone is named ${typed}. ${next}`)
    },
  })
}

/** Whether a change was asked for about one of these zones. */
export function concernsZones(
  { operation: name, values }: Pick<Change, 'operation' | 'values'>,
  meant: MeantZones,
  { catalog, actor: { timeZone }, ...context }: Pick<OperationContext, 'catalog' | 'zones' | 'now' | 'actor' | 'panel'>,
): boolean {
  const entry = catalog.find(({ operation }) => operation.name === name)
  const parsed = entry?.operation.parse(values, { ...context, timeZone })
  const about = parsed?.ok === true ? parsed.invocation.zones : []
  return about.some(({ kind, id }) => meant.zones.some((zone) => zone.kind === kind && zone.zoneId === String(id)))
}
