import { getKindTitle } from '../../alerts/kinds/kinds.ts'
import { durationWords, problemWords, SYMBOLS, UNDECIDED, worstWords } from '../../alerts/incidents/incident-words.ts'
import { concerns, pullSubject } from '../../alerts/state/rule-subjects.ts'
import { counted } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, smallPrint } from '../../block-kit/message.ts'
import {
  dateTime,
  joinMd,
  linkMessage,
  md,
  mention,
  mentionChannel,
  type Mrkdwn,
  plainOf,
} from '../../block-kit/mrkdwn.ts'
import { cut } from '../../block-kit/plain-text.ts'
import { bullets } from '../../block-kit/sections.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.ts'
import { shortId } from '../../shared/short-id.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { MAX_AUDIT_PAGE_ROWS } from '../../store/audit/audit-log.ts'
import type { RecordedEntry } from '../../store/schema/audit-entry.ts'
import { INCIDENT_RETENTION_MS, type MarkRecord, type SilenceRecord } from '../../store/schema/alert-records.ts'
import { type Change, CHANGE_STATES } from '../../store/schema/change.ts'
import { subjectWords } from '../alerts/watch-set.ts'
import { silencedWords } from '../alerts/alerts-silence.ts'
import { readAgain, STATE_WORDS } from '../changes/change-states.ts'
import { pageButton, rawValuesFrom } from '../declaration/answer.ts'
import { csv, type CsvCell, csvName } from '../declaration/csv.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { custom, flag, one, problem, readId, byLooks, isTime } from '../declaration/fields.ts'
import { nearestWord } from '../declaration/nearest-word.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { listPeople } from '../declaration/prompt-words.ts'
import { instant, isStart, readSince } from '../declaration/time-field.ts'
import { type IncidentFacts, isIncident, type Period, readIncidents, writeVerdict } from './incident-facts.ts'
import type { FieldResult, NamedZone, ParseContext } from '../declaration/field.ts'
import { unknownZone, zonesNamed } from '../declaration/zone-field.ts'

const DEFAULT_MS = 12 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

export const history = defineOperation({
  name: 'history',
  aliases: ['incidents', 'alerts history'],
  summary: 'Tell what happened: incidents, changes, marks, silences and limits',
  question: 'What happened last night?',
  effect: 'read',
  shareable: true,
  fields: {
    zone: custom<MeantZones>({
      label: 'Zone',
      hint: 'Only what is about the zone of this name or numeric id, or has this word in it.',
      control: { kind: 'text', maxLength: 100, multiline: false, word: 'zone' },
      read: readZone,
    }),
    since: instant({ label: 'Since', hint: '12h back, 22:00, last night or 2026-11-20T03:10Z; else 12h.' }, readSince),
    until: instant({ label: 'Until', hint: 'Until when, given in the same ways; now if not given.' }),
    csv: flag({ label: 'CSV file', hint: 'Sends all of it as a file to your direct messages.' }),
  },
  positionals: byLooks({ zone: (typed) => !isStart(typed), since: isStart, until: isTime }),
  examples: ['history', 'history last night', 'history 301 7d', 'history --since 22:00 --csv'],
  check(asked, { now }) {
    const { from, until } = getPeriod(asked, now)
    if (from > now) return [{ field: 'since', problem: 'Since lies in the future.' }]
    if (until <= from) return [{ field: 'until', problem: 'Until must lie after since.' }]
    if (now.getTime() - from.getTime() <= INCIDENT_RETENTION_MS + MINUTE_MS) return []
    return [{ field: 'since', problem: 'Since lies more than 90 days back; incidents are not kept for longer.' }]
  },
  describe: ({ zone }) => `Tell what happened${zone === undefined ? '' : ` to zone ${zone.typed}`}`,
  run: ({ zone, ...asked }, context) => readStory(zone, getPeriod(asked, context.now), context),
  present(story, { zone, csv: isCsv, ...asked }, { now }) {
    const values = rawValuesFrom({ ...asked, zone: zone?.typed, since: story.period.from })
    const isFile = isCsv === true
    const { told, period, isCut } = story
    const shown = told.slice(-SHOWN_LINES)
    const sections = Map.groupBy(shown.entries(), ([place]) => Math.floor(place / LINES_TOGETHER)).values()
    const blocks = Array.from(sections, (lines) => bullets(lines.map(([, { line }]) => line)))
    const left = told.length - shown.length
    const backMs = now.getTime() - period.from.getTime()
    const file = {
      name: csvName('history', utcDay(now)),
      title: 'What happened',
      content: csv(
        COLUMNS.map((column) => [column, ({ at, what, cells }: Told) => ({ time_utc: at, what, ...cells })[column]]),
        told,
      ),
    }
    return {
      message: messageOf(
        paragraphs(writeLead(story, values)),
        { blocks, lines: shown.map(({ line }) => plainOf(line)) },
        smallPrint(
          isFile && md`The file, sent to your direct messages, has all ${counted(told.length, 'line')}.`,
          !isFile && left > 0 && md`These are the newest ${shown.length}. The file has ${left} more.`,
          isCut && md`:warning: There is more than is read at once; what is oldest is left out. Ask for less time.`,
          backMs > WEEK_MS && md`Marks are kept for 15 days, and silences for 7 days after their end.`,
        ),
      ),
      buttons: [
        ...(isFile || told.length === 0 ? [] : [pageButton('CSV file', { ...values, csv: 'true' })]),
        ...(backMs < WEEK_MS && !('until' in values)
          ? [pageButton('Last 7 days', { ...values, since: new Date(now.getTime() - WEEK_MS).toISOString() })]
          : []),
      ],
      ...(isFile && { file }),
    }
  },
})

function getPeriod({ since, until }: Partial<Record<'since' | 'until', Date | undefined>>, now: Date) {
  const from = since ?? new Date(now.getTime() - DEFAULT_MS)
  return { from, until: until === undefined || until > now ? now : until }
}

const COLUMNS = [
  'time_utc',
  'what',
  'about',
  'text',
  'until_utc',
  'minutes',
  'worst',
  'acknowledged_by',
  'acknowledged_after_minutes',
  'by',
  'approved_by',
  'outcome',
  'channel',
  'id',
] as const
type Cells = Readonly<Partial<Record<(typeof COLUMNS)[number], CsvCell>>>

interface Told {
  readonly at: Date
  readonly what: 'incident' | 'event' | 'change' | 'mark' | 'silence' | 'rule change'
  readonly line: Mrkdwn
  readonly cells: Cells
}

type Story = Awaited<ReturnType<typeof readStory>>

const MAX_READ = 1_000
const CHANGES_AT_ONCE = 100

async function readStory(zone: MeantZones | undefined, period: Period, context: OperationContext) {
  const { store } = context
  const word = zone?.zones.length === 0 ? zone.typed.toLowerCase() : undefined
  const about = word === undefined ? zone : undefined
  const isSaid = ({ line }: Told): boolean => word === undefined || plainOf(line).toLowerCase().includes(word)
  const subjects = about?.zones.flatMap(({ kind, zoneId }) => (kind === 'dns' ? [] : [`${kind}/${zoneId}`]))
  const isMeant = (said: string): boolean => subjects?.some((subject) => concerns(said, subject)) ?? true
  const [{ incidents, isCut }, changes, marks, silences, rules, watching] = await Promise.all([
    readIncidents({ ...period, subjects }, store),
    readChanges(period, store),
    store.marks.between({ ...period, limit: MAX_READ }),
    store.silences.between(period.from, period.until),
    store.audit.list({ ...period, events: RULE_EVENTS, limit: MAX_AUDIT_PAGE_ROWS }),
    store.alertRules.list(),
  ])
  // Other numbers of a summary are limits.
  const isAbout = ({ summary }: RecordedEntry): boolean =>
    about?.zones.some(({ zoneId }) => new RegExp(`(?:zones?:? |, |\\()${zoneId}\\b`).test(summary)) ?? true
  const approvals = Map.groupBy(await store.approvals.among(changes.map(({ id }) => id)), ({ changeId }) => changeId)
  const told = [
    ...incidents.map((incident) => tellIncident(incident, context)),
    ...changes
      .filter((change) => about === undefined || concernsZones(change, about, context))
      .map((change) => tellChange(change, approvals.get(change.id) ?? [], context)),
    ...marks.filter(({ pullZoneId }) => isMeant(pullSubject(pullZoneId))).map((mark) => tellMark(mark, context)),
    ...silences.filter(({ subject }) => isMeant(subject)).map((silence) => tellSilence(silence, context)),
    ...rules.filter(isAbout).map(tellRules),
  ]
    .filter(isSaid)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
  if (told.length === 0 && zone !== undefined && word !== undefined) {
    const why = `Nothing about “${zone.typed}” happened then, and no zone has that name.`
    throw new UserError('invalid_input', why, `See the names: ${context.command} zones list`)
  }
  const isFull = Math.max(changes.length, marks.length) >= MAX_READ || rules.length >= MAX_AUDIT_PAGE_ROWS
  return {
    period,
    told,
    incidents: incidents.filter((each) => isSaid(tellIncident(each, context))),
    isCut: isCut || isFull,
    isWatched: watching.some(({ subject }) => isMeant(subject)) || rules.some(isAbout),
  }
}

/** What was asked for, as `changes list` shows it to the same people. */
async function readChanges({ from: since, until }: Period, { changes }: OperationContext['store']) {
  const states = CHANGE_STATES.filter((state) => state !== 'draft')
  const found: Change[] = []
  for (let isLast = false; !isLast && found.length < MAX_READ;) {
    const filter = { states, askedFor: true, since, until, before: found.at(-1), limit: CHANGES_AT_ONCE }
    const page = await changes.list(filter)
    found.push(...page)
    isLast = page.length < CHANGES_AT_ONCE
  }
  return found
}

const MAX_NAMED = 5
const [MAX_SENTENCE_CHARACTERS, MAX_TYPED_CHARACTERS] = [250, 100]
const MAX_SHOWN_NOTES = 2

function tellIncident(facts: IncidentFacts, { zones, now, actor: { team }, channelId: here }: OperationContext): Told {
  const { record, alerts, spans, worst, acknowledged, notes, end } = facts
  const { id, subject, channelId: channel, openedAt: at, endedAt, messageTs: ts, dismissedBy } = record
  const about = subjectWords(subject, zones)
  const lasts = isIncident(facts)
  const openMs = spans.reduce((sum, { fromMs, untilMs = now.getTime() }) => sum + untilMs - fromMs, 0)
  const peak = worst && worstWords(worst)
  const titles = spans.flatMap((span) => span.alerts.map(({ kind }) => getKindTitle(kind)))
  const kinds = [...new Set(titles)].join(', ')
  const later = acknowledged?.later ?? []
  const then = later.length > 0 ? md`, then ${listPeople(later.map(mention), MAX_NAMED)}` : undefined
  const times = spans.length > 1 ? ` in ${counted(spans.length, 'time')}` : ''
  const long = lasts ? ` for ${durationWords(openMs)}${times}${peak === undefined ? '' : `, worst ${peak}`}` : ''
  const outcome = OUTCOMES[end] ?? (alerts[0] && problemWords(alerts[0])) ?? 'over'
  const symbol = end === 'over' ? '✅' : end === 'open' && worst !== undefined ? SYMBOLS[worst.severity] : UNDECIDED
  const parts = [
    md`${dateTime(at)} ${lasts ? symbol : '🔵'} *${about}*: ${kinds}${long}`,
    channel !== here && md`in ${mentionChannel(channel)}`,
    acknowledged && md`looked after by ${mention(acknowledged.by)} after ${durationWords(acknowledged.afterMs)}${then}`,
    lasts && acknowledged === undefined && md`nobody acknowledged it`,
    md`${outcome}${dismissedBy && md`, said ${mention(dismissedBy)}`}`,
    ...notes
      .slice(0, MAX_SHOWN_NOTES)
      .map(({ text = '', person }) => md`“${cut(text, MAX_TYPED_CHARACTERS)}” (${mention(person)})`),
    notes.length > MAX_SHOWN_NOTES && md`${counted(notes.length - MAX_SHOWN_NOTES, 'more note')}`,
    linkMessage({ team, channel, ts }, 'Open'),
  ]
  const cells: Cells = {
    about,
    text: [kinds, ...notes.map(({ text = '', person }) => `${person}: ${text}`)].join('; '),
    until_utc: endedAt,
    minutes: lasts ? Math.round(openMs / MINUTE_MS) : undefined,
    worst: peak,
    acknowledged_by: acknowledged?.by,
    acknowledged_after_minutes: acknowledged && Math.round(acknowledged.afterMs / MINUTE_MS),
    by: dismissedBy,
    outcome,
    channel,
    id: shortId(id),
  }
  return { at, what: lasts ? 'incident' : 'event', line: joinMd(parts, ' · '), cells }
}

const OUTCOMES = {
  open: 'goes on',
  over: undefined,
  dismissed: 'not a problem',
  unwatched: 'not watched any more',
} as const

function tellChange(change: Change, approvals: readonly Approval[], { actor: { team } }: OperationContext): Told {
  const { id, state, operation, sentence = operation, requestedBy: by, createdAt: at, endedAt, endedBy } = change
  const { messageChannel: channel, messageTs: ts } = change
  const { icon, label: outcome } = STATE_WORDS[state]
  const approvers = approvals.map(({ person }) => person)
  const what = visible(sentence, MAX_SENTENCE_CHARACTERS)
  const parts = [
    md`${dateTime(at)} ${icon} ${what}: *${outcome}*${endedBy && md` by ${mention(endedBy)}`}`,
    md`asked by ${mention(by)}`,
    approvers.length > 0 && md`approved by ${listPeople(approvers.map(mention), MAX_NAMED)}`,
    channel !== undefined && linkMessage({ team, channel, ts }, 'Open'),
  ]
  const approved_by = approvers.join(' ')
  const cells: Cells = { text: sentence, until_utc: endedAt, by, approved_by, outcome, channel, id: shortId(id) }
  return { at, what: 'change', line: joinMd(parts, ' · '), cells }
}

function tellMark({ id, pullZoneId, at, text, by }: MarkRecord, { zones }: OperationContext): Told {
  const about = subjectWords(pullSubject(pullZoneId), zones)
  const line = md`${dateTime(at)} 📍 *${about}*: ${text} · marked by ${mention(by)}`
  return { at, what: 'mark', line, cells: { about, by, text, id: shortId(id) } }
}

function tellSilence(silence: SilenceRecord, { zones, channelId: here }: OperationContext): Told {
  const { id, subject, kind, channelId: channel, from: at, until, by, reason } = silence
  const about = `${silencedWords(kind)} ${subjectWords(subject, zones)}`
  const parts = [
    md`${dateTime(at)} 🔕 ${about} until ${dateTime(until)}`,
    channel !== undefined && channel !== here && md`in ${mentionChannel(channel)}`,
    md`silenced by ${mention(by)}${reason && `: ${cut(reason, MAX_TYPED_CHARACTERS)}`}`,
  ]
  const cells: Cells = { about, channel, until_utc: until, by, text: reason, id: shortId(id) }
  return { at, what: 'silence', line: joinMd(parts, ' · '), cells }
}

/** Which alerts there are, and their limits. The channel is left out: it is an id there. */
const RULE_EVENTS = ['alert_added', 'alert_changed', 'alert_removed'] as const

function tellRules({ at, actor: by, summary }: RecordedEntry): Told {
  const text = visible(summary.replaceAll(/ in [CDG][A-Z\d]{8,}/g, ''), MAX_SENTENCE_CHARACTERS)
  const who = /^[UW][A-Z\d]+$/.test(by) ? mention(by) : by
  // Every second part is an id.
  const said = text.split(CALLED).map((part, place) => (place % 2 === 1 ? callName(part) : md`${part}`))
  return { at, what: 'rule change', line: md`${dateTime(at)} 🔔 ${joinMd(said, '')} · by ${who}`, cells: { by, text } }
}

/** The whole id of a person or user group, as a summary tells whom a rule calls. */
const CALLED = /(?<=calls )([SUW][A-Z\d]{6,})(?=[,; ]|$)/

/** A group that is named is called, wherever this is shared. */
function callName(id: string): Mrkdwn {
  return id.startsWith('S') ? md`a user group` : mention(id)
}

const SHOWN_LINES = 20
const LINES_TOGETHER = 4

function writeLead({ period, incidents, told, isCut, isWatched }: Story, { zone, until }: RawValues): Mrkdwn {
  const troubles = incidents.filter(isIncident)
  const long = durationWords(period.until.getTime() - period.from.getTime())
  const range = until === undefined ? md`in ${long}` : md`from ${dateTime(period.from)} to ${dateTime(period.until)}`
  const when = zone === undefined ? range : md`about ${one(zone)} ${range}`
  const others = Map.groupBy(told, ({ what }) => what)
  others.delete('incident')
  const counts = Array.from(others, ([what, { length: many }]) =>
    what === 'change' ? counted(many, 'write to the CDN', 'writes to the CDN') : counted(many, what),
  )
  const also = counts.length === 0 ? '' : ` Also ${counts.join(', ')}.`
  const why = zone === undefined ? 'nothing is watched' : 'it is not watched'
  return md`*${writeVerdict(troubles, period, when, { isCut, why: isWatched ? undefined : why })}*${also}`
}

/** The zones that a name or an id means: zones of several kinds may have the same. Without any it is a word to look for. */
interface MeantZones {
  readonly typed: string
  readonly zones: readonly Pick<NamedZone, 'kind' | 'zoneId'>[]
}

function readZone(raw: RawValue, context: ParseContext): FieldResult<MeantZones> {
  const typed = one(raw).trim()
  const id = readId(typed)
  const byId = (['pull', 'storage', 'dns'] as const).map((kind) => ({ kind, zoneId: String(id) }))
  const zones = id === undefined ? zonesNamed(typed, context.zones) : byId
  const names = context.zones.map(({ name }) => name)
  const isSlip = zones.length === 0 && nearestWord(typed, names) !== undefined
  return isSlip ? problem(unknownZone(undefined, typed, context.zones)) : { ok: true, value: { typed, zones } }
}

function concernsZones(change: Change, meant: MeantZones, context: OperationContext): boolean {
  const about = readAgain(change, context).invocation?.zones ?? []
  return about.some(({ kind, id }) => meant.zones.some((zone) => zone.kind === kind && zone.zoneId === String(id)))
}
