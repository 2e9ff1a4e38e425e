import {
  firingSince,
  numberWords,
  problemWords,
  shortName,
  sortBySeverity,
  symbolOf,
} from '../../alerts/incidents/incident-words.ts'
import { readIncidentDoc } from '../../alerts/state/incident.ts'
import type { Block } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import {
  code,
  dateTime,
  joinMd,
  linkMessage,
  md,
  mention,
  mentionChannel,
  type Mrkdwn,
} from '../../block-kit/mrkdwn.ts'
import { context, divider, header, section } from '../../block-kit/sections.ts'
import { home, type View } from '../../block-kit/view.ts'
import { findNamedZone, watchedZones } from '../../operations/alerts/watch-set.ts'
import { type ChangeButton, changeButton, HOME_ACTION } from '../../operations/changes/change-buttons.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import type { Operation, OperationContext } from '../../operations/declaration/operation.ts'
import { ROLE_WORDS, roleSourceMd, sentenceStart, whomToAsk } from '../../operations/declaration/prompt-words.ts'
import { atLeast } from '../../operations/declaration/role.ts'
import { plainExample } from '../../operations/declaration/usage.ts'
import { visible } from '../../shared/untrusted.ts'
import type { AlertRule, AlertSubject, IncidentRecord } from '../../store/schema/alert-records.ts'
import type { Change } from '../../store/schema/change.ts'

export const HOME_REFRESH = 'refresh'

export interface Board {
  /** Open ones, newest first. */
  readonly incidents: readonly IncidentRecord[]
  readonly rules: readonly AlertRule[]
  /** Changes that are not settled, newest first. */
  readonly openChanges: readonly Change[]
  readonly waiting: readonly Change[]
}

/** What Home shows one person, as of `now`. */
export interface HomeContent extends Pick<
  OperationContext,
  'actor' | 'admins' | 'catalog' | 'zones' | 'command' | 'now'
> {
  /** Undefined when the store did not answer. */
  readonly board: Board | undefined
}

/** Of each kind. More are counted: nobody works through them here. */
const MAX_LISTED = 5
const MAX_ZONES = 30
const MAX_SENTENCE_CHARACTERS = 200

/** The app's Home page of one person: what fires, what waits for them, what is watched; then what they can ask for. */
export function homeView(content: HomeContent): View {
  const { actor, board } = content
  if (!atLeast(actor.role, 'viewer')) return home({ blocks: [header('CDN Ops'), ...wordRole(content)] })
  return home({
    blocks: [
      ...(board === undefined
        ? [header('CDN Ops'), section('What is going on could not be read. Refresh in a minute.')]
        : [...listFiring(board, content), ...listWaiting(board, content), ...listWatched(board, content)]),
      divider(),
      ...drawButtons(content),
      ...wordRole(content),
    ],
  })
}

function listFiring({ incidents, rules }: Board, content: HomeContent): readonly Block[] {
  if (incidents.length === 0) return [header(rules.length === 0 ? 'Nothing is watched yet' : '🟢 No alerts now')]
  const shown = incidents.slice(0, MAX_LISTED).map((incident) => section(describeIncident(incident, content)))
  const title = header(incidents.length === 1 ? '🔴 1 alert fires' : `🔴 ${incidents.length} alerts fire`)
  return [title, ...shown, ...countRest(incidents, `${content.command} alerts list --all`)]
}

function describeIncident(incident: IncidentRecord, { zones, actor: { team } }: HomeContent): Mrkdwn {
  const { doc, subject, channelId, messageTs, acknowledgedBy } = incident
  const [worst] = sortBySeverity(readIncidentDoc(doc).alerts)
  const problem =
    worst && md`${symbolOf(worst)} *${nameOf(subject, zones)}: ${problemWords(worst)}* · ${numberWords(worst)}`
  const who =
    acknowledgedBy === undefined ? md`nobody has acknowledged it` : md`looked after by ${mention(acknowledgedBy)}`
  const open = linkMessage({ team, channel: channelId, ts: messageTs }, 'Open')
  return joinMd(
    [problem, md`since ${dateTime(firingSince(incident))} · ${mentionChannel(channelId)} · ${who} · ${open}`],
    '\n',
  )
}

function nameOf(subject: AlertSubject, zones: readonly NamedZone[]): string {
  return shortName(subject, { zoneName: (each) => findNamedZone(each, zones)?.name })
}

/** What somebody asks of them, what nobody knows the end of, and what they asked for themselves. */
function listWaiting({ openChanges, waiting }: Board, content: HomeContent): readonly Block[] {
  const { actor, command } = content
  const maySettle = findAllowed('changes settle', content) !== undefined
  const isOwn = ({ requestedBy }: Change): boolean => requestedBy === actor.id
  const unknown = openChanges.filter((change) => change.state === 'unknown' && (maySettle || isOwn(change)))
  const own = openChanges.filter((change) => change.state !== 'unknown' && isOwn(change))
  const known = new Set([...waiting, ...unknown, ...own].map(({ id }) => id))
  const others = openChanges.filter(({ id }) => !known.has(id)).length
  const more = code(`${command} changes list`)
  return [
    section(waiting.length + unknown.length === 0 ? 'Nothing waits for you.' : md`*Waits for you*`),
    ...listChanges(waiting, ['approve', 'open'], content),
    ...listChanges(unknown, maySettle ? ['exists', 'absent', 'open'] : ['open'], content),
    ...(own.length === 0 ? [] : [section(md`*You asked for*`)]),
    ...listChanges(own, ['open'], content),
    ...(others === 0 ? [] : [context(md`${others} more for others: ${more}`)]),
  ]
}

function findAllowed(name: string, { catalog }: HomeContent): Operation | undefined {
  return catalog.find(({ operation, decision }) => operation.name === name && decision.kind !== 'deny')?.operation
}

function listChanges(
  changes: readonly Change[],
  offered: readonly ChangeButton[],
  { command }: HomeContent,
): readonly Block[] {
  const shown = changes.slice(0, MAX_LISTED).flatMap((change) => {
    const { id, state, sentence, operation, requestedBy, createdAt, expiresAt } = change
    const { icon, label } = STATE_WORDS[state]
    const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
    const when = state === 'waiting' ? md`until ${dateTime(expiresAt)}` : dateTime(createdAt)
    const small = md`${sentenceStart(label)} · ${mention(requestedBy)} · ${when}`
    const buttons = offered.map((each) => changeButton(each, change))
    return [section(md`${icon} *${what}*\n${small}`), actions(`home:${offered.join('-')}:${id}`, buttons)]
  })
  return [...shown, ...countRest(changes, `${command} changes list`)]
}

/** Each zone with what it is like; where there is none, how one begins. */
function listWatched({ rules, incidents }: Board, content: HomeContent): readonly Block[] {
  const { zones, command } = content
  const subjects = watchedZones(rules)
  if (subjects.length === 0) {
    const watch = findAllowed('alerts watch', content)
    if (watch === undefined) return [section('An operator can have a zone watched.')]
    const typed = code(`${command} ${plainExample(watch, zones)}`)
    return [section(md`Watch a zone first: type ${typed} in the channel that should hear of trouble.`)]
  }
  const states = subjects.slice(0, MAX_ZONES).map((subject) => {
    const fires = incidents.some((incident) => incident.subject === subject)
    const isPaused = rules.every((rule) => rule.subject !== subject || rule.pausedWhy !== undefined)
    return md`${fires ? '🔴' : isPaused ? '⏸️' : '🟢'} ${nameOf(subject, zones)}${isPaused ? ' (alerts paused)' : ''}`
  })
  const rest = subjects.length - states.length
  return [section(md`*Watched*: ${joinMd(states, ' · ')}${rest > 0 ? ` · and ${rest} more` : ''}`)]
}

/** The same few as in the help, in its order. */
function drawButtons(content: HomeContent): readonly Block[] {
  const buttons = content.catalog.flatMap(({ operation: { name, question, form, summary } }) => {
    if (question === undefined || findAllowed(name, content) === undefined) return []
    const text = form?.[0]?.title ?? question
    // Whoever speaks to their computer says the words they see, so these come first.
    return [button({ actionId: `${HOME_ACTION}${name}`, text, accessibilityLabel: `${text}: ${summary}` })]
  })
  return buttons.length === 0 ? [] : [actions('home', buttons)]
}

function wordRole({ actor, admins, command, now }: HomeContent): readonly Block[] {
  const refresh = actions('home_foot', [button({ actionId: `${HOME_ACTION}${HOME_REFRESH}`, text: 'Refresh' })])
  const source = roleSourceMd(actor)
  if (actor.role === 'none')
    return [section(md`*You have no role here*: ${source}.`), context(whomToAsk({ actor, admins })), refresh]
  const typed = md`Everything can be typed, too: ${code(`${command} help`)} · As of ${dateTime(now)}`
  return [context(md`You are ${ROLE_WORDS[actor.role]}, ${source}. ${typed}`), refresh]
}

function countRest(all: readonly unknown[], list: string): readonly Block[] {
  const rest = all.length - MAX_LISTED
  return rest > 0 ? [context(md`and ${rest} more: ${code(list)}`)] : []
}
