import { MINUTE_MS } from '../../alerts/traffic.ts'
import { severityWords, shortId } from '../../alerts/incident-words.ts'
import { alertKind } from '../../alerts/kinds.ts'
import type { TrafficTrust } from '../../alerts/traffic-trust.ts'
import { percent } from '../../block-kit/amounts.ts'
import { message } from '../../block-kit/message.ts'
import { code, dateTime, md, mention, mentionChannel, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { fitTable, type Table, tableText } from '../../block-kit/table.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import { counted } from '../counted.ts'
import type { OperationContext } from '../operation.ts'
import { readerTimes } from '../reader-times.ts'
import { titledList } from '../titled-list.ts'
import { subjectCell, subjectWords } from './alert-subjects.ts'
import { heldWords } from './held-words.ts'
import { parameterWords } from './kind-fields.ts'
import type { ListedAlerts, ListedRule } from './list-reading.ts'
import { silencedWords } from './silenced.ts'
import { isManaged } from './watch-set.ts'

const PAGE_ROWS = 15
const TWIN_ROWS = 25
const MAX_LINES = 10

type Running = Pick<OperationContext, 'zones' | 'actor' | 'command' | 'channelId'>

const WATCH: AnswerButton = { kind: 'form', label: 'Watch a zone', operation: 'alerts watch', values: {} }

/** What a channel gets and where it stands, why something is held back, and what could not be delivered. */
export function listAnswer(listed: ListedAlerts, all: boolean, running: Running): Answer {
  const where = all ? 'Alerts of all channels' : 'Alerts of this channel'
  if (listed.rules.length === 0) {
    const said = all ? 'No channel gets alerts.' : 'This channel gets no alerts.'
    const next = md`Watch a pull zone: ${code(`${running.command} alerts watch <pull-zone>`)}`
    return {
      message: message({ text: `${said} ${plainOf(next)}`, blocks: [section(md`*${said}* ${next}`)] }),
      buttons: [WATCH],
    }
  }
  const firing = listed.rules.filter(({ phase }) => phase === 'firing').length
  const title = md`*${where}: ${counted(listed.rules.length, 'rule')}, ${firing === 0 ? 'none fires' : `${firing} firing`}.*`
  const table = rulesTable(listed.rules, all, running)
  const { block, kept, total } = fitTable(table)
  const held = titledList('Held back', linesOf(heldLines(listed.rules, running)))
  const silences = titledList('Silences', linesOf(listed.silences.map((silence) => silenceLine(silence, running))))
  const reading = titledList(
    'Reading',
    linesOf(listed.trust.map(([subject, trust]) => readingLine(subject, trust, running))),
  )
  const dead = titledList('Messages that were given up', linesOf(listed.dead.map(deadLine)))
  const notes = [
    ...(kept < total ? [md`The table shows the first ${kept} of ${total} rules.`] : []),
    ...waitingLine(listed.waiting),
  ]
  const lists = [held, silences, reading, dead]
  return {
    message: message({
      text: [
        plainOf(title),
        tableText(table, TWIN_ROWS),
        ...lists.flatMap(({ lines }) => lines),
        ...notes.map(plainOf),
      ].join('\n'),
      blocks: [section(title), block, ...lists.flatMap(({ blocks }) => blocks), ...notes.map((note) => context(note))],
    }),
    buttons: [WATCH, { kind: 'form', label: 'Silence …', operation: 'alerts silence', values: {} }],
  }
}

function rulesTable(rules: readonly ListedRule[], all: boolean, { zones, actor }: Running): Table {
  const times = readerTimes(actor.timeZone)
  const titles = ['Zone', 'Alert', ...(all ? ['Channel'] : []), 'Now', 'Last reading', 'Set', 'From', 'Rule']
  return {
    caption: `Rules, times in ${times.zone}; while all is well, readings are noted every ten minutes`,
    columns: titles.map((title) => ({ title, kind: 'text' })),
    rows: rules.map((each) => [
      subjectCell(each.rule.subject, zones),
      alertKind(each.rule.kind)?.title ?? each.rule.kind,
      ...(all ? [each.rule.channelId] : []),
      nowWords(each),
      each.last && `${times.format(new Date(each.last.atMs)).slice(0, 16)}: ${each.last.sentence}`,
      parameterWords(each.rule.parameters),
      isManaged(each.rule) ? 'the configuration' : 'a command',
      shortId(each.rule.id),
    ]),
    pageSize: PAGE_ROWS,
  }
}

function nowWords({ rule, phase, severity, last, heldBack }: ListedRule): string {
  if (rule.pausedWhy !== undefined) return 'paused'
  const words = {
    firing: severity === undefined ? 'fires' : `${severityWords(severity)}, fires`,
    pending: 'may be about to fire',
    inactive: 'all is well',
  }
  const unknown = last === undefined ? 'not looked at yet' : 'nothing can be said yet'
  const said = phase === undefined ? unknown : words[phase]
  return heldBack === undefined ? said : `${said}, held back`
}

/** One line for all of a subject that is held back for the same reason. */
function heldLines(rules: readonly ListedRule[], { zones, command }: Running): readonly Mrkdwn[] {
  const lines = new Map<string, { readonly titles: string[]; readonly rest: Mrkdwn }>()
  for (const { rule, heldBack } of rules) {
    if (heldBack === undefined) continue
    const title = alertKind(rule.kind)?.title ?? rule.kind
    const paused = heldBack.why === 'paused'
    const resume = paused ? md` Go on with ${code(`${command} alerts resume ${shortId(rule.id)}`)}.` : md``
    const rest = md`for ${subjectWords(rule.subject, zones)}: ${heldWords(heldBack)}${resume}`
    const key = plainOf(rest)
    const line = lines.get(key)
    if (line === undefined) lines.set(key, { titles: [title], rest })
    else line.titles.push(title)
  }
  return [...lines.values()].map(({ titles, rest }) => md`*${titles.join(', ')}* ${rest}`)
}

function silenceLine(
  { id, subject, kind, until, by, reason }: ListedAlerts['silences'][number],
  { zones, command }: Running,
): Mrkdwn {
  const why = reason === undefined ? '' : `: ${reason}`
  return md`${silencedWords(kind)} ${subjectWords(subject, zones)} until ${dateTime(until)}, by ${mention(by)}${why}. End it with ${code(`${command} alerts unsilence ${shortId(id)}`)}.`
}

function readingLine(subject: string, trust: TrafficTrust | undefined, { zones }: Running): Mrkdwn {
  const zone = subjectWords(subject, zones)
  if (trust === undefined) return md`${zone}: the first reading comes within a minute or two.`
  const { failure, lagMs, behindMinutes, covered, gap } = trust
  const lost =
    gap === undefined
      ? ''
      : md` Lines from ${dateTime(new Date(gap.fromMs))} to ${dateTime(new Date(gap.untilMs))} were lost before they were read.`
  if (failure !== undefined) {
    return md`:warning: ${zone}: nothing is read since ${dateTime(new Date(failure.sinceMs))}, because: ${failure.cause}. It is tried every minute.${lost}`
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

function waitingLine({ count, oldest }: ListedAlerts['waiting']): readonly Mrkdwn[] {
  if (count === 0 || oldest === undefined) return []
  return [md`${counted(count, 'message')} of all channels wait to be posted, the oldest since ${dateTime(oldest)}.`]
}

/** A handful; the others are counted. */
function linesOf(lines: readonly Mrkdwn[]): readonly Mrkdwn[] {
  const rest = lines.length - MAX_LINES
  return rest > 0 ? [...lines.slice(0, MAX_LINES), md`and ${rest} more`] : lines
}
