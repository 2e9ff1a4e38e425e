import { wordsMessage } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import { MAX_ZONE_NAMES, type ZoneName } from '../../store/zone-names.ts'
import type { Answer } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import { id, required } from '../fields.ts'
import { KIND_WORDS, managedZone, zoneKind, zoneName } from './zone-name-fields.ts'

/** `zones add`: a name for a zone's id, for everybody and wherever an id is asked for. */
export const zonesAdd = defineOperation({
  name: 'zones add',
  summary: 'Give a zone a name that can be used in place of its id',
  verb: 'Add name',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
  undoable: true,
  fields: {
    kind: required(zoneKind),
    id: required(id({ label: 'Zone id', hint: 'The number the platform gave the zone.' })),
    name: required(zoneName),
  },
  positionals: ['kind', 'id', 'name'],
  form: [
    {
      title: 'Name a zone',
      intro: 'The name can then be typed wherever the id can, and forms offer it. The platform itself is not told.',
      fields: () => ['kind', 'id', 'name'],
    },
  ],
  examples: ['zones add pull 123456 shop', 'zones add dns 7890 example.net'],
  check({ kind, name }, { zones }) {
    const managed = kind === undefined || name === undefined ? undefined : managedZone(kind, name, zones)
    if (managed === undefined) return []
    const { name: taken, kind: itsKind, zoneId } = managed
    return [
      {
        field: 'name',
        problem: `${taken} is the name of ${KIND_WORDS[itsKind]} ${zoneId} by the configuration, which no command changes. Take another name.`,
      },
    ]
  },
  describe: ({ kind, id: zoneId, name }) => `Name ${KIND_WORDS[kind]} ${zoneId} ${name}`,
  async run({ kind, id: zoneId, name }, { store, actor, now, command, once }) {
    const zone: ZoneName = { kind, name, zoneId: String(zoneId), addedBy: actor.id, addedAt: now }
    const summary = `Named ${KIND_WORDS[kind]} ${zoneId} ${name}`
    const entry = {
      at: now,
      actor: actor.id,
      team: actor.team,
      operation: 'zones add',
      event: 'zone_added',
      summary,
    } as const
    const added = await store.zones.add(zone, entry, once)
    if (added === 'added') return { zone, already: false }
    if (added === 'full') {
      throw new UserError('busy', `There are ${MAX_ZONE_NAMES} names already, so none was added.`, 'Remove one first.')
    }
    const { existing } = added
    if (existing.zoneId === zone.zoneId) return { zone: existing, already: true }
    throw new UserError(
      'invalid_input',
      `The name ${existing.name} already belongs to ${KIND_WORDS[kind]} ${existing.zoneId}. Nothing was changed.`,
      `Take another name, or remove that one first: ${command} zones remove ${kind} ${existing.name}`,
    )
  },
  present: ({ zone, already }, _, { command }): Answer => addedAnswer(zone, already, command),
})

function addedAnswer({ kind, name, zoneId }: ZoneName, already: boolean, command: string): Answer {
  const words = `${KIND_WORDS[kind]} ${zoneId}`
  if (already) {
    const said = `${name} is already the name of ${words}. Nothing was changed.`
    return { message: wordsMessage([md`${said}`]) }
  }
  const next = `It can be typed wherever the id can: ${command} ${EXAMPLES[kind]} ${name}`
  return {
    message: wordsMessage([md`*${name}* is now the name of ${words}.`], { small: [md`${next}`] }),
    buttons: [{ kind: 'page', label: 'Undo', operation: 'zones remove', values: { kind, name } }],
  }
}

const EXAMPLES = { pull: 'logs', storage: 'storage stats', dns: 'dns add' } as const
