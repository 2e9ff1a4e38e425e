import { messageOf, paragraphs, smallPrint, tablePart, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, md } from '../../block-kit/mrkdwn.ts'
import type { Table } from '../../block-kit/table.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import { subjectCell, zoneOfSubject } from '../alerts/alert-subjects.ts'
import { watchedZones } from '../alerts/watch-set.ts'
import { type Answer, pageButton } from '../answer.ts'
import { counted } from '../../block-kit/amounts.ts'
import { defineOperation } from '../define-operation.ts'
import type { OperationContext } from '../operation.ts'
import { zone, zoneLabel } from '../zone-field.ts'
import { newZones } from '../alerts/replay.ts'
import { measuresOf, unwatchedStatus, watchedStatus, type ZoneStatus } from './status-reading.ts'
import { measureWords, statusAnswer } from './status-answer.ts'

type Status = { readonly one: ZoneStatus } | { readonly all: Overview }

export const status = defineOperation({
  name: 'status',
  summary: 'Show how a pull zone does now, or all that are watched',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
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
  async run({ pullZone }, running): Promise<Status> {
    if (pullZone === undefined) return { all: await readOverview(running) }
    const trust = await running.alerts.trust(pullZone.id)
    const one =
      trust === undefined
        ? await unwatchedStatus(pullZone.id, running)
        : await watchedStatus(pullZone.id, trust, running)
    return { one }
  },
  present(found, { pullZone }, running) {
    if ('all' in found) return overviewAnswer(found.all, running)
    if (pullZone === undefined) throw new TypeError('The status of no zone was read')
    return statusAnswer(found.one, pullZone, running)
  },
})

/** More lines than this are no overview. */
const MAX_ZONES = 40
const MINUTES = 5
const TWIN_ROWS = 20

interface Overview {
  readonly zones: readonly (readonly [subject: string, status: ZoneStatus | undefined])[]
  readonly total: number
}

async function readOverview(running: OperationContext): Promise<Overview> {
  const subjects = watchedZones(await running.store.alertRules.list())
  const zones: [string, ZoneStatus | undefined][] = []
  for (const subject of subjects.slice(0, MAX_ZONES)) {
    const zone = zoneOfSubject(subject)
    const trust = zone && (await running.alerts.trust(zone.id))
    zones.push([subject, zone && trust && (await watchedStatus(zone.id, trust, running))])
  }
  return { zones, total: subjects.length }
}

function overviewAnswer({ zones, total }: Overview, { command, zones: names, now }: OperationContext): Answer {
  if (total === 0) {
    const said = md`*No pull zone is watched yet.* ${code(`${command} alerts watch <pull-zone>`)} begins; ${code(`${command} status <pull-zone>`)} looks at any.`
    return {
      message: wordsMessage([said]),
      buttons: [{ kind: 'form', label: 'Watch a zone', operation: 'alerts watch', values: {} }],
    }
  }
  const trouble = zones.filter(([, status]) => (status?.incidents.length ?? 0) > 0).length
  const title = md`*${counted(total, 'pull zone')} watched, ${trouble === 0 ? 'no alert fires' : `${trouble} with alerts that fire`}.*`
  const table: Table = {
    caption: `The last ${MINUTES} minutes of each zone`,
    columns: ['Zone', 'Alerts', 'Hit ratio', 'STALE', '5xx', 'Requests a minute', 'Reading'].map((name) => ({
      title: name,
      kind: 'text',
    })),
    rows: zones.map(([subject, status]) => [subjectCell(subject, names), ...cellsOf(status)]),
    pageSize: TWIN_ROWS,
  }
  const newest = zones.reduce((latest, [, status]) => Math.max(latest, status?.at ?? 0), 0)
  const notes = [
    ...(newest > 0 ? [md`As of ${dateTime(new Date(newest * MINUTE_MS))} at the latest.`] : []),
    ...newZones(
      zones.map(([, status]) => status?.knownFrom),
      now,
    ),
    ...(zones.length < total ? [md`The first ${zones.length} are shown; any other by its name.`] : []),
  ]
  return {
    message: messageOf(paragraphs(title), tablePart(table, TWIN_ROWS), smallPrint(...notes)),
    buttons: [pageButton('Refresh', {})],
  }
}

function cellsOf(status: ZoneStatus | undefined): readonly (string | undefined)[] {
  if (status === undefined) return [undefined, undefined, undefined, undefined, undefined, 'begins within minutes']
  const measures = measuresOf(status.series, status.at - MINUTES, status.at)
  const { failure, behindMinutes = 0 } = status.trust ?? {}
  const reading = failure?.cause ?? (behindMinutes > 0 ? `${counted(behindMinutes, 'minute')} behind` : 'fine')
  const alerts = status.incidents.length === 0 ? 'none' : `${status.incidents.length} firing`
  return [
    alerts,
    ...(['hitRatio', 'stale', 'errors', 'rate'] as const).map((name) => measureWords(name, measures)),
    reading,
  ]
}
