import { subjectLabel } from '../../alerts/incidents/incident-words.ts'
import { getKindTitle, toCurrentName } from '../../alerts/kinds/kinds.ts'
import { ACCOUNT_SUBJECT, parseSubject, pullSubject } from '../../alerts/state/rule-subjects.ts'
import {
  type AlertRule,
  type AlertSubject,
  EVERY_STORAGE_SUBJECT,
  MAX_ALERT_RULES,
  type RuleContacts,
} from '../../store/schema/alert-records.ts'
import type { NamedZone } from '../declaration/field.ts'
import { zoneLabel } from '../declaration/zone-field.ts'
import { UserError } from '../../shared/errors.ts'
import { type OperationContext, auditEntry } from '../declaration/operation.ts'
import { MANAGED_BY } from '../../store/alerts/alert-rules.ts'
import { count } from '../../block-kit/amounts.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import { listCurrentRules } from '../../alerts/kinds/current-rules.ts'
import { type About, byId, contactsText } from './alert-fields.ts'

/** The one zone that a subject is; undefined for the account and for every storage zone. */
export function zoneOfSubject(subject: AlertSubject) {
  const named = parseSubject(subject)
  return named?.zoneId !== undefined ? { kind: named.kind, id: BigInt(named.zoneId) } : undefined
}

/** A subject in sentences: `pull zone shop (301)`, `every storage zone with a name`, `the account`. */
export function subjectWords(subject: AlertSubject, zones: readonly NamedZone[]): string {
  const zone = zoneOfSubject(subject)
  if (zone === undefined) return subjectLabel(subject, { zoneName: () => undefined })
  return `${zone.kind} zone ${zoneLabel({ id: zone.id, name: findNamedZone(subject, zones)?.name })}`
}

export function ruleLabel({ kind, subject }: Pick<AlertRule, 'kind' | 'subject'>, zones: readonly NamedZone[]): string {
  return `${getKindTitle(kind)} for ${subjectWords(subject, zones)}`
}

export function subjectCell(subject: AlertSubject, zones: readonly NamedZone[]): string {
  return subjectWords(subject, zones).replace(/^pull zone /, '')
}

export function findNamedZone(subject: AlertSubject, zones: readonly NamedZone[]): NamedZone | undefined {
  return zones.find(({ kind, zoneId }) => `${kind}/${zoneId}` === subject)
}

/** Where the configuration says that it stands what to do about a zone; it may give a zone several names. */
export function findRunbook(subject: AlertSubject, zones: readonly NamedZone[]): string | undefined {
  const withRunbook = zones.filter(({ runbook }) => runbook !== undefined)
  return findNamedZone(subject, withRunbook)?.runbook
}

type Requester = Pick<OperationContext, 'channelId' | 'channelInfo' | 'sharedChannels' | 'command'>

/**
 * The channel that a command about alerts was typed in, where it is one that alerts can go to: no direct messages, not
 * archived, with the bot in it, and shared with another organisation only where the configuration says so. Throws
 * UserError otherwise; also when Slack does not say, since an alert tells how the account is doing.
 */
export async function channelForAlerts(requester: Requester): Promise<string> {
  const id = channelHere(requester)
  const info = await requester.channelInfo(id)
  if (typeof info === 'string') {
    const why = 'Slack does not say what this channel is, as with a private one that CDN Ops is not in.'
    throw refuse('invalid_input', why, 'Invite it with /invite, then ask again.')
  }
  if (info.isArchived) throw refuse('invalid_input', 'This channel is archived, so no alert could be posted.')
  if (info.isShared && !requester.sharedChannels.includes(id)) {
    const why = 'This channel is shared with another organisation, which would read the alerts.'
    const next = 'Use a channel of your own, or have it listed under alerts.sharedChannels in the configuration file.'
    throw refuse('not_permitted', why, next)
  }
  if (!info.isMember) {
    const why = 'CDN Ops is not in this channel, so it could not post here.'
    throw refuse('invalid_input', why, 'Invite it with /invite, then ask again.')
  }
  return id
}

function refuse(code: 'invalid_input' | 'not_permitted', why: string, next?: string): UserError {
  return new UserError(code, `${why} Nothing was turned on.`, next)
}

/** The channel that was typed in. Throws UserError where there is none, as in direct messages. */
export function channelHere({ channelId, command }: Pick<Requester, 'channelId' | 'command'>): string {
  if (channelId !== undefined && !channelId.startsWith('D')) return channelId
  const next = `Type ${command} alerts … in the channel that it is about.`
  throw new UserError('invalid_input', 'Alerts belong to a channel, and here is none. Nothing was done.', next)
}

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
export function accountSet(channelId: string, existing: readonly Omit<RuleKey, 'channelId'>[]): readonly WantedRule[] {
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
    const why = `${known} pull zones are watched already. With these it would be ${zones.length}, and CDN Ops reads at most ${MAX_WATCHED_ZONES} every minute. Nothing was turned on.`
    throw new UserError('busy', why, `Name fewer, or take some off first: ${command} alerts remove …`)
  }
  const rules = wanted.map((rule): AlertRule => ({ ...rule, id: newId(), createdBy: actor.id, createdAt: now }))
  const ids = new Set(rules.map(({ id }) => id))
  const isNew = ({ id }: AlertRule): boolean => ids.has(id)
  const entry = (written: readonly AlertRule[]) => {
    const contacts = [...new Set(written.map(contactsText))].filter((text) => text !== '')
    const event = written.some(isNew) ? 'alert_added' : 'alert_changed'
    const calls = contacts.length === 0 ? [] : [listFew(contacts, MAX_CONTACTS)]
    return auditEntry(event, operation, [summary, ...calls].join('; '), context)
  }
  const stored = await store.alertRules.add(rules, entry, once)
  if (stored === 'full') {
    const why = `There are ${count(MAX_ALERT_RULES)} alert rules already, and no room for more. Nothing was turned on.`
    throw new UserError('busy', why, `Take some off first: ${command} alerts list --all shows them.`)
  }
  return { rules: stored, added: stored.filter(isNew) }
}

const MAX_NAMED = 12
/** Of different ones among the rules that one command writes. */
const MAX_CONTACTS = 3

/**
 * The rules that are meant: those with these ids, wherever they tell, or those about a zone that tell in this channel, or
 * all of this channel. Throws UserError where there are none.
 */
export async function findRules(meant: About, context: Pick<OperationContext, 'store' | 'channelId' | 'command'>) {
  const { store, command } = context
  const rules = await store.alertRules.list()
  const listed = `See what there is: ${command} alerts list`
  const here = listMeantHere(meant, rules, context)
  if (here.length > 0) return here
  if (meant.ids.length === 0) {
    const about = meant.all ? '' : ` about ${meant.typed}`
    throw new UserError('invalid_input', `This channel has no alerts${about}. Nothing was done.`, listed)
  }
  const found = meant.ids.map((id) => byId(id, rules))
  const all = found.flatMap(({ found: rule }) => (rule === undefined ? [] : [rule]))
  // A rule of a former name stands for all that have become the same kind.
  if (all.length > 0) return rules.filter((rule) => all.some((each) => isSameRule(each, rule)))
  const several = found.some((match) => match.several)
  const why = several ? `The ids of several rules begin with ${meant.typed}.` : `No rule has the id ${meant.typed}.`
  throw new UserError('invalid_input', `${why} Nothing was done.`, several ? 'Give more of its digits.' : listed)
}

/** Of what is listed, what tells in this channel about a zone or about everything; nothing where ids alone are meant. */
export function listMeantHere<T extends { readonly channelId?: string | undefined; readonly subject: AlertSubject }>(
  { all, subjects, ids }: About,
  listed: readonly T[],
  requester: Pick<Requester, 'channelId' | 'command'>,
): readonly T[] {
  if (!all && subjects.length === 0) return []
  const channel = ids.length > 0 ? requester.channelId : channelHere(requester)
  return listed.filter(({ channelId, subject }) => channelId === channel && (all || subjects.includes(subject)))
}

/** Rules in a sentence: `origin-failing for pull zone 301 in C1, …`. By ids alone, as the record has it, without zones. */
export function rulesSentence(rules: readonly AlertRule[], zones: OperationContext['zones'] = []): string {
  const now = listCurrentRules(rules)
  const words = now.map(({ kind, subject, channelId }) => `${kind} for ${subjectWords(subject, zones)} in ${channelId}`)
  return listFew(words, MAX_NAMED)
}
