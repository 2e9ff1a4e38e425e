import { createHash } from 'node:crypto'
import * as z from 'zod'
import { ALERT_KINDS, findAlertKind, toCurrentName, FORMER_NAMES } from '../alerts/kinds/kinds.ts'
import { parameterProblems } from '../alerts/kinds/alert-kind.ts'
import { readParameters, listCurrentRules } from '../alerts/kinds/current-rules.ts'
import { ACCOUNT_SUBJECT, pullSubject, storageSubject } from '../alerts/state/rule-subjects.ts'
import {
  accountSet,
  isSameRule,
  MAX_WATCHED_ZONES,
  type RuleKey,
  watchedZones,
  watchSet,
} from '../operations/alerts/watch-set.ts'
import { nearestWord } from '../operations/declaration/nearest-word.ts'
import { sentenceStart } from '../operations/declaration/prompt-words.ts'
import { type AlertRule, EVERY_STORAGE_SUBJECT, MAX_ALERT_RULES } from '../store/schema/alert-records.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import { MANAGED_BY } from '../store/alerts/alert-rules.ts'
import {
  channelId,
  groupOrUserId,
  lengthOfTime,
  listOf,
  ONCE_PARTS_ARE_RIGHT,
  quoted,
  runbookAddress,
  strict,
  zoneId,
} from './setting-values.ts'

const MAX_WRITTEN = 1_000
/** Managed rules have no moment of their own: this keeps what the file says the same at every reading. */
const NO_MOMENT = new Date(0)
const ID_CHARACTERS = 32

const WrittenRule = strict({
  watch: zoneId.optional(),
  account: z.boolean('is neither true nor false').optional(),
  kind: z.string().optional(),
  zone: zoneId.optional(),
  storageZone: z.union([z.literal('all'), zoneId], 'is neither the id of a storage zone nor all').optional(),
  channel: channelId,
  parameters: z.record(z.string(), z.number('is not a number')).optional(),
  mention: groupOrUserId.optional(),
  escalate: groupOrUserId.optional(),
  after: lengthOfTime(MINUTE_MS, DAY_MS, 'is not a time from 1m to 1d, such as 20m').optional(),
  runbook: runbookAddress.optional(),
}).superRefine((rule, context) => {
  const problems = rule.watch === undefined ? kindProblems(rule) : watchProblems(rule)
  const isAlone = rule.after !== undefined && rule.escalate === undefined
  const alone: Problem = ['has no meaning without escalate: say whom to mention then', 'after']
  for (const [message, ...path] of isAlone ? [...problems, alone] : problems)
    context.addIssue({ code: 'custom', path, message })
}, ONCE_PARTS_ARE_RIGHT)
type WrittenRule = Readonly<z.output<typeof WrittenRule>>

/** Alerts as the file asks for them: rules that no command changes, shared channels in which there may be any, who acknowledges. */
export const Alerts = strict({
  sharedChannels: listOf(channelId).default([]),
  acknowledge: z.enum(['viewer', 'operator']).default('operator'),
  rules: z
    .array(WrittenRule)
    .max(MAX_WRITTEN, `has more than ${MAX_WRITTEN} rules`)
    .superRefine((rules, context) => {
      for (const index of findRepeated(rules))
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'is there already, for the same kind, zone and channel',
        })
      const built = buildAlertRules(rules)
      if (watchedZones(built).length > MAX_WATCHED_ZONES)
        context.addIssue(`watches more than ${MAX_WATCHED_ZONES} pull zones, each of which is read every minute`)
      if (built.length > MAX_ALERT_RULES) context.addIssue(`makes more than ${MAX_ALERT_RULES} rules`)
    }, ONCE_PARTS_ARE_RIGHT)
    .default([]),
})

/**
 * The rules that the file asks for, by the names that kinds have now: several may have become one. A rule
 * with parameters goes before the one that `watch` would make of the same kind.
 * The same file gives the same ids, whenever it is read.
 */
export function buildAlertRules(rules: readonly WrittenRule[]): readonly AlertRule[] {
  const written = rules.flatMap((rule) => {
    const key = findRuleKey(rule)
    return key === undefined ? [] : [managed(key, rule)]
  })
  const all = [...listCurrentRules(written)]
  for (const rule of rules) {
    if (rule.watch === undefined) continue
    const account = rule.account === true ? accountSet(rule.channel, all) : []
    const keys = [...watchSet(BigInt(rule.watch), rule.channel), ...account]
    for (const key of keys)
      if (!all.some((each) => isSameRule(each, key))) all.push(managed(key, { ...rule, parameters: key.parameters }))
  }
  return all
}

function managed(key: RuleKey, { parameters = {}, mention, escalate, after, runbook }: WrittenRule): AlertRule {
  const { kind, subject, channelId: channel } = key
  const id = createHash('sha256')
    .update(JSON.stringify([kind, subject, channel]))
    .digest('hex')
  return {
    ...key,
    id: id.slice(0, ID_CHARACTERS),
    parameters,
    mention,
    escalate,
    escalateAfterMs: after,
    runbook,
    createdBy: MANAGED_BY,
    createdAt: NO_MOMENT,
  }
}

/** What a rule of one kind is about; undefined for one that says `watch`, or whose kind is not known. */
function findRuleKey({ kind: name = '', zone, storageZone, channel }: WrittenRule): RuleKey | undefined {
  switch (findAlertKind(name)?.subject) {
    case 'pull':
      return zone === undefined ? undefined : { kind: name, subject: pullSubject(zone), channelId: channel }
    case 'storage': {
      const every = storageZone === undefined || storageZone === 'all'
      return { kind: name, subject: every ? EVERY_STORAGE_SUBJECT : storageSubject(storageZone), channelId: channel }
    }
    case 'account':
      return { kind: name, subject: ACCOUNT_SUBJECT, channelId: channel }
    case undefined:
      return undefined
  }
}

/** Where in the list there is a rule for the second time, by the same name. Several names may mean one kind now. */
function findRepeated(rules: readonly WrittenRule[]): readonly number[] {
  const keys = rules.map((rule) => {
    const { kind = 'watch', subject = rule.watch }: Partial<RuleKey> = findRuleKey(rule) ?? {}
    return `${kind} ${subject} ${rule.channel}`
  })
  return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []))
}

type Problem = readonly [message: string] | readonly [message: string, name: keyof WrittenRule]

function watchProblems(rule: WrittenRule): readonly Problem[] {
  return (['kind', 'zone', 'storageZone', 'parameters'] as const)
    .filter((name) => rule[name] !== undefined)
    .map((name) => ['has no meaning beside watch: take it out, or write a rule with kind', name])
}

function kindProblems({ kind: name, account, zone, storageZone, parameters = {} }: WrittenRule): readonly Problem[] {
  if (name === undefined) return [['says neither watch nor kind']]
  const kind = findAlertKind(name)
  if (kind === undefined) {
    const names = ALERT_KINDS.map((each) => each.name)
    const close = nearestWord(name, [...names, ...Object.keys(FORMER_NAMES)])
    const next = close === undefined ? `: known are ${names.join(', ')}` : `. Did you mean ${toCurrentName(close)}?`
    return [[`is no kind of alert: ${quoted(name)}${next}`, 'kind']]
  }
  const problems: Problem[] = parameterProblems(kind, readParameters({ kind: name, parameters })).map(({ problem }) => [
    sentenceStart(problem),
    'parameters',
  ])
  const isPull = kind.subject === 'pull'
  if (isPull && zone === undefined) problems.push([`is not given: ${name} looks at a pull zone`, 'zone'])
  const strange = {
    account,
    zone: isPull ? undefined : zone,
    storageZone: kind.subject === 'storage' ? undefined : storageZone,
  }
  for (const key of ['account', 'zone', 'storageZone'] as const)
    if (strange[key] !== undefined) problems.push([`has no meaning for ${name}: take it out`, key])
  return problems
}
