import { alertKind, currentName } from '../../alerts/kinds.ts'
import { rulesNow } from '../../alerts/rules-now.ts'
import { count } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, smallPrint, titledList } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { turnOfTheLoop } from '../../shared/clock.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import type { Answer } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import type { ZoneReference } from '../field.ts'
import { required } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { zoneLabel, zones, zonesLabel } from '../zone-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { channelForAlerts } from './channel-for-alerts.ts'
import { firingWords, knownSince, partWords, perWeekWords, type Replay, timesWords } from './replay.ts'
import { mentionField, runbookField, runbookLink } from './alert-fields.ts'
import {
  accountSet,
  addRules,
  isManaged,
  isSameRule,
  MAX_WATCHED_ZONES,
  type RuleKey,
  type WantedRule,
  watchSet,
} from './watch-set.ts'
import { lookBack, severalWatched, undoWatch, type Watched, type WatchedPast } from './watched-zones.ts'

export const alertsWatch = defineOperation({
  name: 'alerts watch',
  summary: 'Have this channel told when pull zones are in trouble',
  verb: 'Watch',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  undoable: true,
  fields: {
    pullZone: required(
      zones({
        label: 'Pull zones',
        hint: 'Names or numeric ids, separated by commas; or all, for every pull zone that has a name.',
        zoneKind: 'pull',
        most: MAX_WATCHED_ZONES,
      }),
    ),
    mention: mentionField,
    runbook: runbookField,
  },
  positionals: ['pullZone'],
  form: [
    {
      title: 'Watch pull zones',
      intro:
        'Turns on the recommended alerts in this channel, and reads back up to 3 days so that they know what is usual.',
      fields: () => ['pullZone', 'mention', 'runbook'],
    },
  ],
  examples: [
    'alerts watch 301',
    'alerts watch shop --mention S0123456789',
    'alerts watch 301, 302',
    'alerts watch all',
  ],
  describe: ({ pullZone }) => `Watch ${zonesWords(pullZone)}`,
  async run({ pullZone, mention, runbook }, context): Promise<Watched> {
    const channelId = await channelForAlerts(context)
    const { added, before } = await turnOn(pullZone, channelId, { mention, runbook }, context)
    context.alerts.soon()
    const rules = [...added, ...before]
    const pasts: WatchedPast[] = []
    for (const [index, each] of pullZone.entries()) {
      const which = pullZone.length === 1 ? '' : `${zoneLabel(each)}, ${index + 1} of ${pullZone.length}: `
      // Where all of it is known already nothing is waited for, and others want to be heard.
      await turnOfTheLoop()
      pasts.push(await lookBack(each, rules, { ...context, progress: (said) => context.progress(`${which}${said}`) }))
    }
    return { channelId, added, before, pasts }
  },
  present(watched, input, context) {
    const [only, other] = watched.pasts
    return only !== undefined && other === undefined
      ? watchedAnswer(watched, only, context)
      : severalWatched(watched, input, context)
  },
})

function zonesWords(all: readonly ZoneReference[]): string {
  return all.length === 1 ? `pull zone ${zonesLabel(all)}` : `${all.length} pull zones: ${zonesLabel(all)}`
}

/** Of each kind, newest first; more are counted. */
const MAX_FIRINGS_SAID = 3

function watchedAnswer(watched: Watched, past: WatchedPast, running: OperationContext): Answer {
  const { added, before } = watched
  const { pullZone, read, coded } = past
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
  const would = titledList('What would have fired in that time', replayLines(past.replays))
  const notes = [
    knownWords(past),
    ...knownSince(past.knownFrom, running.now),
    ...read.problems.map((problem) => md`:warning: ${problem}`),
    ...(coded ? [] : [md`Lines of this zone carry no status codes, so a failing origin shows as STALE only.`]),
  ]
  const next = [
    md`Set other limits with ${code(`${running.command} alerts add <kind> ${pullZone.name ?? pullZone.id} --critical …`)} after trying them with ${code(`${running.command} alerts test`)}.`,
    md`Tell of deploys and purges with ${code(`${running.command} alerts mark`)}: what they explain is not told.`,
  ]
  return {
    message: messageOf(paragraphs(title), on, already, paragraphs(joinMd(notes, '\n')), would, smallPrint(...next)),
    buttons: [
      ...undoWatch(watched),
      {
        kind: 'form',
        label: 'Try limits on the past',
        operation: 'alerts test',
        values: { pullZone: String(pullZone.id) },
      },
    ],
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

function knownWords({ read: { span, lines, covered } }: WatchedPast): Mrkdwn {
  if (span === undefined) return md`Nothing is known of its last 3 days, so what is usual is learnt from now on.`
  const from = dateTime(new Date(span.from * 60_000))
  const to = dateTime(new Date(span.until * 60_000))
  const read = lines === 0 ? '' : ` ${count(lines)} lines,`
  return md`Known from ${from} to ${to}:${read} ${partWords(covered)} of the last 3 days.`
}

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

/** Turns on what is not on yet. What is on already keeps its parameters, and is resumed if it was paused. */
async function turnOn(
  pullZones: readonly ZoneReference[],
  channelId: string,
  { mention, runbook }: Pick<AlertRule, 'mention' | 'runbook'>,
  context: OperationContext,
): Promise<Pick<Watched, 'added' | 'before'>> {
  const existing = await context.store.alertRules.list()
  const keys = [...pullZones.flatMap(({ id }) => watchSet(id, channelId)), ...accountSet(channelId, existing)]
  const alike = (rules: readonly AlertRule[], key: RuleKey) => rules.filter((rule) => isSameRule(rule, key))
  const wanted = keys.flatMap((key): readonly WantedRule[] => {
    const on = alike(existing, key)
    return on.length === 0 ? [{ ...key, mention, runbook }] : on.flatMap((rule) => changed(rule, { mention, runbook }))
  })
  const kinds = [...new Set(wanted.map(({ kind }) => currentName(kind)))]
  const summary = `Watch ${zonesWords(pullZones)} in ${channelId}: ${kinds.join(', ')}`
  const { rules, added } = await addRules(wanted, existing, 'alerts watch', summary, context)
  const before = keys.flatMap((key) => {
    const ids = new Set(alike(rules, key).map(({ id }) => id))
    const on = alike(existing, key)
    return on.length === 0 ? [] : rulesNow([...on.filter(({ id }) => !ids.has(id)), ...alike(rules, key)])
  })
  return { added, before }
}

/** A rule that is on already, where it has to be stored anew: under the name it has. */
function changed(
  rule: AlertRule,
  { mention = rule.mention, runbook = rule.runbook }: Pick<AlertRule, 'mention' | 'runbook'>,
): readonly WantedRule[] {
  const isAsItWas = rule.pausedWhy === undefined && mention === rule.mention && runbook === rule.runbook
  if (isAsItWas || isManaged(rule)) return []
  const { kind, subject, channelId, parameters } = rule
  return [{ kind, subject, channelId, parameters, mention, runbook }]
}
