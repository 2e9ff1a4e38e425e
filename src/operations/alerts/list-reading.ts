import { factsInWords } from '../../alerts/bound-rule.ts'
import { type HeldBack, heldBackNow } from '../../alerts/held-back.ts'
import { readKeysRecord } from '../../alerts/keys-record.ts'
import type { Severity } from '../../alerts/reading.ts'
import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT } from '../../alerts/rule-subjects.ts'
import { readAlertState } from '../../alerts/stored-state.ts'
import type { TrafficTrust } from '../../alerts/traffic-trust.ts'
import type { AlertRule, AlertSubject, DeadAlertPost, SilenceRecord, SubjectView } from '../../store/alert-records.ts'
import type { OperationContext } from '../operation.ts'
import { counted } from '../counted.ts'
import { subjectOf, subjectWords, zoneOfSubject } from './alert-subjects.ts'

/** So many subjects are looked at in full; rules about others are listed without where they stand. */
const MAX_SUBJECTS = 60
const MAX_DEAD_POSTS = 100

/** Where a rule stands, as far as that is known. */
export interface ListedRule {
  readonly rule: AlertRule
  readonly phase: 'inactive' | 'pending' | 'firing' | undefined
  readonly severity: Severity | undefined
  /** The newest reading that said something, and when it was made. */
  readonly last: { readonly atMs: number; readonly sentence: string } | undefined
  /** Why nothing is told though it may fire. */
  readonly heldBack: HeldBack | undefined
}

/** Everything a channel gets, or all channels. */
export interface ListedAlerts {
  readonly rules: readonly ListedRule[]
  readonly trust: readonly (readonly [subject: AlertSubject, trust: TrafficTrust | undefined])[]
  readonly silences: readonly SilenceRecord[]
  /** Messages that were given up, newest first. */
  readonly dead: readonly DeadAlertPost[]
  readonly waiting: { readonly count: number; readonly oldest: Date | undefined }
}

/** Reads the rules of a channel, or of all where it is undefined, and where each of them stands. */
export async function readAlerts(
  channelId: string | undefined,
  { store, alerts, now, zones }: Pick<OperationContext, 'store' | 'alerts' | 'now' | 'zones'>,
): Promise<ListedAlerts> {
  const rules = await store.alertRules.list(channelId === undefined ? {} : { channelId })
  const storage = zones.flatMap(({ kind, zoneId }) =>
    kind === 'storage' ? [subjectOf({ kind, id: BigInt(zoneId) })] : [],
  )
  const subjectsOf = ({ subject }: AlertRule) => (subject === EVERY_STORAGE_SUBJECT ? storage : [subject])
  const subjects = [...new Set(rules.flatMap(subjectsOf))].slice(0, MAX_SUBJECTS)
  const views = new Map<AlertSubject, SubjectView>()
  const trust: [AlertSubject, TrafficTrust | undefined][] = []
  for (const subject of subjects) {
    views.set(subject, await store.alerts.view(subject, now))
    const zone = zoneOfSubject(subject)
    if (zone?.kind === 'pull') trust.push([subject, await alerts.trust(zone.id)])
  }
  const isHere = (other: string | undefined): boolean => channelId === undefined || other === channelId
  const [silences, dead, waiting] = await Promise.all([
    store.silences.list(now),
    store.alertPosts.dead(MAX_DEAD_POSTS),
    store.alertPosts.waiting(),
  ])
  return {
    rules: rules.map((rule) => {
      const each = subjectsOf(rule).flatMap((subject) => {
        const view = views.get(subject)
        return view === undefined ? [] : [listed(rule, subject, view, now, subjectWords(subject, zones))]
      })
      return each.toSorted(gravestFirst)[0] ?? unknown(rule)
    }),
    trust,
    silences: silences.filter((silence) => silence.channelId === undefined || isHere(silence.channelId)),
    dead: dead.filter((post) => isHere(post.channelId)),
    waiting,
  }
}

function listed(rule: AlertRule, subject: AlertSubject, view: SubjectView, now: Date, zone: string): ListedRule {
  if (subject === ACCOUNT_SUBJECT) return listedKeys(rule, view, now)
  const record = view.states.find((each) => each.ruleId === rule.id && each.subject === subject)
  const state = readAlertState(record)
  const { last } = state
  const about = rule.subject === subject ? '' : `${zone}: `
  return {
    rule,
    phase: record === undefined ? undefined : state.phase,
    severity: state.severity,
    last: last && { atMs: last.atMs, sentence: `${about}${factsInWords(rule, last.reading).sentence}` },
    heldBack: heldBackNow(rule, view, state, now),
  }
}

/** Keys have events, which are over as soon as they are told: what is known is when they were listed, and whether all of them. */
function listedKeys(rule: AlertRule, view: SubjectView, now: Date): ListedRule {
  const known = readKeysRecord(view.watch?.state)
  const heldBack = heldBackNow(rule, view, readAlertState(undefined), now)
  if (known === undefined) return { ...unknown(rule), heldBack }
  const { lookedMs: atMs, snapshot } = known
  const sentence =
    snapshot === undefined
      ? 'The list of API keys was not complete yet, and without a complete one no change can be told.'
      : `${counted(snapshot.length, 'API key')} known from the last complete list.`
  const phase = snapshot === undefined ? undefined : 'inactive'
  return { rule, phase, severity: undefined, last: { atMs, sentence }, heldBack }
}

function unknown(rule: AlertRule): ListedRule {
  const { pausedWhy: sentence } = rule
  const heldBack = sentence === undefined ? undefined : ({ why: 'paused', sentence } as const)
  return { rule, phase: undefined, severity: undefined, last: undefined, heldBack }
}

const PHASES: readonly ListedRule['phase'][] = ['firing', 'pending', 'inactive', undefined]

function gravestFirst(one: ListedRule, other: ListedRule): number {
  return PHASES.indexOf(one.phase) - PHASES.indexOf(other.phase)
}
