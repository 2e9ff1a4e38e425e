import { alertKind } from '../../alerts/kinds.ts'
import { count } from '../../block-kit/amounts.ts'
import { message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mentionGroup, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import type { ZoneReference } from '../field.ts'
import type { OperationContext } from '../operation.ts'
import { titledList } from '../titled-list.ts'
import { zoneLabel } from '../zone-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { firingWords, partWords, perWeekWords, timesWords } from './firing-words.ts'
import type { Replay } from './replay.ts'
import { isManaged } from './watch-set.ts'
import type { Watched } from './watching.ts'

/** Of each kind, newest first; more are counted. */
const MAX_FIRINGS_SAID = 3

/** What is on now, how much of the past is known, what would have been told in it, and how to go on. */
export function watchedAnswer(watched: Watched, pullZone: ZoneReference, running: OperationContext): Answer {
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
  return md`*${kind?.title ?? rule.kind}*${about}${where}${from}${whom}`
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
