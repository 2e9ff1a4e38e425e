import { heading, messageOf, paragraphs, smallPrint, tablePart } from '../../block-kit/message.ts'
import { code, dateTime, md } from '../../block-kit/mrkdwn.ts'
import { type Column, tableOf } from '../../block-kit/table.ts'
import { firingFirst, pullSubject } from '../../alerts/state/rule-subjects.ts'
import { subjectCell, zoneOfSubject, watchedZones } from '../alerts/watch-set.ts'
import { type Answer, pageButton } from '../declaration/answer.ts'
import { counted } from '../../block-kit/amounts.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import type { NamedZone, ZoneReference } from '../declaration/field.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { zone, zoneLabel, zonesLabel, zoneTitle } from '../declaration/zone-field.ts'
import { newZones } from '../alerts/replay.ts'
import { formatMeasure, measure, MEASURES, unwatchedStatus, watchedStatus, type ZoneStatus } from './status-reading.ts'
import { incidentLine, knownUntil, statusAnswer, verdict } from './zone-status.ts'

export const status = defineOperation({
  name: 'status',
  aliases: ['health', 'status all', 'firing', 'alerts firing', 'alerts open'],
  summary: 'Show how a pull zone does now, or all that are watched',
  question: 'Is it healthy?',
  effect: 'read',
  shareable: true,
  fields: {
    pullZone: zone({
      label: 'Pull zone',
      hint: 'The name or numeric id of a pull zone; all that are watched when left out.',
      zoneKind: 'pull',
    }),
  },
  positionals: ['pullZone'],
  examples: ['status', 'status 301'],
  describe: ({ pullZone }) =>
    pullZone === undefined ? 'Show how all watched zones do' : `Show how pull zone ${zoneLabel(pullZone)} does`,
  async run({ pullZone }, running) {
    if (pullZone === undefined) return overviewAnswer(await readOverview(running), running)
    const { id } = pullZone
    const trust = await running.alerts.trust(id)
    const read = trust === undefined ? unwatchedStatus(id, running) : watchedStatus(id, trust, running)
    return statusAnswer(await read, pullZone, running)
  },
  present: (answer) => answer,
})

const MAX_ZONES = 40
const MAX_OPEN_INCIDENTS = 200
const MINUTES = 5
const FALLBACK_TEXT_ROWS = 20

type ZoneRow = readonly [subject: string, status: ZoneStatus | undefined]

/** `looked`: where none is watched, how the first named ones do; undefined for one whose log could not be read. */
type Overview = Awaited<ReturnType<typeof readOverview>>

async function readOverview(running: OperationContext) {
  const { alertRules, alerts } = running.store
  const open = await alerts.incidents({ open: true, limit: MAX_OPEN_INCIDENTS })
  const subjects = firingFirst(watchedZones(await alertRules.list()), open)
  const zones: ZoneRow[] = []
  for (const subject of subjects.slice(0, MAX_ZONES)) {
    const zone = zoneOfSubject(subject)
    const trust = zone && (await running.alerts.trust(zone.id))
    zones.push([subject, zone && trust && (await watchedStatus(zone.id, trust, running))])
  }
  const unwatched = running.zones.filter(
    ({ kind, zoneId }) => kind === 'pull' && !subjects.includes(pullSubject(zoneId)),
  )
  const looked = subjects.length > 0 ? [] : unwatched.slice(0, MAX_LOOKS).map((zone) => lookAt(zone, running))
  return { zones, total: subjects.length, unwatched, looked: await Promise.all(looked) }
}

async function lookAt({ zoneId, name }: NamedZone, running: OperationContext) {
  const zone: ZoneReference = { id: BigInt(zoneId), name }
  const found = await unwatchedStatus(zone.id, running).catch((error: unknown) => {
    if (error instanceof CdnError) return undefined
    throw error
  })
  return [zone, found] as const
}

const [MAX_LOOKS, MAX_FILLED_IN] = [3, 20]

function overviewAnswer({ zones, total, unwatched, looked }: Overview, running: OperationContext): Answer {
  const { command, zones: names, now } = running
  const pullZone = unwatched.slice(0, MAX_FILLED_IN).map(({ name }) => name)
  const watch = { kind: 'form', label: 'Watch …', operation: 'alerts watch', values: { pullZone } } as const
  const left = unwatched.map(({ zoneId, name }) => ({ id: BigInt(zoneId), name }))
  const note = left.length > 0 && md`Not watched: ${counted(left.length, 'named pull zone')}, ${zonesLabel(left)}.`
  const known = [...zones, ...looked].flatMap(([, status]) => status ?? [])
  const asOf = known.length > 0 && md`As of ${dateTime(knownUntil(known))}`
  if (total === 0) {
    const said = md`*No pull zone is watched yet.* ${code(`${command} alerts watch <pull-zone>`)} begins; ${code(`${command} status <pull-zone>`)} looks at any.`
    const looks = looked.map(([{ id, name }]) => {
      return { ...pageButton(`Status of ${name}`, { pullZone: String(id) }), beside: true }
    })
    const verdicts = looked.map(([zone, found]) =>
      found === undefined
        ? md`⚪ ${zoneTitle(zone, 'Pull')}: its log could not be read`
        : md`${verdict(found, zoneTitle(zone, 'Pull'))}`,
    )
    return { message: messageOf(paragraphs(...verdicts, said), smallPrint(asOf, note)), buttons: [watch, ...looks] }
  }
  const firing = (status: ZoneStatus | undefined): number => status?.incidents.length ?? 0
  const trouble = zones.filter(([, status]) => firing(status) > 0).length
  const title =
    trouble === 0
      ? `🟢 No alerts for ${counted(total, 'watched pull zone')}`
      : `🔴 ${trouble} of ${counted(total, 'watched pull zone')} in trouble`
  const worstFirst = zones.toSorted(([, one], [, other]) => firing(other) - firing(one))
  const lines = worstFirst.flatMap(([subject, status]) =>
    (status?.incidents ?? []).map((incident) => md`${subjectCell(subject, names)}: ${incidentLine(incident)}`),
  )
  const caption = `The last ${MINUTES} minutes of each zone`
  const table = tablePart(tableOf(caption, overviewColumns(names), worstFirst, FALLBACK_TEXT_ROWS), FALLBACK_TEXT_ROWS)
  const knownFrom = zones.map(([, status]) => status?.knownFrom)
  const cut = zones.length < total && md`The first ${zones.length} are shown; any other by its name.`
  const notes = smallPrint(trouble === 0 && asOf, newZones(knownFrom, now), note, cut)
  return {
    message: messageOf(heading(title), paragraphs(...lines), table, notes),
    buttons: [pageButton('Refresh', {}), ...(left.length > 0 ? [watch] : [])],
  }
}

function overviewColumns(names: readonly NamedZone[]): readonly Column<ZoneRow>[] {
  const measured = (['hitRatio', 'stale', 'errors', 'rate'] as const).map((name): Column<ZoneRow> => [
    MEASURES[name],
    ([, status]) => status && formatMeasure(name, measure(status.series, status.at - MINUTES, status.at)),
  ])
  return [
    ['Zone', ([subject]) => subjectCell(subject, names)],
    [
      'Alerts',
      ([, status]) => status && (status.incidents.length === 0 ? 'none' : `${status.incidents.length} firing`),
    ],
    ...measured,
    ['Reading', ([, status]) => describeReading(status)],
  ]
}

function describeReading(status: ZoneStatus | undefined): string {
  if (status === undefined) return 'begins within minutes'
  const { failure, behindMinutes = 0 } = status.trust ?? {}
  return failure?.cause ?? (behindMinutes > 0 ? `${counted(behindMinutes, 'minute')} behind` : 'fine')
}
