import { ACCOUNT_SUBJECT, pullSubject, storageSubject } from '../../alerts/state/rule-subjects.ts'
import { type AlertKind, parameterProblems, type Parameters, withGiven } from '../../alerts/kinds/alert-kind.ts'
import { findAlertKind } from '../../alerts/kinds/kinds.ts'
import { listCurrentRules, readParameters } from '../../alerts/kinds/current-rules.ts'
import { UserError } from '../../shared/errors.ts'
import { type AlertRule, type AlertSubject, EVERY_STORAGE_SUBJECT } from '../../store/schema/alert-records.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { ZoneReference } from '../declaration/field.ts'
import { flag, required } from '../declaration/fields.ts'
import type { Issue } from '../declaration/operation.ts'
import { zone, zoneLabel } from '../declaration/zone-field.ts'
import { ruleLabel, zoneOfSubject, channelForAlerts, addRules, isManaged, isSameRule } from './watch-set.ts'
import {
  CONTACT_FIELDS,
  contactsOf,
  contactValues,
  escalationIssues,
  keepContacts,
  pingButton,
  pingFields,
  pingWords,
  runbookLink,
} from './alert-fields.ts'
import {
  isKindWord,
  isTriable,
  kindField,
  limitWords,
  readKind,
  PARAMETER_FIELDS,
  listParameterFields,
  pickParameters,
  type TypedParameters,
  LOOKS_AT,
  wordParameters,
  parameterWords,
} from './kind-fields.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { type AnswerButton, type FormButton, rawValuesFrom } from '../declaration/answer.ts'

export const alertsAdd = defineOperation({
  name: 'alerts add',
  summary: 'Alert this channel about one thing, with limits of your own',
  verb: 'Save',
  effect: 'write to the bot',
  audience: 'channel',
  undoable: true,
  fields: {
    kind: required(kindField()),
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
    ...CONTACT_FIELDS,
    exactly: flag({
      label: 'Exactly this',
      hint: 'Of an alert that is on already, what is not given goes back to its default; without this it stays.',
    }),
  },
  positionals: (values) => {
    if (!isKindWord(values)) return ['pullZone']
    const kind = readKind(values)
    return ['kind', ...listZoneFields(kind), ...listParameterFields(kind).filter((name) => name === 'warning')]
  },
  form: {
    title: 'Alert with own limits',
    intro: 'It comes to this channel. What is left empty has its default, or stays as it was set.',
    fields: (values) =>
      pingFields(values) ?? [
        'kind',
        ...listZoneFields(readKind(values)),
        ...listParameterFields(readKind(values)),
        'mention',
        'escalate',
        'after',
        'runbook',
      ],
    redrawOn: ['kind'],
    wording: (values) => ({
      ...wordParameters(readKind(values)),
      pullZone: { needed: true },
      mention: { needed: pingFields(values) !== undefined },
    }),
  },
  examples: [
    'alerts add origin-failing 301 --critical 3',
    'alerts add storage-change',
    'alerts add cache-not-working shop --warning 10',
  ],
  check: (input) => [...listIssues(input), ...escalationIssues(input)],
  describe: (input) => writeSentence(input, pickParameters(input)),
  async run(input, context) {
    const channelId = await channelForAlerts(context)
    const key = { kind: input.kind, subject: subjectFor(input), channelId }
    const existing = await context.store.alertRules.list()
    const before = listCurrentRules(existing).find((rule) => isSameRule(rule, key))
    if (before !== undefined && isManaged(before)) {
      const why = `${input.kind} is on here by the configuration file, which no command changes. Nothing was done.`
      throw new UserError('invalid_input', why, 'Have its parameters changed there.')
    }
    const stays = input.exactly === true ? undefined : before
    const kept = stays === undefined ? {} : readParameters(stays)
    const kind = findAlertKind(input.kind)
    const parameters = withGiven(kind, kept, pickParameters(input))
    const wanted = { ...key, parameters, ...keepContacts(stays ?? {}, contactsOf(input)) }
    // What is given and what stays need not go together.
    const wrong = kind && parameterProblems(kind, parameters)[0]?.problem
    if (wrong !== undefined)
      throw new UserError('invalid_input', `${wrong} Nothing was done.`, 'Give both, as in: --warning 4 --critical 8')
    const settingsOf = (rule: typeof wanted): string =>
      JSON.stringify([parameterWords(rule.kind, rule.parameters), contactValues(rule)])
    if (before !== undefined && before.pausedWhy === undefined && settingsOf(before) === settingsOf(wanted))
      return { rule: before, before }
    const verb = before === undefined ? 'Turn on' : 'Change'
    const summary = `${writeSentence(input, parameters, verb)} in ${channelId}`
    const { rules } = await addRules([wanted], existing, 'alerts add', summary, context)
    context.alerts.soon()
    const [rule] = rules
    if (rule === undefined) throw new TypeError('A rule was added that is not there')
    return { rule, before }
  },
  present: ({ rule, before }, _, { zones }) => {
    const isUnchanged = rule === before
    const what = ruleLabel(rule, zones)
    const set = parameterWords(rule.kind, rule.parameters)
    const state = before === undefined ? 'is on here.' : isUnchanged ? 'is on already; nothing changed.' : 'is changed.'
    const pinged = pingWords(rule)
    const meaning = findAlertKind(rule.kind)?.parameters.find(({ name }) => name === 'warning')?.meaning
    const whom = pinged === undefined ? md`Nobody is pinged.` : md`Critical ones ping ${pinged}.`
    const was = before === undefined || isUnchanged ? '' : limitWords(before.kind, readParameters(before))
    const until = was === '' || was === limitWords(rule.kind, rule.parameters) ? '' : ` Until now: ${was}.`
    const how = md`${set === '' ? 'Default limits' : `Set: ${set}`}.${until} ${whom}${runbookLink(rule.runbook, ' ')}`
    return {
      message: wordsMessage([md`*${what}* ${state} ${how}`], {
        small: [rule.parameters['warning'] !== undefined && md`${meaning}`],
      }),
      ...(isUnchanged && { audience: 'caller' }),
      buttons: [
        ...(isUnchanged
          ? [changeButton('Change limits …', rule)]
          : [
              before === undefined ? undo('alerts remove', { what: rule.id }) : undo('alerts add', exactValues(before)),
            ]),
        ...(pinged === undefined ? [pingButton('alerts add', ruleValues(rule))] : []),
        ...testButton(rule),
      ],
    }
  },
})

function writeSentence(target: Target, parameters: Parameters, verb = 'Turn on'): string {
  const words = parameterWords(target.kind, parameters)
  return `${verb} ${target.kind} for ${targetWords(target)}${words === '' ? '' : ` (${words})`}`
}

interface Target {
  readonly kind: string
  readonly pullZone?: ZoneReference | undefined
  readonly storageZone?: ZoneReference | undefined
}

/** Which field takes the zone that a kind looks at; none for the account, and both are offered where no kind is known. */
function listZoneFields(kind: AlertKind | undefined): readonly ('pullZone' | 'storageZone')[] {
  if (kind === undefined || kind.subject === 'pull') return ['pullZone']
  return kind.subject === 'storage' ? ['storageZone'] : []
}

function listIssues(target: Partial<Target> & TypedParameters): readonly Issue[] {
  const { kind: name } = target
  const kind = name === undefined ? undefined : findAlertKind(name)
  if (name === undefined || kind === undefined) return []
  const [field] = listZoneFields(kind)
  // A limit that is given alone takes the other along, so only two that are given can be at odds.
  const areAllGiven = target.warning !== undefined && target.critical !== undefined
  const strange = (['pullZone', 'storageZone'] as const).filter((each) => each !== field && target[each] !== undefined)
  return [
    ...(field === 'pullZone' && target.pullZone === undefined
      ? [{ field, problem: `${name} needs a pull zone to look at.`, missing: true }]
      : []),
    ...strange.map((each) => ({
      field: each,
      problem: `${name} looks at ${LOOKS_AT[kind.subject]}, so leave this out.`,
    })),
    ...parameterProblems(kind, pickParameters({ ...target, kind: name })).filter(
      ({ field: each }) => each !== undefined || areAllGiven,
    ),
  ]
}

/** Only the zone that the kind looks at is given, as its check sees to. */
function subjectFor({ kind, pullZone, storageZone }: Target): AlertSubject {
  if (pullZone !== undefined) return pullSubject(pullZone.id)
  if (storageZone !== undefined) return storageSubject(storageZone.id)
  return findAlertKind(kind)?.subject === 'storage' ? EVERY_STORAGE_SUBJECT : ACCOUNT_SUBJECT
}

function targetWords({ kind, pullZone, storageZone }: Target): string {
  if (pullZone !== undefined) return `pull zone ${zoneLabel(pullZone)}`
  if (storageZone !== undefined) return `storage zone ${zoneLabel(storageZone)}`
  return findAlertKind(kind)?.subject === 'storage' ? 'every storage zone with a name' : 'the account'
}

function undo(operation: string, values: RawValues): AnswerButton {
  return { kind: 'page', label: 'Undo', operation, values }
}

/** The form with all that is set: what is emptied there goes back to its default. */
export function changeButton(label: string, rule: AlertRule): FormButton {
  return { kind: 'form', label, operation: 'alerts add', values: exactValues(rule) }
}

export function ruleValues({ kind, subject, parameters, ...rule }: AlertRule): RawValues {
  const zone = zoneOfSubject(subject)
  return {
    kind,
    ...(zone !== undefined && { [`${zone.kind}Zone`]: String(zone.id) }),
    ...rawValuesFrom(parameters),
    ...contactValues(rule),
  }
}

/** What puts a rule to what it is here, whatever it is then. */
export function exactValues(rule: AlertRule): RawValues {
  return { ...ruleValues(rule), exactly: 'true' }
}

function testButton(rule: AlertRule): readonly AnswerButton[] {
  if (!isTriable(findAlertKind(rule.kind))) return []
  const values = ruleValues({ ...rule, ...contactsOf({}) })
  return [{ kind: 'form', label: 'Try it on the past', operation: 'alerts test', values }]
}
