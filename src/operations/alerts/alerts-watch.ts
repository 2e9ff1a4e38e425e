import type { ReadBack } from '../../alerts/alert-desk.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { COLUMN } from '../../alerts/traffic.ts'
import { count } from '../../block-kit/amounts.ts'
import { message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mentionGroup, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import { StoreError } from '../../store/store-error.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import type { ZoneReference } from '../field.ts'
import { required } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { titledList } from '../titled-list.ts'
import { zone, zoneLabel } from '../zone-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { channelForAlerts } from './channel-for-alerts.ts'
import { firingWords, partWords, perWeekWords, timesWords } from './firing-words.ts'
import { mentionField } from './group-field.ts'
import { pastOf, type Replay, replay } from './replay.ts'
import { addRules, type WantedRule } from './rule-adding.ts'
import { runbookField, runbookLink } from './runbook-field.ts'
import { accountSet, isManaged, isSameRule, type RuleKey, watchSet } from './watch-set.ts'

/** `alerts watch`: the recommended alerts for a pull zone, and what they would have told in the last days. */
export const alertsWatch = defineOperation({
  name: 'alerts watch',
  summary: 'Have this channel told when a pull zone is in trouble',
  verb: 'Watch zone',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
  undoable: true,
  fields: {
    pullZone: required(zone({ label: 'Pull zone', hint: 'The name or numeric id of a pull zone.', zoneKind: 'pull' })),
    mention: mentionField,
    runbook: runbookField,
  },
  positionals: ['pullZone'],
  form: [
    {
      title: 'Watch a pull zone',
      intro:
        'Turns on the recommended alerts in this channel, and reads back up to 3 days so that they know what is usual.',
      fields: () => ['pullZone', 'mention', 'runbook'],
    },
  ],
  examples: ['alerts watch 301', 'alerts watch shop --mention S0123456789'],
  describe: ({ pullZone }) => `Watch pull zone ${zoneLabel(pullZone)}`,
  async run({ pullZone, mention, runbook }, context): Promise<Watched> {
    const channelId = await channelForAlerts(context)
    const { added, before } = await turnOn(pullZone, channelId, { mention, runbook }, context)
    context.alerts.soon()
    const read = await readBack(pullZone.id, context)
    const series = await pastOf(pullZone.id, new Date(context.now.getTime() - LOG_RETENTION_MS), context)
    const kinds = [...added, ...before].flatMap(({ kind: name, parameters }) => {
      const kind = alertKind(name)
      return kind?.subject === 'pull' && name !== 'poller-health' ? [[kind, parameters] as const] : []
    })
    const replays = await replay(kinds, pullZone.id, series, context)
    const { from, until } = series
    const all = series.total(COLUMN.lines, from, until)
    const coded = series.total(COLUMN.coded, from, until)
    return { channelId, added, before, read, replays, coded: all === 0 || coded > 0 }
  },
  present: (watched, { pullZone }, context) => watchedAnswer(watched, pullZone, context),
})

/** Of each kind, newest first; more are counted. */
const MAX_FIRINGS_SAID = 3

/** What is on now, how much of the past is known, what would have been told in it, and how to go on. */
function watchedAnswer(watched: Watched, pullZone: ZoneReference, running: OperationContext): Answer {
  const { added, before, read, coded } = watched
  const zone = zoneLabel(pullZone)
  const title =
    added.length === 0
      ? md`*Pull zone ${zone} was watched here already.* Nothing new was turned on.`
      : md`*Pull zone ${zone} is watched now.* This channel hears when it is in trouble.`
  const on = titledList(
    'Turned on',
    added.map((rule) => ruleLine(rule, watched.channelId, running)),
  )
  const already = titledList(
    'On already',
    before.map((rule) => ruleLine(rule, watched.channelId, running)),
  )
  const would = titledList('What would have fired in that time', replayLines(watched.replays))
  const notes = [
    knownWords(watched),
    ...read.problems.map((problem) => md`:warning: ${problem}`),
    ...(coded ? [] : [md`Lines of this zone carry no status codes, so the alerts on 5xx have nothing to look at.`]),
  ]
  const next = [
    md`Set other limits with ${code(`${running.command} alerts add <kind> ${pullZone.name ?? pullZone.id} --critical …`)} after trying them with ${code(`${running.command} alerts test`)}.`,
    md`Tell of deploys and purges with ${code(`${running.command} alerts mark`)}: what they explain is not told.`,
  ]
  return {
    message: message({
      text: [
        plainOf(title),
        ...on.lines,
        ...already.lines,
        ...notes.map(plainOf),
        ...would.lines,
        ...next.map(plainOf),
      ].join('\n'),
      blocks: [
        section(title),
        ...on.blocks,
        ...already.blocks,
        section(joinMd(notes, '\n')),
        ...would.blocks,
        ...next.map((line) => context(line)),
      ],
    }),
    buttons: buttonsOf(watched, pullZone),
  }
}

function ruleLine(
  rule: Watched['added'][number],
  channelId: string,
  { zones }: Pick<OperationContext, 'zones'>,
): Mrkdwn {
  const kind = alertKind(rule.kind)
  const about = rule.subject.startsWith('pull/') ? '' : ` for ${subjectWords(rule.subject, zones)}`
  const where = rule.channelId === channelId ? '' : ', told in the operations channel'
  const from = isManaged(rule) ? ', from the configuration' : ''
  const whom = rule.mention === undefined ? md`` : md`; critical ones mention ${mentionGroup(rule.mention)}`
  return md`*${kind?.title ?? rule.kind}*${about}${where}${from}${whom}${runbookLink(rule.runbook, '; ')}`
}

function knownWords({ read: { span, lines, covered } }: Watched): Mrkdwn {
  if (span === undefined) return md`Nothing is known of its last 3 days, so what is usual is learnt from now on.`
  const from = dateTime(new Date(span.from * 60_000))
  const to = dateTime(new Date(span.until * 60_000))
  const read = lines === 0 ? '' : ` ${count(lines)} lines,`
  return md`Known from ${from} to ${to}:${read} ${partWords(covered)} of the last 3 days.`
}

/** Those that would have fired, and in one line those that would not. */
function replayLines(replays: readonly Replay[]): readonly Mrkdwn[] {
  const fired = replays.filter(({ result }) => result.firings.length > 0)
  const quiet = replays.filter(({ result }) => result.firings.length === 0).map(({ kind }) => kind.title)
  return [...fired.map(replayLine), ...(quiet.length === 0 ? [] : [md`Not once: ${quiet.join(', ')}`])]
}

function replayLine({ kind, result: { firings, perWeek } }: Replay): Mrkdwn {
  const shown = firings.slice(-MAX_FIRINGS_SAID).toReversed()
  const rest = firings.length - shown.length
  const head = md`*${kind.title}*: ${timesWords(firings.length)}, ${perWeekWords(perWeek)}`
  const more = rest > 0 ? [md`and ${rest} earlier`] : []
  return joinMd([head, ...shown.map((firing) => md`   ${firingWords(firing, kind.unit)}`), ...more], '\n')
}

function buttonsOf({ added }: Watched, { id }: ZoneReference): readonly AnswerButton[] {
  return [
    ...(added.length === 0
      ? []
      : [
          {
            kind: 'page',
            label: 'Undo',
            operation: 'alerts remove',
            values: { what: added.map((rule) => rule.id).join(',') },
          } as const,
        ]),
    { kind: 'form', label: 'Try limits on the past', operation: 'alerts test', values: { pullZone: String(id) } },
  ]
}

/** What watching a zone has brought about. */
interface Watched {
  readonly channelId: string
  /** Those that were not there before: what Undo takes back. */
  readonly added: readonly AlertRule[]
  /** Those that were on already, as they stand now. */
  readonly before: readonly AlertRule[]
  readonly read: ReadBack
  readonly replays: readonly Replay[]
  /** Whether lines carry status codes, without which nothing can be said of 5xx. */
  readonly coded: boolean
}

/** Turns on what is not on yet. What is on already keeps its parameters, and is resumed if it was paused. */
async function turnOn(
  pullZone: ZoneReference,
  channelId: string,
  { mention, runbook }: Pick<AlertRule, 'mention' | 'runbook'>,
  context: OperationContext,
): Promise<Pick<Watched, 'added' | 'before'>> {
  const existing = await context.store.alertRules.list()
  const keys = [...watchSet(pullZone.id, channelId, context.opsChannel), ...accountSet(channelId, existing)]
  const found = (key: RuleKey): AlertRule | undefined => existing.find((rule) => isSameRule(rule, key))
  const wanted = keys.flatMap((key): readonly WantedRule[] => {
    const rule = found(key)
    if (rule === undefined) return [{ ...key, mention, runbook }]
    const told = { mention: mention ?? rule.mention, runbook: runbook ?? rule.runbook }
    const changes = rule.pausedWhy !== undefined || told.mention !== rule.mention || told.runbook !== rule.runbook
    return changes && !isManaged(rule) ? [{ ...key, parameters: rule.parameters, ...told }] : []
  })
  const summary = `Watch pull zone ${zoneLabel(pullZone)} in ${channelId}: ${wanted.map(({ kind }) => kind).join(', ')}`
  const { rules, added } = await addRules(wanted, existing, 'alerts watch', summary, context)
  const before = keys.flatMap((key) => {
    const rule = found(key)
    return rule === undefined ? [] : [rules.find((each) => isSameRule(each, key)) ?? rule]
  })
  return { added, before }
}

/** The rules are on whatever becomes of this, so what goes wrong here is told beside them. */
async function readBack(pullZoneId: bigint, context: OperationContext): Promise<ReadBack> {
  const { alerts, signal } = context
  try {
    return await alerts.readBack(pullZoneId, { signal, progress: ({ sentence }) => context.progress(sentence) })
  } catch (error) {
    if (!signal.aborted && !(error instanceof StoreError)) throw error
    const why = signal.aborted ? 'it took too long' : 'they could not be kept'
    return {
      span: undefined,
      lines: 0,
      covered: 0,
      problems: [`The last days were not read: ${why}. What is usual is learnt as time goes on.`],
    }
  }
}
