import type { TrafficKind } from '../../alerts/alert-kind.ts'
import { alertKind } from '../../alerts/kinds.ts'
import type { MinuteSeries } from '../../alerts/minute-series.ts'
import { COLUMN, MINUTE_MS } from '../../alerts/traffic.ts'
import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import { MINUTE_RETENTION_MS } from '../../store/minute-counts.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { DAY_MS, instant } from '../time-field.ts'
import { zone, zoneLabel } from '../zone-field.ts'
import {
  kindField,
  kindIn,
  PARAMETER_FIELDS,
  parameterFieldsOf,
  parameterIssues,
  parametersIn,
  parameterWords,
  parameterWording,
} from './kind-fields.ts'
import { pastOf, replay, type Tested } from './replay.ts'
import { testAnswer } from './test-answer.ts'

/** Longer takes the program's whole attention for too long. */
const MAX_TEST_MS = 7 * DAY_MS

/** `alerts test`: when an alert would have fired, with what it says now or with other parameters. */
export const alertsTest = defineOperation({
  name: 'alerts test',
  summary: 'Show when an alert would have fired in the last days',
  verb: 'Try on the past',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields: {
    kind: required(kindField('Kind', (kind) => kind.subject === 'pull' && kind.name !== 'poller-health')),
    pullZone: required(zone({ label: 'Pull zone', hint: 'The name or numeric id of a pull zone.', zoneKind: 'pull' })),
    since: instant({
      label: 'Since',
      hint: 'From when on: 2d back from now, or a time such as 2026-11-20T03:10Z; at most 7 days. Left out: 3 days.',
    }),
    ...PARAMETER_FIELDS,
  },
  positionals: ['kind', 'pullZone'],
  form: [
    {
      title: 'Try an alert on the past',
      intro: 'What is left empty is as the kind has it. Nothing is turned on by this.',
      fields: (values) => ['kind', 'pullZone', 'since', ...parameterFieldsOf(kindIn(values))],
      redrawOn: ['kind'],
      wording: (values) => parameterWording(kindIn(values)),
    },
  ],
  examples: ['alerts test stale-share 301', 'alerts test hit-ratio-drop shop --since 2d --critical 30'],
  check(input, { now }) {
    const kind = input.kind === undefined ? undefined : alertKind(input.kind)
    const issues = kind === undefined ? [] : parameterIssues(kind, parametersIn(input))
    const { since } = input
    if (since === undefined) return issues
    if (since >= now) return [...issues, { field: 'since', problem: 'Since lies in the future.' }]
    if (now.getTime() - since.getTime() <= MAX_TEST_MS + MINUTE_MS) return issues
    const kept = MINUTE_RETENTION_MS / DAY_MS
    return [
      ...issues,
      {
        field: 'since',
        problem: `Since lies more than 7 days back. Minutes are kept for ${kept} days, and 7 are tried at once.`,
      },
    ]
  },
  describe(input) {
    const words = parameterWords(parametersIn(input))
    return `Try ${input.kind} on the past of pull zone ${zoneLabel(input.pullZone)}${words === '' ? '' : ` (${words})`}`
  },
  async run(input, context): Promise<Tested> {
    const { pullZone, since = new Date(context.now.getTime() - LOG_RETENTION_MS) } = input
    const kind = trafficKind(input.kind)
    const stored = await pastOf(pullZone.id, since, context)
    if (isKnown(stored)) return tested(kind, stored)
    const { problems } = await context.alerts.readBack(pullZone.id, {
      signal: context.signal,
      progress: ({ sentence }) => context.progress(sentence),
    })
    const read = await pastOf(pullZone.id, since, context)
    return isKnown(read) ? tested(kind, read, problems) : { replay: undefined, series: read, problems }

    async function tested(of: TrafficKind, series: MinuteSeries, told: readonly string[] = []): Promise<Tested> {
      const [only] = await replay([[of, parametersIn(input)]], pullZone.id, series, context)
      return { replay: only, series, problems: told }
    }
  },
  present: (result, input, context) =>
    testAnswer(result, { kind: input.kind, pullZone: input.pullZone, overrides: parametersIn(input) }, context),
})

function isKnown(series: MinuteSeries): boolean {
  return series.total(COLUMN.coveredMs, series.from, series.until) > 0
}

function trafficKind(name: string): TrafficKind {
  const kind = alertKind(name)
  if (kind?.subject === 'pull') return kind
  throw new TypeError(`${name} does not look at a pull zone`)
}
