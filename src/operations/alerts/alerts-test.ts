import { parameterProblems, type Parameters, type TrafficKind } from '../../alerts/kinds/alert-kind.ts'
import { durationWords, quantity, severityWords } from '../../alerts/incidents/incident-words.ts'
import { findAlertKind } from '../../alerts/kinds/kinds.ts'
import type { IncidentAlert } from '../../alerts/state/incident.ts'
import { percent } from '../../block-kit/amounts.ts'
import { lineChart } from '../../block-kit/chart.ts'
import { CHART_POINTS } from '../../block-kit/limits.ts'
import {
  chartPart,
  heading,
  messageOf,
  paragraphs,
  type Part,
  smallPrint,
  tablePart,
  wordsMessage,
} from '../../block-kit/message.ts'
import { code, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { type Column, tableOf } from '../../block-kit/table.ts'
import { LOG_RETENTION_MS } from '../../cdn/contract/log-filter.ts'
import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { rawValuesFrom } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { ZoneReference } from '../declaration/field.ts'
import { required } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { readerTimes } from '../declaration/reader-times.ts'
import { instant } from '../declaration/time-field.ts'
import { zone, zoneLabel } from '../declaration/zone-field.ts'
import { firstKnown, type KnownPast, knownSince, loadPast, replay, type Replay, timesWords } from './replay.ts'
import { recommendThreshold } from './recommendation.ts'
import {
  isKindWord,
  isTriable,
  kindField,
  readKind,
  pickParameters,
  wordParameters,
  parameterWords,
  PARAMETER_FIELDS,
  listParameterFields,
} from './kind-fields.ts'

const MAX_TEST_MS = 7 * DAY_MS

export const alertsTest = defineOperation({
  name: 'alerts test',
  summary: 'Show when an alert would have fired in the last days',
  verb: 'Try on the past',
  effect: 'read',
  shareable: true,
  fields: {
    kind: required(kindField(isTriable)),
    pullZone: required(zone({ label: 'Pull zone', hint: 'The name or numeric id of a pull zone.', zoneKind: 'pull' })),
    since: instant({
      label: 'Since',
      hint: 'From when on: 2d back from now, or a time such as 2026-11-20T03:10Z; at most 7 days. Left out: 3 days.',
    }),
    ...PARAMETER_FIELDS,
  },
  positionals: (values) => (isKindWord(values) ? ['kind', 'pullZone', 'since'] : ['pullZone']),
  form: {
    title: 'Try an alert on the past',
    intro: 'What is left empty is as the kind has it. Nothing is turned on by this.',
    fields: (values) => ['kind', 'pullZone', 'since', ...listParameterFields(readKind(values))],
    redrawOn: ['kind'],
    wording: (values) => wordParameters(readKind(values)),
  },
  examples: ['alerts test origin-failing 301', 'alerts test cache-not-working shop 2d --critical 30'],
  check(input, { now }) {
    const kind = input.kind === undefined ? undefined : findAlertKind(input.kind)
    const issues = kind === undefined ? [] : parameterProblems(kind, pickParameters({ ...input, kind: kind.name }))
    const { since } = input
    if (since === undefined) return issues
    if (since >= now) return [...issues, { field: 'since', problem: 'Since lies in the future.' }]
    if (now.getTime() - since.getTime() <= MAX_TEST_MS + MINUTE_MS) return issues
    return [
      ...issues,
      { field: 'since', problem: 'Since lies more than 7 days back, which is too far: take --since 7d.' },
    ]
  },
  describe(input) {
    const words = parameterWords(input.kind, pickParameters(input))
    return `Try ${input.kind} on the past of pull zone ${zoneLabel(input.pullZone)}${words === '' ? '' : ` (${words})`}`
  },
  run({ kind, pullZone, since, ...typed }, context) {
    const from = since ?? new Date(context.now.getTime() - LOG_RETENTION_MS)
    return tryOnPast({ kind, pullZone, overrides: pickParameters({ ...typed, kind }) }, from, context)
  },
  present({ question, replay: found, past, problems, better }, _, running) {
    const { pullZone } = question
    const form = { kind: 'form', label: 'Change it', operation: 'alerts test', values: pickValues(question) } as const
    const label = better === undefined ? 'Turn it on' : `Use ${better.limit}`
    const values = pickValues({ ...question, overrides: better?.parameters ?? question.overrides })
    if (found === undefined) {
      const said = md`Nothing is known of pull zone ${zoneLabel(pullZone)} in that time, so nothing was tried.`
      const why = problems.map((problem) => md`${problem}`)
      return { message: wordsMessage([said], { small: why }), buttons: [form] }
    }
    const { kind } = found
    const title = `${kind.title}, tried on pull zone ${zoneLabel(pullZone)}`
    const chart = chartPart(drawChart(kind, past, running))
    const table = firingsTable(found, running)
    const small = [
      ...problems.map((problem) => md`:warning: ${problem}`),
      knownSince(firstKnown(past), running.now),
      code(`${running.command} alerts add ${kind.name} ${pullZone.id}${typed(question.overrides)}`),
    ]
    return {
      message: messageOf(
        heading(title),
        paragraphs(writeLead(found, past, question), better?.words),
        { blocks: [...chart.blocks, ...table.blocks], lines: [...table.lines, ...chart.lines] },
        smallPrint(...small),
      ),
      buttons: [form, { kind: 'form', label, operation: 'alerts add', values }],
    }
  },
})

async function tryOnPast(question: TestQuestion, since: Date, context: OperationContext) {
  const { pullZone, overrides: parameters } = question
  const kind = findAlertKind(question.kind)
  if (!isTriable(kind)) throw new TypeError(`${question.kind} cannot be tried on the past`)
  let past = await loadPast(pullZone.id, since, context)
  let problems: readonly string[] = []
  if (!isKnown(past)) {
    const { alerts, signal } = context
    const read = await alerts.backfill(pullZone.id, { signal, progress: (said) => context.progress(said) })
    problems = read.problems
    past = await loadPast(pullZone.id, since, context)
  }
  const [only] = isKnown(past) ? await replay([[kind, parameters]], pullZone.id, past, context) : []
  const better = only && (await recommendThreshold(only, { parameters, pullZoneId: pullZone.id, past }, context))
  return { question, replay: only, past, problems, better }
}

function isKnown({ series, from, until }: KnownPast): boolean {
  return series.total('coveredMs', from, until) > 0
}

type TestQuestion = Readonly<{ kind: string; pullZone: ZoneReference; overrides: Parameters }>

const MAX_FIRINGS = 50
const FALLBACK_ROWS = 10

function writeLead(found: Replay, past: KnownPast, { kind, overrides }: TestQuestion): Mrkdwn {
  const { firings, perWeek, covered } = found
  const long = durationWords((past.until - past.from) * MINUTE_MS)
  // One event says nothing of a week.
  const often = firings.length < 2 || perWeek === undefined ? '' : `, about ${perWeek.toFixed(1)} a week`
  const set = parameterWords(kind, overrides)
  return md`*Would ${firings.length === 0 ? 'not have fired' : `have fired ${timesWords(firings.length)}`}* in ${long}${often}. ${percent(covered)} of that time is known. ${set === '' ? 'Default limits.' : `Set: ${set}.`}`
}

/** Of each step the worst ten minutes: over hours what fires would not show. */
function drawChart(kind: TrafficKind, { series, from: begin, until }: KnownPast, { actor }: OperationContext) {
  const times = readerTimes(actor.timeZone)
  const isShare = kind.unit === 'share'
  const scaled = (value: number): number => Math.round(value * (isShare ? 100 : 1) * 1_000) / 1_000
  const step = STEPS_MINUTES.find((minutes) => minutes * (CHART_POINTS - 1) >= until - begin) ?? DAY_MINUTES / 2
  const first = Math.floor(begin / step) * step
  const points = Array.from({ length: CHART_POINTS }, (_, index) => first + index * step).flatMap((from) => {
    const parts = Array.from({ length: step / POINT_MINUTES }, (_, index) => from + index * POINT_MINUTES).filter(
      (at) => at + POINT_MINUTES > begin && at < until,
    )
    const values = parts.flatMap(
      (at) => kind.value(series, Math.max(at, begin), Math.min(at + POINT_MINUTES, until)) ?? [],
    )
    const value = values.length === 0 ? undefined : kind.falls === true ? Math.min(...values) : Math.max(...values)
    const label = times.format(new Date(from * MINUTE_MS)).slice(5, 16)
    return value === undefined ? [] : [{ label, value: scaled(value) }]
  })
  return lineChart({
    title: kind.title,
    xLabel: `Time (${times.zone}), worst ${POINT_MINUTES} min of each ${durationWords(step * MINUTE_MS)}`,
    yLabel: isShare ? '%' : kind.unit,
    series: [{ name: kind.title, points }],
  })
}

const POINT_MINUTES = 10
const STEPS_MINUTES = [10, 20, 30, 60, 120, 180, 240, 360] as const

function firingsTable({ kind, firings }: Replay, { actor }: OperationContext): Part {
  if (firings.length === 0) return { blocks: [], lines: [] }
  const times = readerTimes(actor.timeZone)
  const at = (ms: number): string => times.format(new Date(ms)).slice(0, 16)
  const columns: readonly Column<IncidentAlert>[] = [
    ['From', ({ firedMs }) => at(firedMs)],
    ['To', ({ endedMs }) => (endedMs === undefined ? 'not yet' : at(endedMs))],
    ['For', ({ firedMs, endedMs }) => (endedMs === undefined ? undefined : durationWords(endedMs - firedMs))],
    ['Severity', ({ severity }) => severityWords(severity)],
    ['Worst', ({ peak }) => (peak === undefined ? undefined : quantity(peak, kind.unit))],
  ]
  const listed = firings.slice(-MAX_FIRINGS).toReversed()
  const left = firings.length - listed.length
  const table = tableOf('When it would have fired, newest first', columns, listed, 10)
  const notes = smallPrint(md`Times are in ${times.zone}.`, left > 0 && md`${left} earlier times are not listed.`)
  const { blocks, lines } = tablePart(table, FALLBACK_ROWS)
  return { blocks: [...blocks, ...notes.blocks], lines: [...lines, ...notes.lines] }
}

function pickValues({ kind, pullZone, overrides }: TestQuestion): RawValues {
  return { kind, pullZone: String(pullZone.id), ...rawValuesFrom(overrides) }
}

function typed(overrides: Parameters): string {
  return Object.entries(overrides)
    .map(([name, value]) => ` --${name} ${value}`)
    .join('')
}
