import { listCurrentRules } from '../../alerts/kinds/current-rules.ts'
import { findAlertKind, toCurrentName } from '../../alerts/kinds/kinds.ts'
import type { Backfilled } from '../../alerts/log/backfill.ts'
import { ACCOUNT_SUBJECT, pullSubject } from '../../alerts/state/rule-subjects.ts'
import { percent } from '../../block-kit/amounts.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, joinMd, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import { firstLines } from '../../block-kit/sections.ts'
import { LOG_RETENTION_MS } from '../../cdn/contract/log-filter.ts'
import { turnOfTheLoop } from '../../shared/clock.ts'
import { type AlertRule, EVERY_STORAGE_SUBJECT, type RuleContacts } from '../../store/schema/alert-records.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import type { AnswerButton } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { InputOf, ZoneReference } from '../declaration/field.ts'
import { flag, required } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { zoneLabel, zones, zonesLabel } from '../declaration/zone-field.ts'
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
import { turnOnDigest } from './alerts-digest.ts'
import { isTriable } from './kind-fields.ts'
import {
  channelForAlerts,
  accountSet,
  addRules,
  isManaged,
  isSameRule,
  MAX_WATCHED_ZONES,
  type WantedRule,
  watchSet,
} from './watch-set.ts'
import { firstKnown, loadPast, newZones, replay, timesWords } from './replay.ts'

const fields = {
  pullZone: required(
    zones({
      label: 'Pull zones',
      hint: 'Names or numeric ids, separated by commas; or all, for every pull zone that has a name.',
      zoneKind: 'pull',
      most: MAX_WATCHED_ZONES,
    }),
  ),
  ...CONTACT_FIELDS,
  account: flag({
    label: 'API keys and storage too',
    hint: 'Also tells of changed API keys, and of every storage zone that has a name.',
  }),
}

export const alertsWatch = defineOperation({
  name: 'alerts watch',
  aliases: ['watch'],
  summary: 'Alert this channel when pull zones are in trouble',
  question: 'Hear of trouble in a channel?',
  verb: 'Watch',
  effect: 'write to the bot',
  audience: 'channel',
  undoable: true,
  fields,
  positionals: ['pullZone'],
  form: {
    title: 'Watch pull zones',
    intro:
      'Alerts come to this channel. Up to 3 days are read back, to know what is usual. A limit of your own is set by “alerts add origin-failing shop 3%”.',
    fields: (values) => pingFields(values) ?? ['pullZone', 'mention', 'escalate', 'after', 'account', 'runbook'],
    wording: (values) => ({ mention: { needed: pingFields(values) !== undefined } }),
  },
  examples: [
    'alerts watch 301',
    'alerts watch shop --mention S0123456789 --account',
    'alerts watch shop --mention S0123456789 --escalate U0123456789 --after 20m',
    'alerts watch 301, 302',
    'alerts watch all',
  ],
  check: (input) => escalationIssues(input),
  describe: ({ pullZone }) => `Watch ${zonesWords(pullZone)}`,
  run: watch,
  present(watched, { runbook }, { now, command }) {
    const { added, rules, replaced, pasts, digest, lacksAccount } = watched
    const zones = pasts.map(({ pullZone }) => pullZone)
    const only = zones.length === 1 ? zones[0] : undefined
    const what = only === undefined ? `${zones.length} pull zones` : `Pull zone ${zoneLabel(only)}`
    const is = zones.length === 1 ? 'is' : 'are'
    const state = added.length === 0 ? `${is === 'is' ? 'was' : 'were'} watched here already` : `${is} watched now`
    const calling = [...added, ...rules].find((rule) => pingWords(rule) !== undefined)
    const pinged = calling && pingWords(calling)
    const until = replaced && md` Until now: ${pingWords(replaced)}.`
    const whom = pinged === undefined ? md`Nobody is pinged.` : md`Critical alerts ping ${pinged}.${until}`
    const ordered = pasts.toSorted((one, other) => other.read.problems.length - one.read.problems.length)
    const lines = ordered.map((past) => writePast(past, zones.length > 1))
    const known = pasts.map(({ knownFrom }) => knownFrom)
    const values = { pullZone: zones.map(({ id }) => String(id)).join(',') }
    const isAccountNew = added.some(({ subject }) => subject === ACCOUNT_SUBJECT || subject === EVERY_STORAGE_SUBJECT)
    return {
      message: wordsMessage([md`*${what} ${state}.* ${whom}`], {
        list: firstLines(lines, MAX_ZONE_LINES),
        small: [
          isAccountNew && md`Changed API keys, and storage zones with a name that jump, are told here, too.`,
          newZones(known, now),
          digest,
          runbook !== undefined && md`Each alert links this ${runbookLink(runbook)}.`,
          only && md`A limit of your own: ${code(`${command} alerts add origin-failing ${only.name ?? only.id} 3%`)}`,
        ],
      }),
      ...(added.length === 0 && replaced === undefined && { audience: 'caller' as const }),
      buttons: [
        ...(pinged === undefined ? [pingButton('alerts watch', values)] : []),
        ...(lacksAccount ? [{ ...ACCOUNT_TOO, values: { ...values, account: 'on' } }] : []),
        ...undoWatch(watched, calling),
      ],
    }
  },
})

type Asked = InputOf<typeof fields>

async function watch(asked: Asked, context: OperationContext) {
  const { pullZone } = asked
  const channelId = await channelForAlerts(context)
  const digest = await turnOnDigest(channelId, context)
  const turned = await turnOn(asked, channelId, context)
  context.alerts.soon()
  const pasts: WatchedPast[] = []
  for (const [index, each] of pullZone.entries()) {
    const which = pullZone.length === 1 ? '' : `${zoneLabel(each)}, ${index + 1} of ${pullZone.length}: `
    // Where all of it is known already nothing is waited for, and others want to be heard.
    await turnOfTheLoop()
    const telling = { ...context, progress: (said: string) => context.progress(`${which}${said}`) }
    pasts.push(await lookBack(each, turned.rules, telling))
  }
  return { ...turned, pasts, digest }
}

function zonesWords(all: readonly ZoneReference[]): string {
  return all.length === 1 ? `pull zone ${zonesLabel(all)}` : `${all.length} pull zones: ${zonesLabel(all)}`
}

const MAX_ZONE_LINES = 10
const MAX_KINDS = 3

const ACCOUNT_TOO = { kind: 'form', label: 'API keys and storage too …', operation: 'alerts watch' } as const

function writePast({ pullZone, read, replays, coded }: WatchedPast, isNamed: boolean): Mrkdwn {
  const fired = replays
    .map(({ kind, firings }) => ({ title: kind.title, times: firings.length }))
    .filter(({ times }) => times > 0)
    .toSorted((one, other) => other.times - one.times)
  const kinds = fired.map(({ title, times }) => `${title} ${timesWords(times)}`)
  const would = `would have fired: ${listFew(kinds, MAX_KINDS)}`
  const known = read.covered >= 1 ? '' : ` (${percent(read.covered)} known)`
  const past =
    read.covered === 0
      ? 'Nothing is known of its last 3 days, so what is usual is learnt from now on.'
      : `Over the last 3 days${known} it ${fired.length === 0 ? 'would not have fired' : would}.`
  const parts = [
    isNamed && md`${zoneLabel(pullZone)}:`,
    past,
    ...read.problems.map((problem) => md`:warning: ${problem}`),
    !coded && 'Its lines carry no status codes, so a failing origin shows as STALE only.',
  ]
  return joinMd(parts, ' ')
}

/** Turns on what is not on yet. What is on already keeps its parameters, and is resumed if it was paused. */
async function turnOn({ pullZone, account, ...typed }: Asked, channelId: string, context: OperationContext) {
  const contacts = contactsOf(typed)
  const existing = await context.store.alertRules.list()
  const keys = [
    ...pullZone.flatMap(({ id }) => watchSet(id, channelId)),
    ...(account === true ? accountSet(channelId, existing) : []),
  ]
  const wanted = keys.flatMap((key): readonly WantedRule[] => {
    const on = existing.filter((rule) => isSameRule(rule, key))
    return on.length === 0 ? [{ ...key, ...contacts }] : on.flatMap((rule) => changed(rule, contacts))
  })
  const kinds = [...new Set(wanted.map(({ kind }) => toCurrentName(kind)))]
  const summary = `Watch ${zonesWords(pullZone)} in ${channelId}: ${kinds.join(', ')}`
  const { added } = await addRules(wanted, existing, 'alerts watch', summary, context)
  const kept = await context.store.alertRules.list()
  const current = listCurrentRules(kept)
  const rules = keys.flatMap((key) => current.filter((rule) => isSameRule(rule, key)))
  const isReplaced = (rule: AlertRule): boolean =>
    pingWords(rule) !== undefined &&
    kept.some((now) => now.id === rule.id && (now.mention !== rule.mention || now.escalate !== rule.escalate))
  const replaced = pullZone.length === 1 ? existing.find(isReplaced) : undefined
  return { added, rules, replaced, lacksAccount: accountSet(channelId, kept).length > 0 }
}

/** A rule that is on already, where it has to be stored anew: under the name it has. */
function changed(rule: AlertRule, given: RuleContacts): readonly WantedRule[] {
  const contacts = keepContacts(rule, given)
  const isAsItWas = JSON.stringify(contactValues(contacts)) === JSON.stringify(contactValues(rule))
  if ((isAsItWas && rule.pausedWhy === undefined) || isManaged(rule)) return []
  const { kind, subject, channelId, parameters } = rule
  return [{ kind, subject, channelId, parameters, ...contacts }]
}

/**
 * `rules` are all that are on now; `added` were not there before: what Undo takes back. `replaced` is, of one zone, a rule as
 * it was until now, which called somebody else.
 */
type Watched = Awaited<ReturnType<typeof watch>>

/** `coded`: whether lines carry status codes, without which nothing can be said of 5xx. */
type WatchedPast = Awaited<ReturnType<typeof lookBack>>

/** The rules are on whatever becomes of this, so what goes wrong here is told beside them. */
async function lookBack(pullZone: ZoneReference, rules: readonly AlertRule[], context: OperationContext) {
  const { alerts, signal } = context
  let read: Backfilled = { covered: 0, problems: [] }
  try {
    signal.throwIfAborted()
    read = await alerts.backfill(pullZone.id, { signal, progress: (said) => context.progress(said) })
    return { pullZone, read, ...(await replayZone(pullZone.id, rules, context)) }
  } catch (error) {
    if (!signal.aborted && !(error instanceof StoreError)) throw error
    const why = signal.aborted ? 'it took too long' : 'the store did not answer'
    const problems = [...read.problems, `What would have been told is not known: ${why}.`]
    return { pullZone, read: { ...read, problems }, replays: [], coded: true, knownFrom: undefined }
  }
}

async function replayZone(pullZoneId: bigint, rules: readonly AlertRule[], context: OperationContext) {
  const past = await loadPast(pullZoneId, new Date(context.now.getTime() - LOG_RETENTION_MS), context)
  const kinds = rules.flatMap(({ kind: name, subject, parameters }) => {
    const kind = subject === pullSubject(pullZoneId) ? findAlertKind(name) : undefined
    return isTriable(kind) ? [[kind, parameters] as const] : []
  })
  const replays = await replay(kinds, pullZoneId, past, context)
  const { series, from, until } = past
  const all = series.total('lines', from, until)
  return { replays, coded: all === 0 || series.isCoded, knownFrom: firstKnown(past) }
}

/** Takes off what is new; or has those called again who were, unless somebody came on top, whom no watch takes off. */
function undoWatch({ added, replaced, pasts }: Watched, calling: AlertRule | undefined): readonly AnswerButton[] {
  const undo = { kind: 'page', label: 'Undo' } as const
  if (added.length > 0)
    return [{ ...undo, operation: 'alerts remove', values: { what: added.map(({ id }) => id).join(',') } }]
  if (replaced === undefined) return []
  const { mention = calling?.mention, escalate = calling?.escalate } = replaced
  if (mention !== replaced.mention || escalate !== replaced.escalate) return []
  const pullZone = pasts.map((past) => String(past.pullZone.id)).join(',')
  return [{ ...undo, operation: 'alerts watch', values: { pullZone, ...contactValues(replaced) } }]
}
