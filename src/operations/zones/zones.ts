import { auditEntry, type Issue } from '../declaration/operation.ts'
import { choice } from '../declaration/choice-field.ts'
import type { NamedZone } from '../declaration/field.ts'
import { checked, id, one, readId, required, text } from '../declaration/fields.ts'
import { sentenceStart } from '../declaration/prompt-words.ts'
import { MAX_ZONE_NAMES, type ZoneName } from '../../store/zone-names.ts'
import { ZONE_KINDS, type ZoneKind } from '../../store/schema/tables.ts'
import { messageOf, paragraphs, smallPrint, tablePart, wordsMessage } from '../../block-kit/message.ts'
import { type Column, tableOf } from '../../block-kit/table.ts'
import { link, md, openInPanel } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import { type AnswerButton, pageButton } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { AuditEntry } from '../../store/schema/audit-entry.ts'
import { counted } from '../../block-kit/amounts.ts'
import { zonesNamed } from '../declaration/zone-field.ts'

const KIND_WORDS: Readonly<Record<ZoneKind, string>> = { pull: 'pull zone', storage: 'storage zone', dns: 'DNS zone' }

const MAX_NAME_CHARACTERS = 40
const NAME = /^[a-z0-9][a-z0-9._-]*$/i

const zoneKind = choice({
  label: 'Kind',
  hint: 'What the name stands for: a pull zone, a storage zone or a DNS zone.',
  choices: ZONE_KINDS.map((value) => ({ value, label: sentenceStart(KIND_WORDS[value]) })),
})

/** A name that can be typed wherever an id can, so it must never look like an id or a flag. */
export const zoneName = checked(
  text({
    label: 'Name',
    hint: `Letters, digits, points, hyphens and underscores, beginning with a letter or digit; not only digits; at most ${MAX_NAME_CHARACTERS}.`,
    maxLength: MAX_NAME_CHARACTERS,
  }),
  (name) => {
    if (!NAME.test(name)) {
      return 'A name is made of letters, digits, points, hyphens and underscores, and begins with a letter or digit.'
    }
    return /^\d+$/.test(name) ? 'A name cannot be digits only: it would be taken for an id.' : undefined
  },
)

/** The zone to which the configuration gives this name, if it does: no command gives or takes a name that is there. */
function managedZone(kind: ZoneKind, name: string, zones: readonly NamedZone[]): NamedZone | undefined {
  return zonesNamed(name, zones).find((zone) => zone.managed === true && zone.kind === kind)
}

function managedIssue({ kind, name, zoneId }: NamedZone, next: string): Issue {
  return { field: 'name', problem: `${name} is the name of ${KIND_WORDS[kind]} ${zoneId} by the configuration${next}` }
}

export const zonesAdd = defineOperation({
  name: 'zones add',
  summary: 'Give a zone a name that can be used in place of its id',
  verb: 'Add name',
  effect: 'write to the bot',
  undoable: true,
  fields: {
    kind: required(zoneKind),
    id: required(id({ label: 'Zone id', hint: "The number in the zone's address in the CDN's panel." })),
    name: required(zoneName),
  },
  // The name may come before the id.
  positionals({ id: typed, name }) {
    if (typed === undefined) return name === undefined ? ['kind', 'id', 'name'] : ['kind', 'name', 'id']
    return readId(one(typed)) === undefined ? ['kind', 'name'] : ['kind', 'id', 'name']
  },
  form: {
    title: 'Name a zone',
    intro: 'The name can then be typed wherever the id can, and forms offer it.',
    fields: () => ['kind', 'id', 'name'],
  },
  examples: ['zones add pull 123456 shop', 'zones add dns 7890 example.net'],
  check({ kind, name }, { zones }) {
    const managed = kind === undefined || name === undefined ? undefined : managedZone(kind, name, zones)
    return managed === undefined ? [] : [managedIssue(managed, ', which no command changes. Take another name.')]
  },
  describe: ({ kind, id: zoneId, name }) => `Name ${KIND_WORDS[kind]} ${zoneId} ${name}`,
  async run({ kind, id: zoneId, name }, { store, actor, now, command, once }) {
    const zone: ZoneName = { kind, name, zoneId: String(zoneId), addedBy: actor.id, addedAt: now }
    const summary = `Named ${KIND_WORDS[kind]} ${zoneId} ${name}`
    const entry = auditEntry('zone_added', 'zones add', summary, { actor, now })
    const added = await store.zones.add(zone, entry, once)
    if (added === 'added') return { zone, already: false }
    if (added === 'full') {
      throw new UserError('busy', `There are ${MAX_ZONE_NAMES} names already, so none was added.`, 'Remove one first.')
    }
    const { existing } = added
    if (existing.zoneId === zone.zoneId) return { zone: existing, already: true }
    const why = `The name ${existing.name} already belongs to ${KIND_WORDS[kind]} ${existing.zoneId}. Nothing was changed.`
    const next = `Take another name, or remove that one first: ${command} zones remove ${kind} ${existing.name}`
    throw new UserError('invalid_input', why, next)
  },
  present({ zone: { kind, name, zoneId }, already }, _, { command, panel }) {
    const zone = `${KIND_WORDS[kind]} ${zoneId}`
    if (already) return { message: wordsMessage([md`${name} is already the name of ${zone}. Nothing was changed.`]) }
    const next = md`It can be typed wherever the id can: ${command} ${EXAMPLES[kind]} ${name}`
    return {
      message: wordsMessage([md`*${name}* is now the name of ${zone}.`], {
        small: [next, ...openInPanel(panel(`${kind}-zone`, BigInt(zoneId)))],
      }),
      buttons: [{ kind: 'page', label: 'Undo', operation: 'zones remove', values: { kind, name } }],
    }
  },
})

const EXAMPLES = { pull: 'logs', storage: 'storage stats', dns: 'dns add' } as const

export const zonesRemove = defineOperation({
  name: 'zones remove',
  summary: 'Take a name from a zone; the zone itself is not touched',
  verb: 'Remove name',
  effect: 'write to the bot',
  undoable: true,
  fields: { kind: zoneKind, name: required(zoneName) },
  // The first word may be a kind or already the name.
  positionals({ kind }) {
    const isKind = kind === undefined || ZONE_KINDS.some((each) => each === one(kind).toLowerCase())
    return isKind ? ['kind', 'name'] : ['name']
  },
  form: {
    title: 'Remove a name',
    intro: 'Only the name goes. The zone stays as it is, and its id keeps working.',
    fields: () => ['kind', 'name'],
  },
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
    const isGivenToo = zonesNamed(name, zones).some((zone) => zone.managed !== true && zone.kind === only)
    if (managed === undefined || isGivenToo) return []
    return [managedIssue(managed, ': it goes when it is taken out there.')]
  },
  describe: ({ kind, name }) => `Remove the name ${name}${kind === undefined ? '' : ` of a ${KIND_WORDS[kind]}`}`,
  async run({ kind, name }, { store, actor, now, command, once }) {
    const kinds = kind === undefined ? kindsNamed(name, await store.zones.list()) : [kind]
    const [only] = kinds
    // The name may have gone, or come to a second kind, since the input was checked.
    if (only === undefined || kinds.length > 1) throw noSuchName(name, kind, command)
    const entry = (zone: ZoneName): AuditEntry => {
      const summary = `Removed the name ${zone.name} of ${KIND_WORDS[zone.kind]} ${zone.zoneId}`
      return auditEntry('zone_removed', 'zones remove', summary, { actor, now })
    }
    const removed = await store.zones.remove(only, name, entry, once)
    if (removed === undefined) throw noSuchName(name, only, command)
    return removed
  },
  present({ kind, name, zoneId }, _, { panel }) {
    const removed = md`The name ${name} of ${KIND_WORDS[kind]} ${zoneId} is removed.`
    const as = md`The zone itself is as it was; its id works as before.`
    return {
      message: wordsMessage([removed], { small: [as, ...openInPanel(panel(`${kind}-zone`, BigInt(zoneId)))] }),
      buttons: [{ kind: 'page', label: 'Undo', operation: 'zones add', values: { kind, id: zoneId, name } }],
    }
  },
})

function kindsNamed(name: string, zones: readonly NamedZone[]): readonly ZoneKind[] {
  return [...new Set(zonesNamed(name, zones).map(({ kind }) => kind))]
}

function noSuchName(name: string, kind: ZoneKind | undefined, command: string): UserError {
  const what = kind === undefined ? `No single zone is named ${name}` : `No ${KIND_WORDS[kind]} is named ${name}`
  return new UserError('invalid_input', `${what}, so nothing was removed.`, `See the names: ${command} zones list`)
}

export const zonesList = defineOperation({
  name: 'zones list',
  aliases: ['zones'],
  summary: 'List the names given to zones',
  effect: 'read',
  fields: { kind: zoneKind },
  positionals: ['kind'],
  examples: ['zones list', 'zones list pull'],
  describe: ({ kind }) => `List the names given to ${kind === undefined ? 'zones' : `${KIND_WORDS[kind]}s`}`,
  run: async ({ kind }, { zones }) => zones.filter((zone) => kind === undefined || zone.kind === kind),
  present(names, { kind }, { catalog, panel }) {
    const what = kind === undefined ? 'zone' : KIND_WORDS[kind]
    const mayName = catalog.some(({ operation, decision }) => operation === zonesAdd && decision.kind !== 'deny')
    const naming = mayName ? [NAME_ONE] : []
    if (names.length === 0) {
      const none = md`*No ${what} has a name yet.* A name can be typed wherever an id can, and forms offer it.`
      return { message: wordsMessage([none]), buttons: naming }
    }
    const columns: readonly Column<NamedZone>[] = [
      ['Name', ({ name }) => name],
      ['Kind', (zone) => KIND_WORDS[zone.kind]],
      ['Id', ({ zoneId }) => zoneId],
      ['Named in', (zone) => describeNaming(zone, names)],
    ]
    const part = tablePart(tableOf(`Names of ${what}s`, columns, names, PAGE_ROWS), PAGE_ROWS)
    const { kept, total } = part
    const place = panel('dns-zone')
    const rest = md`Zones without a name are not listed: they are in ${place ? link(place, 'the panel') : 'the panel'}, and are typed by their id.`
    const others =
      kind === undefined ? 'List one kind to see the others.' : 'A menu of zones in a form finds the others.'
    const kinds = kind === undefined ? ZONE_KINDS.filter((each) => names.some((zone) => zone.kind === each)) : []
    const onlyOne = kinds.length < 2 ? [] : kinds.map((each) => pageButton(`Only ${KIND_WORDS[each]}s`, { kind: each }))
    return {
      message: messageOf(
        paragraphs(md`*${counted(total, 'name')} of ${what}s.*`),
        part,
        smallPrint(kept < total && md`The table shows the first ${kept}. ${others}`, rest),
      ),
      buttons: [...onlyOne, ...naming],
    }
  },
})

const PAGE_ROWS = 20
const NAME_ONE: AnswerButton = { kind: 'form', label: 'Name a zone', operation: 'zones add', values: {} }

function describeNaming({ kind, name, managed }: NamedZone, names: readonly NamedZone[]): string {
  if (managed === true) return 'the configuration'
  return managedZone(kind, name, names) === undefined ? 'Slack' : 'Slack, but the configuration goes first'
}
