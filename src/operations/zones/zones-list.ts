import { count } from '../../block-kit/amounts.ts'
import { message } from '../../block-kit/message.ts'
import { md, utcText } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { fitTable, tableText, type Table } from '../../block-kit/table.ts'
import { ZONE_KINDS, type ZoneKind, type ZoneName } from '../../store/zone-names.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import type { NamedZone } from '../field.ts'
import { isSameName, KIND_WORDS, managedZone, zoneKind } from './zone-name-fields.ts'

/** `zones list`: every name with the zone it stands for. */
export const zonesList = defineOperation({
  name: 'zones list',
  aliases: ['zones'],
  summary: 'List the names given to zones',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: false,
  fields: { kind: zoneKind },
  positionals: ['kind'],
  examples: ['zones list', 'zones list pull'],
  describe: ({ kind }) => `List the names given to ${kind === undefined ? 'zones' : `${KIND_WORDS[kind]}s`}`,
  async run({ kind }, { store, zones }): Promise<readonly ListedZone[]> {
    const given = await store.zones.list()
    return zones
      .filter((zone) => kind === undefined || zone.kind === kind)
      .map((zone) => ({ ...zone, addedAt: zone.managed === true ? undefined : givenAs(zone, given)?.addedAt }))
  },
  present: (names, { kind }): Answer => listAnswer(names, kind),
})

/** A name, and since when it has been there if somebody gave it. */
interface ListedZone extends NamedZone {
  readonly addedAt: Date | undefined
}

function givenAs({ kind, name }: NamedZone, given: readonly ZoneName[]): ZoneName | undefined {
  return given.find((zone) => zone.kind === kind && isSameName(zone.name, name))
}

const TWIN_ROWS = 40
const PAGE_ROWS = 20
const NAME_ONE: AnswerButton = { kind: 'form', label: 'Name a zone', operation: 'zones add', values: {} }

function listAnswer(names: readonly ListedZone[], kind: ZoneKind | undefined): Answer {
  const what = kind === undefined ? 'zone' : KIND_WORDS[kind]
  if (names.length === 0) {
    const said = `No ${what} has a name yet.`
    const next = 'A name can be typed wherever an id can, and forms offer it.'
    return {
      message: message({ text: `${said} ${next}`, blocks: [section(md`*${said}* ${next}`)] }),
      buttons: [NAME_ONE],
    }
  }
  const table: Table = {
    caption: `Names of ${what}s`,
    columns: [
      { title: 'Name', kind: 'text' },
      { title: 'Kind', kind: 'text' },
      { title: 'Id', kind: 'text' },
      { title: 'Named', kind: 'text' },
    ],
    rows: names.map((zone) => [zone.name, KIND_WORDS[zone.kind], zone.zoneId, namedWords(zone, names)]),
    pageSize: PAGE_ROWS,
  }
  const { block, kept, total } = fitTable(table)
  const title = `${count(total)} ${total === 1 ? 'name' : 'names'} of ${what}s.`
  const cut = kept < total ? [context(md`The table shows the first ${kept}. List one kind to see the others.`)] : []
  const kinds = kind === undefined ? ZONE_KINDS.filter((each) => names.some((zone) => zone.kind === each)) : []
  return {
    message: message({
      text: `${title}\n${tableText(table, TWIN_ROWS)}`,
      blocks: [section(md`*${title}*`), block, ...cut],
    }),
    buttons: [...(kinds.length > 1 ? kinds.map(onlyKind) : []), NAME_ONE],
  }
}

function namedWords({ kind, name, managed, addedAt }: ListedZone, names: readonly ListedZone[]): string | undefined {
  if (managed === true) return 'from the configuration'
  if (addedAt === undefined) return undefined
  return managedZone(kind, name, names) === undefined
    ? utcText(addedAt)
    : `${utcText(addedAt)}, but the configuration goes first`
}

function onlyKind(kind: ZoneKind): AnswerButton {
  return { kind: 'page', label: `Only ${KIND_WORDS[kind]}s`, values: { kind } }
}
