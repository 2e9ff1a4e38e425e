import { wordsMessage } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { AuditEntry } from '../../store/audit-entry.ts'
import { ZONE_KINDS, type ZoneKind, type ZoneName } from '../../store/zone-names.ts'
import { defineOperation } from '../define-operation.ts'
import type { NamedZone } from '../field.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { one, required } from '../fields.ts'
import { isSameName, KIND_WORDS, managedZone, zoneKind, zoneName } from './zone-name-fields.ts'

/** `zones remove`: takes a name away. The zone itself is not touched. */
export const zonesRemove = defineOperation({
  name: 'zones remove',
  summary: 'Take a name from a zone; the zone itself is not touched',
  verb: 'Remove name',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
  undoable: true,
  fields: { kind: zoneKind, name: required(zoneName) },
  positionals,
  form: [
    {
      title: 'Remove a name',
      intro: 'Only the name goes. The zone stays as it is, and its id keeps working.',
      fields: () => ['kind', 'name'],
    },
  ],
  examples: ['zones remove pull shop', 'zones remove example.net'],
  check({ kind, name }, { zones }) {
    if (name === undefined) return []
    const kinds = kind === undefined ? kindsNamed(name, zones) : [kind]
    if (kinds.length > 1) {
      const words = kinds.map((each) => KIND_WORDS[each])
      return [{ field: 'kind', problem: `${name} is the name of a ${words.join(' and of a ')}: say which kind.` }]
    }
    const [only] = kinds
    const managed = only === undefined ? undefined : managedZone(only, name, zones)
    // Somebody may have given the name before the configuration did; that one can still be taken.
    const isGivenToo = zones.some((zone) => zone.managed !== true && zone.kind === only && isSameName(zone.name, name))
    if (managed === undefined || isGivenToo) return []
    const { name: its, kind: itsKind, zoneId } = managed
    return [
      {
        field: 'name',
        problem: `${its} is the name of ${KIND_WORDS[itsKind]} ${zoneId} by the configuration: it goes when it is taken out there.`,
      },
    ]
  },
  describe: ({ kind, name }) => `Remove the name ${name}${kind === undefined ? '' : ` of a ${KIND_WORDS[kind]}`}`,
  async run({ kind, name }, { store, actor, now, command, once }) {
    const kinds = kind === undefined ? kindsNamed(name, await store.zones.list()) : [kind]
    const [only] = kinds
    // The name may have gone, or come to a second kind, since the input was checked.
    if (only === undefined || kinds.length > 1) throw notThere(name, kind, command)
    const entry = (zone: ZoneName): AuditEntry => ({
      at: now,
      actor: actor.id,
      team: actor.team,
      operation: 'zones remove',
      event: 'zone_removed',
      summary: `Removed the name ${zone.name} of ${KIND_WORDS[zone.kind]} ${zone.zoneId}`,
    })
    const removed = await store.zones.remove(only, name, entry, once)
    if (removed === undefined) throw notThere(name, only, command)
    return removed
  },
  present(zone) {
    const { kind, name, zoneId } = zone
    const said = `The name ${name} of ${KIND_WORDS[kind]} ${zoneId} is removed.`
    const next = 'The zone itself is as it was; its id works as before.'
    return {
      message: wordsMessage([md`${said}`], { small: [md`${next}`] }),
      buttons: [{ kind: 'page', label: 'Undo', operation: 'zones add', values: valuesOf(zone) }],
    }
  },
})

/** The first word may be a kind or already the name. */
function positionals({ kind }: RawValues): readonly ('kind' | 'name')[] {
  const isKind = kind === undefined || ZONE_KINDS.some((each) => each === one(kind).toLowerCase())
  return isKind ? ['kind', 'name'] : ['name']
}

function kindsNamed(name: string, zones: readonly NamedZone[]): readonly ZoneKind[] {
  return [...new Set(zones.filter((zone) => isSameName(zone.name, name)).map(({ kind }) => kind))]
}

function notThere(name: string, kind: ZoneKind | undefined, command: string): UserError {
  const what = kind === undefined ? `No single zone is named ${name}` : `No ${KIND_WORDS[kind]} is named ${name}`
  return new UserError('invalid_input', `${what}, so nothing was removed.`, `See the names: ${command} zones list`)
}

function valuesOf({ kind, name, zoneId }: ZoneName): RawValues {
  return { kind, id: zoneId, name }
}
