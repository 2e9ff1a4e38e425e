import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT } from '../../alerts/rule-subjects.ts'
import { currentName } from '../../alerts/kinds.ts'
import type { AlertRule, AlertSubject } from '../../store/alert-records.ts'
import { MANAGED_BY } from '../../store/alert-rules.ts'
import { subjectOf } from './alert-subjects.ts'

/** What a pull zone is looked at for when somebody says no more than that it shall be watched. */
export const WATCHED_KINDS = [
  'origin-failing',
  'cache-not-working',
  'traffic-gone',
  'traffic-surge',
  'cannot-look',
] as const
/** What concerns the whole account, looked at once whatever is watched. */
const ACCOUNT_WIDE = [
  { kind: 'storage-change', subject: EVERY_STORAGE_SUBJECT },
  { kind: 'api-keys-changed', subject: ACCOUNT_SUBJECT },
] as const

export const ACCOUNT_KINDS = ACCOUNT_WIDE.map(({ kind }) => kind)

/** What tells a rule from every other. */
export type RuleKey = Pick<AlertRule, 'kind' | 'subject' | 'channelId'>

/** A rule that is recommended, with what is set on it. */
export type RecommendedRule = RuleKey & Pick<AlertRule, 'parameters'>

/** So many pull zones are watched at most: each is read every minute. */
export const MAX_WATCHED_ZONES = 200

/** The recommended rules for a pull zone, for the channel that watches it. */
export function watchSet(pullZoneId: bigint, channelId: string): readonly RecommendedRule[] {
  const subject = subjectOf({ kind: 'pull', id: pullZoneId })
  return WATCHED_KINDS.map((kind) => ({ kind, subject, channelId, parameters: {} }))
}

/** What belongs to the account and no rule looks at yet, wherever it would be told. */
export function accountSet(
  channelId: string,
  existing: readonly Pick<RuleKey, 'kind' | 'subject'>[],
): readonly RecommendedRule[] {
  return ACCOUNT_WIDE.filter(
    ({ kind, subject }) => !existing.some((rule) => currentName(rule.kind) === kind && rule.subject === subject),
  ).map((each) => ({ ...each, channelId, parameters: {} }))
}

/** Whether they look at the same thing for the same channel, by what names of kinds mean now. */
export function isSameRule(one: RuleKey, other: RuleKey): boolean {
  return (
    currentName(one.kind) === currentName(other.kind) &&
    one.subject === other.subject &&
    one.channelId === other.channelId
  )
}

/** The pull zones that rules look at, each once. */
export function watchedZones(rules: readonly Pick<AlertRule, 'subject'>[]): readonly AlertSubject[] {
  return [...new Set(rules.map(({ subject }) => subject).filter((subject) => subject.startsWith('pull/')))]
}

/** Whether a rule comes from the configuration file: no command changes it. */
export function isManaged({ createdBy }: Pick<AlertRule, 'createdBy'>): boolean {
  return createdBy === MANAGED_BY
}
