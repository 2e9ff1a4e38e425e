import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT } from '../../alerts/rule-subjects.ts'
import type { AlertRule, AlertSubject } from '../../store/alert-records.ts'
import { MANAGED_BY } from '../../store/alert-rules.ts'
import { subjectOf } from './alert-subjects.ts'

/** What a pull zone is looked at for when somebody says no more than that it shall be watched. */
export const WATCHED_KINDS = [
  'stale-share',
  'error-share',
  'error-budget',
  'hit-ratio-drop',
  'traffic-anomaly',
  'log-silence',
] as const
/**
 * Where the recommended rule differs from its kind: a budget that is spent a little too fast over three days is for those
 * who ask for it. It stays so for hours after every outage, and for ever on sites whose usual errors exceed it.
 */
const SET: Readonly<Partial<Record<string, AlertRule['parameters']>>> = { 'error-budget': { warning: 14.4 } }
/** Whether the bot itself can follow is for those who run it. */
const POLLER_KIND = 'poller-health'
/** What concerns the whole account, looked at once whatever is watched. */
const ACCOUNT_WIDE = [
  { kind: 'storage-jump', subject: EVERY_STORAGE_SUBJECT },
  { kind: 'api-keys-changed', subject: ACCOUNT_SUBJECT },
] as const

/** What tells a rule from every other. */
export type RuleKey = Pick<AlertRule, 'kind' | 'subject' | 'channelId'>

/** A rule that is recommended, with what is set on it. */
export type RecommendedRule = RuleKey & Pick<AlertRule, 'parameters'>

/** So many pull zones are watched at most: each is read every minute. */
export const MAX_WATCHED_ZONES = 200

/** The recommended rules for a pull zone, for the channel that watches it; the bot's own health goes to `opsChannel`. */
export function watchSet(
  pullZoneId: bigint,
  channelId: string,
  opsChannel: string | undefined,
): readonly RecommendedRule[] {
  const subject = subjectOf({ kind: 'pull', id: pullZoneId })
  return [
    ...WATCHED_KINDS.map((kind) => ({ kind, subject, channelId, parameters: SET[kind] ?? {} })),
    { kind: POLLER_KIND, subject, channelId: opsChannel ?? channelId, parameters: {} },
  ]
}

/** What belongs to the account and no rule looks at yet, wherever it would be told. */
export function accountSet(
  channelId: string,
  existing: readonly Pick<RuleKey, 'kind' | 'subject'>[],
): readonly RecommendedRule[] {
  return ACCOUNT_WIDE.filter(
    ({ kind, subject }) => !existing.some((rule) => rule.kind === kind && rule.subject === subject),
  ).map((each) => ({ ...each, channelId, parameters: {} }))
}

export function isSameRule(one: RuleKey, other: RuleKey): boolean {
  return one.kind === other.kind && one.subject === other.subject && one.channelId === other.channelId
}

/** The pull zones that rules look at, each once. */
export function watchedZones(rules: readonly Pick<AlertRule, 'subject'>[]): readonly AlertSubject[] {
  return [...new Set(rules.map(({ subject }) => subject).filter((subject) => subject.startsWith('pull/')))]
}

/** Whether a rule comes from the configuration file: no command changes it. */
export function isManaged({ createdBy }: Pick<AlertRule, 'createdBy'>): boolean {
  return createdBy === MANAGED_BY
}
