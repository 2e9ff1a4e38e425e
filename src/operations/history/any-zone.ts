import type { Change } from '../../store/schema/change.ts'
import type { Field, NamedZone } from '../declaration/field.ts'
import { custom, type FieldText, one, problem, readId } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { unknownZone, zonesNamed } from '../declaration/zone-field.ts'

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
      const byId = (['pull', 'storage', 'dns'] as const).map((kind) => ({ kind, zoneId: String(id) }))
      const zones = id === undefined ? zonesNamed(typed, context.zones) : byId
      return zones.length > 0
        ? { ok: true, value: { typed, zones } }
        : problem(unknownZone(undefined, typed, context.zones))
    },
  })
}

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
