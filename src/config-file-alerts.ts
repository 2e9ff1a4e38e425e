import { createHash } from 'node:crypto'
import { ALERT_KINDS, alertKind } from './alerts/kinds.ts'
import { parameterProblems } from './alerts/parameters.ts'
import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT, pullSubject, storageSubject } from './alerts/rule-subjects.ts'
import type { AlertRuleShape, AlertsShape } from './config-file-alerts-shape.ts'
import { quoted } from './config-file-text.ts'
import type { Problem } from './config-file-policy.ts'
import {
  accountSet,
  isSameRule,
  MAX_WATCHED_ZONES,
  type RuleKey,
  watchedZones,
  watchSet,
} from './operations/alerts/watch-set.ts'
import { nearestWord } from './operations/nearest-word.ts'
import { sentenceStart } from './operations/sentence-start.ts'
import { type AlertRule, MAX_ALERT_RULES } from './store/alert-records.ts'
import { MANAGED_BY } from './store/alert-rule-row.ts'

/** Managed rules have no moment of their own: this keeps what the file says the same at every reading. */
const NO_MOMENT = new Date(0)
const ID_CHARACTERS = 32

/**
 * The rules that the file asks for. A rule with parameters goes before the one that `watch` would make of the same kind.
 * The same file gives the same ids, whenever it is read.
 */
export function alertRulesOf(
  { rules }: Pick<AlertsShape, 'rules'>,
  opsChannel: string | undefined,
): readonly AlertRule[] {
  const single = rules.flatMap((rule) => {
    const key = keyOf(rule)
    return key === undefined ? [] : [managed(key, rule)]
  })
  const all: AlertRule[] = [...single]
  for (const rule of rules) {
    if (rule.watch === undefined) continue
    const keys = [...watchSet(BigInt(rule.watch), rule.channel, opsChannel), ...accountSet(rule.channel, all)]
    for (const key of keys)
      if (!all.some((each) => isSameRule(each, key))) all.push(managed(key, { ...rule, parameters: key.parameters }))
  }
  return all
}

function managed(key: RuleKey, { parameters = {}, mention }: AlertRuleShape): AlertRule {
  const { kind, subject, channelId } = key
  const id = createHash('sha256')
    .update(JSON.stringify([kind, subject, channelId]))
    .digest('hex')
  return { ...key, id: id.slice(0, ID_CHARACTERS), parameters, mention, createdBy: MANAGED_BY, createdAt: NO_MOMENT }
}

/** What a rule of one kind is about; undefined for one that says `watch`, or whose kind is not known. */
function keyOf({ kind: name = '', zone, storageZone, channel: channelId }: AlertRuleShape): RuleKey | undefined {
  switch (alertKind(name)?.subject) {
    case 'pull':
      return zone === undefined ? undefined : { kind: name, subject: pullSubject(zone), channelId }
    case 'storage': {
      const every = storageZone === undefined || storageZone === 'all'
      return { kind: name, subject: every ? EVERY_STORAGE_SUBJECT : storageSubject(storageZone), channelId }
    }
    case 'account':
      return { kind: name, subject: ACCOUNT_SUBJECT, channelId }
    case undefined:
      return undefined
  }
}

/** Rules that span values: each entry is one or the other, its kind exists and takes what it is given, nothing is twice. */
export function alertProblems(rules: readonly (AlertRuleShape | undefined)[]): readonly Problem[] {
  const seen: RuleKey[] = []
  const problems = rules.flatMap((rule, index): readonly Problem[] => {
    if (rule === undefined) return []
    const at = (told: string, ...rest: readonly PropertyKey[]): Problem => ({
      path: ['alerts', 'rules', index, ...rest],
      told,
    })
    if (rule.watch !== undefined) return watchProblems(rule, at)
    const wrong = kindProblems(rule, at)
    const key = keyOf(rule)
    if (wrong.length > 0 || key === undefined) return wrong
    const before = seen.some((each) => isSameRule(each, key))
    seen.push(key)
    return before ? [at('is there already, for the same kind, zone and channel')] : []
  })
  const shaped = rules.flatMap((rule) => rule ?? [])
  return [...problems, ...sizeProblems(shaped)]
}

type At = (told: string, ...rest: readonly PropertyKey[]) => Problem

function watchProblems(rule: AlertRuleShape, at: At): readonly Problem[] {
  return (['kind', 'zone', 'storageZone', 'parameters'] as const)
    .filter((name) => rule[name] !== undefined)
    .map((name) => at('has no meaning beside watch: take it out, or write a rule with kind', name))
}

function kindProblems({ kind: name, zone, storageZone, parameters = {} }: AlertRuleShape, at: At): readonly Problem[] {
  if (name === undefined) return [at('says neither watch nor kind')]
  const kind = alertKind(name)
  if (kind === undefined) {
    const names = ALERT_KINDS.map((each) => each.name)
    const close = nearestWord(name, names)
    const next = close === undefined ? `: known are ${names.join(', ')}` : `. Did you mean ${close}?`
    return [at(`is no kind of alert: ${quoted(name)}${next}`, 'kind')]
  }
  const isPull = kind.subject === 'pull'
  return [
    ...(isPull && zone === undefined ? [at(`is not given: ${name} looks at a pull zone`, 'zone')] : []),
    ...(!isPull && zone !== undefined ? [at(`has no meaning for ${name}, which looks at no pull zone`, 'zone')] : []),
    ...(kind.subject !== 'storage' && storageZone !== undefined
      ? [at(`has no meaning for ${name}, which looks at no storage zone`, 'storageZone')]
      : []),
    ...parameterProblems(kind, parameters).map((problem) => at(sentenceStart(problem), 'parameters')),
  ]
}

function sizeProblems(rules: readonly AlertRuleShape[]): readonly Problem[] {
  const made = alertRulesOf({ rules: [...rules] }, undefined)
  const path = ['alerts', 'rules']
  return [
    ...(watchedZones(made).length > MAX_WATCHED_ZONES
      ? [{ path, told: `watches more than ${MAX_WATCHED_ZONES} pull zones, each of which is read every minute` }]
      : []),
    ...(made.length > MAX_ALERT_RULES ? [{ path, told: `makes more than ${MAX_ALERT_RULES} rules` }] : []),
  ]
}
