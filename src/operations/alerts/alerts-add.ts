import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT } from '../../alerts/rule-subjects.ts'
import type { AlertKind } from '../../alerts/alert-kind.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { rulesNow } from '../../alerts/rules-now.ts'
import { UserError } from '../../shared/errors.ts'
import type { AlertRule, AlertSubject } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import type { ZoneReference } from '../field.ts'
import { required } from '../fields.ts'
import type { Issue, OperationContext } from '../operation.ts'
import { zone, zoneLabel } from '../zone-field.ts'
import { subjectOf, subjectWords, zoneOfSubject } from './alert-subjects.ts'
import { channelForAlerts } from './channel-for-alerts.ts'
import { mentionField, runbookField, runbookLink } from './alert-fields.ts'
import {
  kindField,
  kindIn,
  PARAMETER_FIELDS,
  parameterFieldsOf,
  parameterIssues,
  parametersIn,
  parameterValues,
  parameterWording,
  parameterWords,
} from './kind-fields.ts'
import { addRules, isManaged, isSameRule } from './watch-set.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, md, mentionGroup } from '../../block-kit/mrkdwn.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { Answer, AnswerButton } from '../answer.ts'

export const alertsAdd = defineOperation({
  name: 'alerts add',
  summary: 'Have this channel told about one thing, with parameters of your own',
  verb: 'Turn on',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  undoable: true,
  fields: {
    kind: required(kindField('Kind')),
    pullZone: zone({
      label: 'Pull zone',
      hint: 'For kinds that look at requests: the name or numeric id of a pull zone.',
      zoneKind: 'pull',
    }),
    storageZone: zone({
      label: 'Storage zone',
      hint: 'For kinds that look at storage: a name or numeric id. Left out: every storage zone with a name.',
      zoneKind: 'storage',
    }),
    ...PARAMETER_FIELDS,
    mention: mentionField,
    runbook: runbookField,
  },
  positionals: (values) => ['kind', ...zoneFieldsOf(kindIn(values))],
  form: [
    {
      title: 'Turn on an alert',
      intro: 'It is told in the channel this form was opened in. What is left empty is as the kind has it.',
      fields: (values) => [
        'kind',
        ...zoneFieldsOf(kindIn(values)),
        ...parameterFieldsOf(kindIn(values)),
        'mention',
        'runbook',
      ],
      redrawOn: ['kind'],
      wording: (values) => ({
        ...parameterWording(kindIn(values)),
        pullZone: { needed: true },
        storageZone: { needed: false },
      }),
    },
  ],
  examples: [
    'alerts add origin-failing 301 --critical 3',
    'alerts add storage-change',
    'alerts add cache-not-working shop --warning 10',
  ],
  check: (input) => (input.kind === undefined ? [] : issuesOf(input.kind, input, parametersIn(input))),
  describe: sentenceOf,
  async run(input, context): Promise<AddedRule> {
    const channelId = await channelForAlerts(context)
    const key = { kind: input.kind, subject: subjectFor(input), channelId }
    const existing = await context.store.alertRules.list()
    const before = rulesNow(existing).find((rule) => isSameRule(rule, key))
    if (before !== undefined && isManaged(before)) throw managed(input.kind)
    const parameters = parametersIn(input)
    const summary = `${sentenceOf(input)} in ${channelId}`
    const wanted = { ...key, parameters, mention: input.mention, runbook: input.runbook }
    const { rules } = await addRules([wanted], existing, 'alerts add', summary, context)
    context.alerts.soon()
    const [rule] = rules
    if (rule === undefined) throw new TypeError('A rule was added that is not there')
    return { rule, before }
  },
  present: (added, _, context) => addedAnswer(added, context),
})

function sentenceOf(input: Target & Parameters<typeof parametersIn>[0]): string {
  const words = parameterWords(parametersIn(input))
  return `Turn on ${input.kind} for ${targetWords(input)}${words === '' ? '' : ` (${words})`}`
}

interface Target {
  readonly kind: string
  readonly pullZone?: ZoneReference | undefined
  readonly storageZone?: ZoneReference | undefined
}

/** Which field takes the zone that a kind looks at; none for the account, and both are offered where no kind is known. */
function zoneFieldsOf(kind: AlertKind | undefined): readonly ('pullZone' | 'storageZone')[] {
  if (kind === undefined || kind.subject === 'pull') return ['pullZone']
  return kind.subject === 'storage' ? ['storageZone'] : []
}

function issuesOf(
  name: string,
  target: Omit<Target, 'kind'>,
  parameters: ReturnType<typeof parametersIn>,
): readonly Issue[] {
  const kind = alertKind(name)
  if (kind === undefined) return []
  const [field] = zoneFieldsOf(kind)
  const strange = (['pullZone', 'storageZone'] as const).filter((each) => each !== field && target[each] !== undefined)
  return [
    ...(field === 'pullZone' && target.pullZone === undefined
      ? [{ field, problem: `${name} needs a pull zone to look at.`, missing: true }]
      : []),
    ...strange.map((each) => ({ field: each, problem: `${name} looks at ${LOOKS_AT[kind.subject]}.` })),
    ...parameterIssues(kind, parameters),
  ]
}

const LOOKS_AT = {
  pull: 'a pull zone, so leave the storage zone out',
  storage: 'storage zones, so leave the pull zone out',
  account: 'the whole account, so leave the zone out',
} as const

function subjectFor({ kind, pullZone, storageZone }: Target): AlertSubject {
  switch (alertKind(kind)?.subject) {
    case 'pull':
      if (pullZone === undefined) throw new TypeError(`${kind} without a zone was taken`)
      return subjectOf({ kind: 'pull', id: pullZone.id })
    case 'storage':
      return storageZone === undefined ? EVERY_STORAGE_SUBJECT : subjectOf({ kind: 'storage', id: storageZone.id })
    case 'account':
      return ACCOUNT_SUBJECT
    case undefined:
      throw new TypeError(`There is no kind ${kind}`)
  }
}

function targetWords({ kind, pullZone, storageZone }: Target): string {
  if (pullZone !== undefined) return `pull zone ${zoneLabel(pullZone)}`
  if (storageZone !== undefined) return `storage zone ${zoneLabel(storageZone)}`
  return alertKind(kind)?.subject === 'storage' ? 'every storage zone with a name' : 'the account'
}

function managed(kind: string): UserError {
  return new UserError(
    'invalid_input',
    `${kind} is on here by the configuration file, which no command changes. Nothing was done.`,
    'Have its parameters changed there.',
  )
}

interface AddedRule {
  readonly rule: AlertRule
  readonly before: AlertRule | undefined
}

function addedAnswer(
  { rule, before }: AddedRule,
  { zones, command }: Pick<OperationContext, 'zones' | 'command'>,
): Answer {
  const kind = alertKind(rule.kind)
  const what = `${kind?.title ?? rule.kind} for ${subjectWords(rule.subject, zones)}`
  const set = parameterWords(rule.parameters)
  const said =
    before === undefined ? md`*${what}* is on in this channel.` : md`*${what}* was on already and is changed.`
  const how = md`${set === '' ? 'All limits are the usual ones' : `Set: ${set}; the others are the usual ones`}.${rule.mention === undefined ? '' : md` Critical ones mention ${mentionGroup(rule.mention)}.`}${runbookLink(rule.runbook, ' ')}`
  const next = md`Every parameter is explained by ${code(`${command} alerts kinds ${rule.kind}`)}; what is on, by ${code(`${command} alerts list`)}.`
  return {
    message: wordsMessage([md`${said}\n${how}`], { small: [next] }),
    buttons: [
      before === undefined
        ? { kind: 'page', label: 'Undo', operation: 'alerts remove', values: { what: rule.id } }
        : { kind: 'page', label: 'Undo', operation: 'alerts add', values: ruleValues(before) },
      ...testButton(rule),
    ],
  }
}

export function ruleValues({ kind, subject, parameters, mention, runbook }: AlertRule): RawValues {
  const zone = zoneOfSubject(subject)
  return {
    kind,
    ...(zone !== undefined && { [`${zone.kind}Zone`]: String(zone.id) }),
    ...parameterValues(parameters),
    ...(mention !== undefined && { mention }),
    ...(runbook !== undefined && { runbook }),
  }
}

function testButton(rule: AlertRule): readonly AnswerButton[] {
  if (alertKind(rule.kind)?.subject !== 'pull') return []
  const values = ruleValues({ ...rule, mention: undefined, runbook: undefined })
  return [{ kind: 'form', label: 'Try it on the past', operation: 'alerts test', values }]
}
