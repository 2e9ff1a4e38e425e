import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT, pullSubject } from '../../alerts/state/rule-subjects.ts'
import { toCurrentName } from '../../alerts/kinds/kinds.ts'
import {
  type AlertRule,
  type AlertSubject,
  MAX_ALERT_RULES,
  type RuleContacts,
} from '../../store/schema/alert-records.ts'
import { MANAGED_BY } from '../../store/alerts/alert-rules.ts'
import { subjectWords } from './alert-subjects.ts'
import { count } from '../../block-kit/amounts.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import { UserError } from '../../shared/errors.ts'
import { auditEntry, type OperationContext } from '../declaration/operation.ts'
import { listCurrentRules } from '../../alerts/kinds/current-rules.ts'
import { type About, byId } from './alert-fields.ts'
import { channelHere } from './channel-for-alerts.ts'

export const WATCHED_KINDS = [
  'origin-failing',
  'cache-not-working',
  'traffic-gone',
  'traffic-surge',
  'cannot-look',
] as const
const ACCOUNT_WIDE = [
  { kind: 'storage-change', subject: EVERY_STORAGE_SUBJECT },
  { kind: 'api-keys-changed', subject: ACCOUNT_SUBJECT },
] as const

export const ACCOUNT_KINDS = ACCOUNT_WIDE.map(({ kind }) => kind)

export type RuleKey = Pick<AlertRule, 'kind' | 'subject' | 'channelId'>

/** So many pull zones are watched at most: each is read every minute. */
export const MAX_WATCHED_ZONES = 200

export function watchSet(pullZoneId: bigint, channelId: string): readonly WantedRule[] {
  const subject = pullSubject(pullZoneId)
  return WATCHED_KINDS.map((kind) => ({ kind, subject, channelId, parameters: {} }))
}

/** What belongs to the account and no rule looks at yet, wherever it would be told. */
export function accountSet(
  channelId: string,
  existing: readonly Pick<RuleKey, 'kind' | 'subject'>[],
): readonly WantedRule[] {
  return ACCOUNT_WIDE.filter(
    ({ kind, subject }) => !existing.some((rule) => toCurrentName(rule.kind) === kind && rule.subject === subject),
  ).map((each) => ({ ...each, channelId, parameters: {} }))
}

/** Whether they look at the same thing for the same channel, by what names of kinds mean now. */
export function isSameRule(one: RuleKey, other: RuleKey): boolean {
  return (
    toCurrentName(one.kind) === toCurrentName(other.kind) &&
    one.subject === other.subject &&
    one.channelId === other.channelId
  )
}

export function watchedZones(rules: readonly Pick<AlertRule, 'subject'>[]): readonly AlertSubject[] {
  return [...new Set(rules.map(({ subject }) => subject).filter((subject) => subject.startsWith('pull/')))]
}

/** Whether a rule comes from the configuration file: no command changes it. */
export function isManaged({ createdBy }: Pick<AlertRule, 'createdBy'>): boolean {
  return createdBy === MANAGED_BY
}

export type WantedRule = RuleKey & Pick<AlertRule, 'parameters'> & RuleContacts

/**
 * Turns rules on, together with the entry in the record. Throws UserError `busy` where there is no room for them, and
 * then none is on.
 */
export async function addRules(
  wanted: readonly WantedRule[],
  existing: readonly AlertRule[],
  operation: string,
  summary: string,
  context: Pick<OperationContext, 'store' | 'actor' | 'now' | 'once' | 'command' | 'newId'>,
) {
  if (wanted.length === 0) return { rules: [], added: [] }
  const { store, actor, now, once, newId, command } = context
  const zones = watchedZones([...existing, ...wanted])
  const known = watchedZones(existing).length
  if (zones.length > MAX_WATCHED_ZONES && zones.length > known) {
    throw new UserError(
      'busy',
      `${known} pull zones are watched already. With these it would be ${zones.length}, and CDN Ops reads at most ${MAX_WATCHED_ZONES} every minute. Nothing was turned on.`,
      `Name fewer, or take some off first: ${command} alerts remove …`,
    )
  }
  const rules = wanted.map((rule): AlertRule => ({ ...rule, id: newId(), createdBy: actor.id, createdAt: now }))
  const ids = new Set(rules.map(({ id }) => id))
  const isNew = ({ id }: AlertRule): boolean => ids.has(id)
  const entry = (written: readonly AlertRule[]) =>
    auditEntry(written.some(isNew) ? 'alert_added' : 'alert_changed', operation, summary, context)
  const stored = await store.alertRules.add(rules, entry, once)
  if (stored === 'full') {
    throw new UserError(
      'busy',
      `There are ${count(MAX_ALERT_RULES)} alert rules already, and no room for more. Nothing was turned on.`,
      `Take some off first: ${command} alerts list --all shows them.`,
    )
  }
  return { rules: stored, added: stored.filter(isNew) }
}

const MAX_NAMED = 12

/**
 * The rules that are meant: those with these ids, wherever they tell, or those about a zone that tell in this channel, or
 * all of this channel. Throws UserError where there are none.
 */
export async function findRules(
  meant: About,
  context: Pick<OperationContext, 'store' | 'channelId' | 'command'>,
): Promise<readonly AlertRule[]> {
  const { store, command } = context
  const rules = await store.alertRules.list()
  const listed = `See what there is: ${command} alerts list`
  if (meant.all || meant.subjects.length > 0) {
    const inSome = meant.ids.length > 0 && context.channelId === undefined
    const channel = inSome ? undefined : channelHere(context)
    const here = rules.filter(
      ({ channelId, subject }) => channelId === channel && (meant.all || meant.subjects.includes(subject)),
    )
    if (here.length > 0) return here
    if (meant.ids.length === 0) {
      throw new UserError('invalid_input', `This channel has no alerts about ${meant.typed}. Nothing was done.`, listed)
    }
  }
  const found = meant.ids.map((id) => byId(id, rules))
  const all = found.flatMap(({ found: rule }) => (rule === undefined ? [] : [rule]))
  // A rule of a former name stands for all that have become the same kind.
  if (all.length > 0) return rules.filter((rule) => all.some((each) => isSameRule(each, rule)))
  const several = found.some((match) => match.found === undefined && match.several)
  throw new UserError(
    'invalid_input',
    several
      ? `The ids of several rules begin with ${meant.typed}. Nothing was done.`
      : `No rule has the id ${meant.typed}. Nothing was done.`,
    several ? 'Give more of its digits.' : listed,
  )
}

/** Rules in a sentence: `origin-failing for pull zone 301 in C1, …`. By ids alone, as the record has it, without zones. */
export function rulesSentence(rules: readonly AlertRule[], zones: OperationContext['zones'] = []): string {
  const now = listCurrentRules(rules)
  const words = now.map(({ kind, subject, channelId }) => `${kind} for ${subjectWords(subject, zones)} in ${channelId}`)
  return listFew(words, MAX_NAMED)
}
