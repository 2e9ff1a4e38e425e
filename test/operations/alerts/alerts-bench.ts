import type { AlertService } from '../../../src/alerts/watch/scheduler.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import type { NamedZone } from '../../../src/operations/declaration/field.ts'
import type { Operation, OperationContext } from '../../../src/operations/declaration/operation.ts'
import { UserError } from '../../../src/shared/errors.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { IncidentAlert, IncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { AlertRule, IncidentWrite } from '../../../src/store/schema/alert-records.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import { idleDesk } from '../../support/alert-desk.ts'
import { checkContext, invocationOf, NOW, operationContext } from '../../support/operation-context.ts'
import { createSqliteHarness } from '../../store/sqlite-harness.ts'

export const ZONES: readonly NamedZone[] = [
  { kind: 'pull', name: 'shop', zoneId: '301' },
  { kind: 'pull', name: 'blog', zoneId: '302' },
  { kind: 'storage', name: 'shop', zoneId: '101' },
  { kind: 'dns', name: 'site', zoneId: '201' },
]

export type AlertsBench = Awaited<ReturnType<typeof createAlertsBench>>

/** Operations on alerts over a store of their own, asked in the channel C1 at `NOW`. */
export async function createAlertsBench() {
  const harness = createSqliteHarness()
  const store = await harness.open()
  let newest = 0
  const ask = async (operation: Operation, values: RawValues, changes: Partial<OperationContext> = {}) => {
    const newId = (): string => (newest += 1).toString(16).padStart(8, '0').padEnd(32, 'a')
    const context = operationContext({}, { store, zones: ZONES, newId, ...changes })
    const { zones } = context
    const answer = await invocationOf(operation, values, checkContext({ zones })).run(context)
    const wrong = messageProblems(answer.message)
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
    const text = answer.message.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    return { ...answer, buttons: answer.buttons ?? [], text }
  }
  const rule = async (changes: Partial<AlertRule>): Promise<AlertRule> => {
    const id = (newest += 1).toString(16).padStart(8, '0').padEnd(32, 'b')
    const fixed = { id, kind: 'origin-failing', subject: 'pull/301', channelId: 'C1', parameters: {}, createdBy: 'U1' }
    const made = { ...fixed, createdAt: NOW, ...changes }
    if (made.createdBy === 'configuration') {
      const managed = (await store.alertRules.list()).filter(({ createdBy }) => createdBy === made.createdBy)
      await store.alertRules.manage([...managed, made], () => ({ ...ENTRY, event: 'alert_added' }))
    } else await store.alertRules.add([made], () => ({ ...ENTRY, event: 'alert_added' }))
    return made
  }
  return {
    store,
    ask,
    rule,
    /** What is said where it is refused. */
    refusal: (...asked: Parameters<typeof ask>): Promise<string> =>
      ask(...asked).then(
        ({ text }) => `not refused: ${text}`,
        (error: unknown) => {
          if (error instanceof UserError) return [error.message, error.hint].join(' ')
          throw error
        },
      ),
    /** Events with their sentences, newest first. */
    record: async () => (await store.audit.list({ limit: 20 })).map(({ event, summary }) => [event, summary] as const),
    /** Pauses the rules of C1. */
    pause: (): Promise<unknown> =>
      store.alertRules.pause('C1', 'The channel is archived.', {
        at: NOW,
        entry: () => ({ ...ENTRY, event: 'alert_paused' }),
        notices: () => [],
      }),
    /** Where a rule stands about a subject, as it was read last. */
    async stand({ id: ruleId }: AlertRule, subject: string, state: object, sentence: string, level = 'clear') {
      const last = { atMs: NOW.getTime(), reading: { level, facts: { sentence } } }
      const states = [
        { ruleId, subject, state: { phase: 'inactive', sinceMs: 0, looks: [], begins: [], last, ...state } },
      ]
      await store.alerts.commit({ subject, revision: 0, watch: {}, states })
    },
    acknowledge: (id: string, person: string) =>
      store.alerts.acknowledge(id, {
        person,
        at: NOW,
        entry: { ...ENTRY, actor: person, event: 'alert_acknowledged' },
      }),
    /** An incident with these alerts, open unless `more` says otherwise. */
    async incident(id: string, alerts: readonly Partial<IncidentAlert>[], more: Partial<IncidentWrite> = {}) {
      const subject = alerts[0]?.subject ?? 'pull/301'
      const all = alerts.map((alert) => ({ ...ALERT, subject, ...alert }))
      const doc: IncidentDoc = { alerts: all, nature: 'incident', cycle: 1, samples: [], trend: [] }
      await store.alerts.commit({
        subject,
        revision: (await store.alerts.view(subject, NOW)).watch?.revision ?? 0,
        watch: {},
        incidents: [{ id, subject, channelId: 'C1', openedAt: NOW, doc, ...more }],
      })
    },
    close: () => harness.close(),
  }
}

const ENTRY = { at: NOW, actor: 'U1', team: 'T1', operation: 'alerts add', summary: 'Made for a test' } as const
const ALERT: IncidentAlert = {
  ruleId: 'r1',
  kind: 'origin-failing',
  subject: 'pull/301',
  severity: 'critical',
  firedMs: NOW.getTime() - 600_000,
  facts: { sentence: '12 % of 1,000 lines are STALE.' },
}

/** The minute in which everything is asked. */
export const NOW_MINUTE = Math.floor(NOW.getTime() / 60_000)

/** A minute of ordinary traffic, read whole: 100 lines, of which 90 come from the cache. */
export function ordinaryMinute(minute: number, changes: Partial<MinuteCounts> = {}): MinuteCounts {
  const cached = { hit: 90, miss: 10, stale: 0, updating: 0, revalidated: 0, bypass: 0, uncached: 0, other: 0 }
  const codes = { c1xx: 0, c2xx: 100, c3xx: 0, c4xx: 0, c5xx: 0, uncoded: 0, miss4xx: 0 }
  return { minute, coveredMs: 60_000, ...cached, ...codes, ...changes }
}

/** A desk that has these minutes, and reads the zone well. */
export function deskWith(
  minuteOf: (minute: number) => MinuteCounts | undefined,
  changes: Partial<AlertService> = {},
): AlertService {
  return idleDesk({
    minutes: async (_, from, until) =>
      Array.from({ length: until - from }, (_each, index) => minuteOf(from + index)).filter(
        (each) => each !== undefined,
      ),
    trust: async () => ({ lagMs: 120_000, behindMinutes: 0, covered: 1 }),
    ...changes,
  })
}

/** An hour and a half ago, STALE for 20 minutes: an origin that failed. */
export function withOutage(minute: number): MinuteCounts {
  const ago = NOW_MINUTE - minute
  return ago <= 90 && ago > 70 ? ordinaryMinute(minute, { hit: 65, stale: 25 }) : ordinaryMinute(minute)
}
