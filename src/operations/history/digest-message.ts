import { listCurrentRules } from '../../alerts/kinds/current-rules.ts'
import { findAlertKind } from '../../alerts/kinds/kinds.ts'
import { durationWords } from '../../alerts/incidents/incident-words.ts'
import { median } from '../../alerts/series/statistics.ts'
import { readIncidentDoc } from '../../alerts/state/incident.ts'
import { readAlertState } from '../../alerts/state/step.ts'
import { counted } from '../../block-kit/amounts.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { DAY_MS, HOUR_MS } from '../../shared/durations.ts'
import { type AlertRule, INCIDENT_RETENTION_MS, type IncidentRecord } from '../../store/schema/alert-records.ts'
import { ruleLabel, zoneOfSubject, isManaged, watchedZones } from '../alerts/watch-set.ts'
import { contactsOf } from '../alerts/alert-fields.ts'
import { ruleValues } from '../alerts/alerts-add.ts'
import { isTriable } from '../alerts/kind-fields.ts'
import { recommendThreshold } from '../alerts/recommendation.ts'
import { loadPast, replay, timesWords } from '../alerts/replay.ts'
import type { Answer } from '../declaration/answer.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { type IncidentFacts, isIncident, type Period, readIncidents, writeVerdict } from './incident-facts.ts'

export type DigestContext = Pick<OperationContext, 'store' | 'alerts' | 'zones' | 'command' | 'now'>

/** Trying a limit plays a week through, so one rule of a digest is tried, over this time. */
const TRIED_MS = 7 * DAY_MS
const MAX_ANSWER_LINES = 3
const MAX_LOOKED_AT = 60

/** What a channel is told of a stretch of time, in twelve lines at most; undefined where nothing is watched for it. */
export async function readDigest(channelId: string, over: Period, context: DigestContext): Promise<Answer | undefined> {
  const { store, zones, command } = context
  const rules = listCurrentRules(await store.alertRules.list(channelId)).filter((rule) => rule.pausedWhy === undefined)
  if (rules.length === 0) return undefined
  // What happened before anything was watched nobody knows.
  const watchedMs = Math.min(...rules.map(({ createdAt }) => createdAt.getTime()))
  const from = new Date(Math.max(over.from.getTime(), Math.min(watchedMs, over.until.getTime())))
  const period = { ...over, from }
  const { incidents, isCut } = await readIncidents({ ...period, channelId }, store)
  const since = md`since ${dateTime(from)}`
  const idle = await countIdle(rules, context)
  const idleWords = `${idle} of ${counted(rules.length, 'rule')} never had a log to look at`
  if (incidents.length === 0)
    return { message: wordsMessage([md`🟢 *Nothing happened here ${since}.*${idle > 0 ? ` ${idleWords}.` : ''}`]) }
  const troubles = incidents.filter(isIncident)
  const answers = countAnswers(incidents.map(({ record }) => record))
  const fired = listFired(troubles, period)
  const times = Map.groupBy(fired, (id) => id)
  const countTimes = ({ id }: AlertRule): number => times.get(id)?.length ?? 0
  const often = rules.toSorted((one, other) => countTimes(other) - countTimes(one))
  const noisiest = often.find((rule) => countTimes(rule) > 1)
  const doubted = often.filter(({ id }) => (answers.get(id)?.answered ?? 0) > 0)
  const offer = await findOffer(doubted[0] ?? noisiest, context)
  const askedMs = Math.min(context.now.getTime() - from.getTime(), INCIDENT_RETENTION_MS)
  const hours = Math.ceil(askedMs / HOUR_MS)
  const lines = [
    writeAcknowledged(troubles),
    noisiest && md`Most often: ${ruleLabel(noisiest, zones)}, ${timesWords(countTimes(noisiest))}.`,
    ...doubted.slice(0, MAX_ANSWER_LINES).map((rule) => writeAnswers(ruleLabel(rule, zones), answers.get(rule.id))),
    offer?.line,
    idle > 0 && md`${idleWords}.`,
  ]
  const small = md`All of it: ${code(`${command} history --since ${hours}h`)}. No more digests: ${code(`${command} alerts digest off`)}`
  return {
    message: wordsMessage([md`*${writeVerdict(troubles, period, since, { isCut })}*`], { list: lines, small: [small] }),
    buttons: offer?.buttons ?? [],
  }
}

/** Of this rule another limit, if one would have told less, with a button for whoever may set it. */
async function findOffer(rule: AlertRule | undefined, context: DigestContext) {
  const kind = rule && findAlertKind(rule.kind)
  const zone = rule && zoneOfSubject(rule.subject)
  if (rule === undefined || zone === undefined || !isTriable(kind)) return undefined
  const past = await loadPast(zone.id, new Date(context.now.getTime() - TRIED_MS), context)
  const [played] = await replay([[kind, rule.parameters]], zone.id, past, context)
  const of = { parameters: rule.parameters, pullZoneId: zone.id, past }
  const better = played && (await recommendThreshold(played, of, context))
  if (better === undefined) return undefined
  const { limit, parameters, words } = better
  // Whom it calls stays as it is when the button is pressed.
  const values = ruleValues({ ...rule, parameters, ...contactsOf({ runbook: rule.runbook }) })
  const button = { kind: 'form', label: `Use ${limit}`, operation: 'alerts add', values } as const
  return { line: md`${ruleLabel(rule, context.zones)}: ${words}`, buttons: isManaged(rule) ? [] : [button] }
}

/** The rules that began to fire, each as often as it did: once for each time that an incident of its was open. */
function listFired(incidents: readonly IncidentFacts[], { from, until }: Period): readonly string[] {
  const begun = incidents
    .flatMap(({ spans }) => spans)
    .filter(({ fromMs }) => fromMs >= from.getTime() && fromMs <= until.getTime())
  return begun.flatMap(({ alerts }) => [...new Set(alerts.map(({ ruleId }) => ruleId))])
}

function writeAcknowledged(incidents: readonly IncidentFacts[]): Mrkdwn | false {
  const times = incidents.flatMap(({ acknowledged }) => acknowledged?.afterMs ?? [])
  const middleMs = median(times)
  if (middleMs === undefined) return incidents.length > 0 && md`Nobody acknowledged.`
  const left = incidents.length - times.length
  const one = times.length === 1 ? '' : ` in the median of ${times.length}`
  return md`Acknowledged after ${durationWords(middleMs)}${one}${left > 0 ? `; ${left} not at all` : ''}.`
}

function writeAnswers(rule: string, { answered, incidents }: AnsweredCount = { answered: 0, incidents: 0 }): Mrkdwn {
  return md`*Not a problem* was the answer to ${answered} of ${incidents}: ${rule}.`
}

async function countIdle(rules: readonly AlertRule[], { store, now }: DigestContext): Promise<number> {
  const ids = new Set(rules.map(({ id }) => id))
  let idle = 0
  for (const subject of watchedZones(rules).slice(0, MAX_LOOKED_AT)) {
    const { states } = await store.alerts.view(subject, now)
    idle += states.filter((state) => ids.has(state.ruleId) && readAlertState(state).last === undefined).length
  }
  return idle
}

type AnsweredCount = Readonly<Record<'answered' | 'incidents', number>>

/** Of each rule, how many of these incidents it was in, and how many of them were said to be no problem. */
export function countAnswers(incidents: readonly IncidentRecord[]): ReadonlyMap<string, AnsweredCount> {
  const counts = new Map<string, AnsweredCount>()
  for (const { doc, dismissedBy } of incidents) {
    // An answer is about what fired when it was given.
    for (const [ruleId, alerts] of Map.groupBy(readIncidentDoc(doc).alerts, (alert) => alert.ruleId)) {
      const isAnswered = dismissedBy !== undefined && alerts.some(({ endedMs }) => endedMs === undefined)
      const before = counts.get(ruleId) ?? { answered: 0, incidents: 0 }
      counts.set(ruleId, { answered: before.answered + (isAnswered ? 1 : 0), incidents: before.incidents + 1 })
    }
  }
  return counts
}
