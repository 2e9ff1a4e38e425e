import { listFiring } from '../../alerts/state/incident.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import {
  type AlertRule,
  type AlertSubject,
  EVERY_STORAGE_SUBJECT,
  type IncidentRecord,
  type SubjectView,
} from '../../store/schema/alert-records.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { wordFacts, readParameters, listCurrentRules } from '../../alerts/kinds/current-rules.ts'
import { type Inhibition, findStoredInhibition } from '../../alerts/incidents/inhibition.ts'
import { severityWords } from '../../alerts/incidents/incident-words.ts'
import { shortId } from '../../shared/short-id.ts'
import { readKeysRecord } from '../../alerts/watch/keys-watch.ts'
import { getKindTitle } from '../../alerts/kinds/kinds.ts'
import type { Severity } from '../../alerts/state/reading.ts'
import { ACCOUNT_SUBJECT, firingFirst, storageSubject } from '../../alerts/state/rule-subjects.ts'
import { readAlertState } from '../../alerts/state/step.ts'
import type { TrafficTrust } from '../../alerts/log/zone-record.ts'
import { counted, percent } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, smallPrint, tablePart, titledList, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, mentionChannel, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { bullets } from '../../block-kit/sections.ts'
import { type Column, type Table, tableOf } from '../../block-kit/table.ts'
import type { Answer, FormButton } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { flag } from '../declaration/fields.ts'
import { readerTimes } from '../declaration/reader-times.ts'
import { pingWords, runbookLink } from './alert-fields.ts'
import { changeButton } from './alerts-add.ts'
import { digestLine, WATCH } from './alerts-digest.ts'
import { findRunbook, subjectCell, subjectWords, zoneOfSubject, channelHere, isManaged } from './watch-set.ts'
import { limitWords } from './kind-fields.ts'
import { silencedWords } from './alerts-silence.ts'

export const alertsList = defineOperation({
  name: 'alerts list',
  aliases: ['alerts'],
  summary: 'Show what this channel gets, and why something is kept quiet',
  effect: 'read',
  shareable: true,
  fields: { all: flag({ label: 'All channels', hint: 'The rules of every channel, not only of this one.' }) },
  examples: ['alerts list', 'alerts list --all'],
  describe: ({ all }) => `List the alerts of ${all === true ? 'all channels' : 'this channel'}`,
  run: ({ all }, context) => readAlerts(all === true ? undefined : channelHere(context), context),
  present: (listed, { all }, context) => listAnswer(listed, all === true, context),
})

const PAGE_ROWS = 15
const FALLBACK_ROWS = 25
const MAX_LINES = 10
/** Two zones, and what is watched of the account. */
const MAX_CHANGE_BUTTONS = 12

function listAnswer(listed: ListedAlerts, all: boolean, running: OperationContext): Answer {
  const where = all ? 'Alerts of all channels' : 'Alerts here'
  if (listed.rules.length === 0) {
    const said = all ? 'No channel gets alerts.' : 'This channel gets no alerts.'
    const next = md`Watch a pull zone: ${code(`${running.command} alerts watch <pull-zone>`)}`
    return { message: wordsMessage([md`*${said}* ${next}`], { small: [digestLine(listed.digest)] }), buttons: [WATCH] }
  }
  const firing = listed.rules.filter(({ phase }) => phase === 'firing').length
  const leftOut = listed.rules.filter(({ isLeftOut }) => isLeftOut).length
  const silent = listed.rules.filter(({ rule, last }) => last === undefined && rule.pausedWhy === undefined).length
  const unlooked = silent - leftOut
  const known = listed.rules.length - silent
  const fires = known === 0 ? '' : `${firing === 0 ? 'none' : firing} firing`
  const yet = unlooked === 0 ? '' : `${known === 0 ? '' : `, ${counted(unlooked, 'rule')} `}not looked at yet`
  const rest = leftOut === 0 ? '' : `, ${counted(leftOut, 'rule')} left out`
  const title = md`*${where}: ${fires}${yet}${rest}*`
  const troubled = listed.read.filter(({ trust }) => trust?.failure !== undefined || trust?.gap !== undefined)
  const silences = listed.silences.map((silence) => silenceLine(silence, running))
  const troubles = troubled.map((zone) => readingLine(zone, running))
  const lists = [
    titledList('Kept quiet', inhibitedLines(listed.rules, running), MAX_LINES),
    titledList('Silences', silences, MAX_LINES),
    titledList('Log trouble', troubles, MAX_LINES),
    titledList('Never delivered', listed.dead.map(deadLine), MAX_LINES),
  ]
  const what = md`What happened in the last 12 h: ${code(`${running.command} history`)}`
  const most = md`Of more than ${MAX_SUBJECTS} zones those that fire come first, and the others are left out.`
  const small = smallPrint(leftOut > 0 && most, digestLine(listed.digest), waitingLine(listed.waiting), what)
  const lines = subjectLines(listed.rules, all, running)
  return {
    message: messageOf(paragraphs(title), { blocks: [bullets(lines)], lines: lines.map(plainOf) }, ...lists, small),
    buttons: [
      WATCH,
      { kind: 'form', label: 'Silence …', operation: 'alerts silence', values: {} },
      {
        kind: 'more',
        label: 'Rules and limits',
        message: writeRules(listed, all, running),
        buttons: changeButtons(listed, running),
      },
    ],
  }
}

function subjectLines(rules: readonly ListedRule[], all: boolean, { zones }: OperationContext): readonly Mrkdwn[] {
  const groups = Map.groupBy(rules, ({ rule }) => JSON.stringify([rule.subject, all && rule.channelId])).values()
  return Array.from(groups, (group) => {
    const titles = (same: readonly ListedRule[]): string => same.map(({ rule }) => getKindTitle(rule.kind)).join(', ')
    const said = Map.groupBy(group, (each) => nowWords(each)).entries()
    const parts = Array.from(said, ([now, same]) => `${titles(same)}: ${now}`)
    const { rule } = group[0] ?? {}
    const where = all && rule !== undefined ? md` in ${mentionChannel(rule.channelId)}` : undefined
    const whom = group.flatMap((each) => pingWords(each.rule) ?? [])[0] ?? md`nobody`
    const runbook = group.flatMap((each) => each.rule.runbook ?? [])[0] ?? findRunbook(rule?.subject ?? '', zones)
    const holders = [...new Set(group.flatMap(({ holder }) => holder ?? []))].map((id) => mention(id))
    const held = holders.length > 0 ? md` · looked after by ${joinMd(holders, ', ')}` : undefined
    return md`*${rule && subjectWords(rule.subject, zones)}*${where} · ${parts.join(' · ')}${held} · pings ${whom}${runbookLink(runbook, ' · ')}`
  })
}

function writeRules(listed: ListedAlerts, all: boolean, running: OperationContext) {
  const table = tablePart(rulesTable(listed, all, running), FALLBACK_ROWS)
  const reading = listed.read.map((zone) => readingLine(zone, running))
  return messageOf(
    paragraphs(md`*${counted(listed.rules.length, 'rule')}*, times in ${readerTimes(running.actor.timeZone).zone}`),
    table,
    titledList('Reading', reading, MAX_LINES),
    smallPrint(
      table.kept < table.total && md`The table shows the first ${table.kept} of ${table.total} rules.`,
      md`While all is well, readings are noted every ten minutes.`,
      md`Change limits below, or with ${code(`${running.command} alerts add <kind> <zone> <warning> --critical …`)}: what is not given stays.`,
    ),
  )
}

/** To the form of each rule that a command may change; a line shows the way to the others. */
function changeButtons({ rules }: ListedAlerts, { zones, channelId }: OperationContext): readonly FormButton[] {
  const mine = rules.map(({ rule }) => rule).filter((rule) => rule.channelId === channelId && !isManaged(rule))
  const set = mine.filter(({ kind }) => limitWords(kind, {}) !== '')
  return set
    .slice(0, MAX_CHANGE_BUTTONS)
    .map((rule) => changeButton(`Change ${subjectCell(rule.subject, zones)}: ${getKindTitle(rule.kind)} …`, rule))
}

function rulesTable({ rules }: ListedAlerts, all: boolean, { zones, actor }: OperationContext): Table {
  const times = readerTimes(actor.timeZone)
  const channel: Column<ListedRule> = ['Channel', ({ rule }) => rule.channelId]
  const columns: readonly Column<ListedRule>[] = [
    ['Zone', ({ rule }) => subjectCell(rule.subject, zones)],
    ['Alert', ({ rule }) => getKindTitle(rule.kind)],
    ...(all ? [channel] : []),
    ['Now', nowWords],
    ['Last reading', ({ last }) => last && `${times.format(new Date(last.atMs)).slice(0, 16)}: ${last.sentence}`],
    ['Limits', ({ rule }) => limitWords(rule.kind, readParameters(rule))],
    ['From', ({ rule }) => (isManaged(rule) ? 'the configuration' : 'a command')],
    ['Rule', ({ rule }) => shortId(rule.id)],
  ]
  return tableOf('Rules', columns, rules, PAGE_ROWS)
}

function nowWords({ rule, phase, severity, last, inhibition, isLeftOut }: ListedRule): string {
  if (rule.pausedWhy !== undefined) return 'paused'
  if (isLeftOut === true) return 'left out'
  const isUnread = inhibition?.why === 'no data'
  const words = {
    firing: severity === undefined ? 'fires' : `${severityWords(severity)}, fires`,
    inactive: isUnread ? 'nothing can be said now' : last === undefined ? 'nothing can be said yet' : 'all is well',
  }
  const unknown = last === undefined ? 'not looked at yet' : 'nothing can be said yet'
  const said = phase === undefined ? unknown : words[phase]
  return inhibition === undefined ? said : `${said}, kept quiet`
}

function inhibitedLines(rules: readonly ListedRule[], { zones, command }: OperationContext): readonly Mrkdwn[] {
  const lines = rules.flatMap(({ rule, inhibition }) => {
    if (inhibition === undefined) return []
    const way = code(`${command} alerts resume ${shortId(rule.id)}`)
    const resume = inhibition.why === 'paused' ? md` Go on with ${way}.` : undefined
    const rest = md`for ${subjectWords(rule.subject, zones)}: ${inhibitionWords(inhibition)}${resume}`
    return [{ title: getKindTitle(rule.kind), rest }]
  })
  const groups = Map.groupBy(lines, ({ rest }) => plainOf(rest)).values()
  return Array.from(groups, (group) => md`*${group.map(({ title }) => title).join(', ')}* ${group[0]?.rest}`)
}

function silenceLine(
  { id, subject, kind, until, by, reason }: ListedAlerts['silences'][number],
  { zones, command }: OperationContext,
): Mrkdwn {
  return md`${silencedWords(kind)} ${subjectWords(subject, zones)} until ${dateTime(until)}, by ${mention(by)}${reason && `: ${reason}`} · ${code(`${command} alerts unsilence ${shortId(id)}`)}`
}

function readingLine({ subject, trust }: ListedAlerts['read'][number], { zones }: OperationContext): Mrkdwn {
  const zone = subjectWords(subject, zones)
  if (trust === undefined) return md`${zone}: the first reading comes within a minute or two.`
  const { failure, lagMs, behindMinutes, covered, gap } = trust
  const lost =
    gap &&
    md` Lines from ${dateTime(new Date(gap.fromMs))} to ${dateTime(new Date(gap.untilMs))} were lost before they were read.`
  if (failure !== undefined) {
    return md`:warning: ${zone}: not read since ${dateTime(new Date(failure.sinceMs))}: ${failure.cause}.${lost}`
  }
  const behind = behindMinutes > 0 ? `, ${counted(behindMinutes, 'minute')} behind` : ''
  const about = Math.max(1, Math.round(lagMs / MINUTE_MS))
  return md`${zone}: every minute is read about ${about} min after it ended${behind}; ${percent(covered)} of the last half hour was read.${lost}`
}

function deadLine({ what, channelId, deadAt, reason }: ListedAlerts['dead'][number]): Mrkdwn {
  return md`${NAMES[what]} for ${mentionChannel(channelId)}, ${dateTime(deadAt)}: ${reason}`
}

const NAMES = {
  card: 'The message of an incident',
  reply: 'A word in a thread',
  webhook: 'A call of the webhook',
} as const

function waitingLine({ count, oldest }: ListedAlerts['waiting']): Mrkdwn | undefined {
  if (count === 0 || oldest === undefined) return undefined
  return md`${counted(count, 'message')} of all channels ${count === 1 ? 'waits' : 'wait'} to be delivered, the oldest since ${dateTime(oldest)}.`
}

export function inhibitionWords(inhibition: Inhibition): Mrkdwn {
  switch (inhibition.why) {
    case 'paused':
      return md`paused: ${inhibition.sentence}`
    case 'silenced': {
      const { by, until, reason } = inhibition.silence
      return md`silenced by ${mention(by)} until ${dateTime(until)}${reason === undefined ? '' : `: ${reason}`}`
    }
    case 'dismissed':
      return md`not a problem, said ${mention(inhibition.by)} ${dateTime(inhibition.at)}`
    case 'no data':
      return md`its data can’t be trusted while “${getKindTitle(inhibition.kind)}” fires`
    case 'marked':
      return md`“${inhibition.mark.text}” was marked ${dateTime(inhibition.mark.at)}, and explains 15 min`
    case 'flapping':
      return md`flapping, so kept quiet until ${dateTime(inhibition.until)}`
  }
}

const MAX_OPEN_INCIDENTS = 200
/** So many subjects are looked at in full; rules about others are listed without where they stand. */
const MAX_SUBJECTS = 60

interface ListedRule {
  readonly rule: AlertRule
  readonly phase: 'inactive' | 'firing' | undefined
  readonly severity: Severity | undefined
  readonly last: { readonly atMs: number; readonly sentence: string } | undefined
  readonly inhibition: Inhibition | undefined
  readonly isLeftOut?: boolean
  readonly holder?: string | undefined
}

type ListedAlerts = Awaited<ReturnType<typeof readAlerts>>

async function readAlerts(channelId: string | undefined, { store, alerts, now, zones }: OperationContext) {
  const rules = listCurrentRules(await store.alertRules.list(channelId))
  const storage = zones.flatMap(({ kind, zoneId }) => (kind === 'storage' ? [storageSubject(zoneId)] : []))
  const listSubjects = ({ subject }: AlertRule) => (subject === EVERY_STORAGE_SUBJECT ? storage : [subject])
  const open = await store.alerts.incidents({ channelId, open: true, limit: MAX_OPEN_INCIDENTS })
  const subjects = firingFirst([...new Set(rules.flatMap(listSubjects))], open).slice(0, MAX_SUBJECTS)
  const views = new Map<AlertSubject, SubjectView>()
  const read: { readonly subject: AlertSubject; readonly trust: TrafficTrust | undefined }[] = []
  for (const subject of subjects) {
    views.set(subject, await store.alerts.view(subject, now))
    const zone = zoneOfSubject(subject)
    if (zone?.kind !== 'pull') continue
    read.push({ subject, trust: await alerts.trust(zone.id) })
  }
  const isHere = (other: string | undefined): boolean => channelId === undefined || other === channelId
  const [silences, dead, waiting, digest] = await Promise.all([
    store.silences.list(now),
    store.outbox.deadPosts(),
    store.outbox.waitingPosts(),
    channelId === undefined ? undefined : store.digests.get(channelId),
  ])
  const holders = new Map(open.flatMap(listHolders))
  return {
    rules: rules.map((rule) => {
      const meant = listSubjects(rule)
      const each = meant.flatMap((subject) => {
        const view = views.get(subject)
        return view === undefined ? [] : [listRule(rule, subject, view, now, subjectWords(subject, zones))]
      })
      const first =
        each.find(({ phase }) => phase === 'firing') ?? each.find(({ phase }) => phase !== undefined) ?? each[0]
      const isLeftOut = first === undefined && meant.length > 0 && rule.pausedWhy === undefined
      return { ...(first ?? describeUnknown(rule)), isLeftOut, holder: holders.get(rule.id) }
    }),
    read,
    silences: silences.filter((silence) => silence.channelId === undefined || isHere(silence.channelId)),
    dead: dead.filter((post) => isHere(post.channelId)),
    waiting,
    digest,
  }
}

function listHolders(incident: IncidentRecord) {
  const { acknowledgedBy: holder } = incident
  return holder === undefined ? [] : listFiring(incident).map(({ ruleId }) => [ruleId, holder] as const)
}

function listRule(rule: AlertRule, subject: AlertSubject, view: SubjectView, now: Date, zone: string): ListedRule {
  const record = view.states.find((each) => each.ruleId === rule.id && each.subject === subject)
  const state = readAlertState(record)
  const { last, severity } = state
  const inhibition = findStoredInhibition(rule, view, state, now)
  if (subject === ACCOUNT_SUBJECT) return { rule, severity, inhibition, ...readKeys(view) }
  const about = rule.subject === subject ? '' : `${zone}: `
  return {
    rule,
    phase: record === undefined ? undefined : state.phase,
    severity,
    last: last && { atMs: last.atMs, sentence: `${about}${wordFacts(rule, last.reading).sentence}` },
    inhibition,
  }
}

/** Keys have events, which are over as soon as they are told: what is known is when they were listed, and whether all of them. */
function readKeys({ watch }: SubjectView): Pick<ListedRule, 'phase' | 'last'> {
  const known = readKeysRecord(watch?.state)
  if (known === undefined) return { phase: undefined, last: undefined }
  const { lookedMs: atMs, snapshot } = known
  const none = 'The list of API keys was not complete yet, and without a complete one no change can be told.'
  if (snapshot === undefined) return { phase: undefined, last: { atMs, sentence: none } }
  const sentence = `${counted(snapshot.length, 'API key')} known from the last complete list.`
  return { phase: 'inactive', last: { atMs, sentence } }
}

function describeUnknown(rule: AlertRule): ListedRule {
  const { pausedWhy: sentence } = rule
  const inhibition = sentence === undefined ? undefined : ({ why: 'paused', sentence } as const)
  return { rule, phase: undefined, severity: undefined, last: undefined, inhibition }
}
