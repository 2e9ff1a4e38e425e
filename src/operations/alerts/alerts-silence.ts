import { wordsMessage } from '../../block-kit/message.ts'
import { dateTime, md, mention } from '../../block-kit/mrkdwn.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import { parseInstant } from '../../cdn/contract/dates.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { AlertSubject, IncidentRecord, SilenceRecord } from '../../store/schema/alert-records.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { Field } from '../declaration/field.ts'
import { type FieldText, spelled, text, byLooks, isAnything, isLength, isTime } from '../declaration/fields.ts'
import { readClockTime } from '../declaration/time-field.ts'
import { about, type About, byId, duration, incidentField } from './alert-fields.ts'
import { subjectWords, channelHere, listMeantHere } from './watch-set.ts'
import { kindField } from './kind-fields.ts'
import { UserError } from '../../shared/errors.ts'
import { auditEntry, type OperationContext } from '../declaration/operation.ts'
import { getKindTitle } from '../../alerts/kinds/kinds.ts'
import { concerns } from '../../alerts/state/rule-subjects.ts'

/** Longer than this is no silence but an alert that had better be removed. */
const MAX_SILENCE_MS = 30 * DAY_MS

const MAX_NAMED = 5
const DEFAULT_MS = 3_600_000

const ZONE_AND_TIME = byLooks({
  zone: isAnything,
  for: isLength,
  until: (typed) => isTime(typed) || typed === 'morning',
})

export const alertsSilence = defineOperation({
  name: 'alerts silence',
  aliases: ['silence', 'mute', 'snooze', 'alerts mute'],
  summary: 'Keep a zone’s alerts quiet in this channel for a while',
  verb: 'Silence',
  effect: 'write to the bot',
  audience: 'channel',
  undoable: true,
  fields: {
    zone: about({ label: 'Zone', hint: 'The name or numeric id of a zone, or all for everything of this channel.' }),
    kind: kindField(),
    for: duration('For', 'How long: 90m, 8h, 2d; an hour unless said otherwise, 30 days at most.', MAX_SILENCE_MS),
    until: momentToCome({
      label: 'Until',
      hint: 'In place of that: morning (08:00 by your clock), a time such as 17:30, or 2026-11-20T17:30Z.',
    }),
    reason: text({ label: 'Reason', hint: 'Shown to whoever wonders why it is quiet.', maxLength: 200 }),
    incident: incidentField('In place of a zone: the id that the message of an alert shows.'),
  },
  positionals: (values) => {
    const isTimed = values['for'] !== undefined || values['until'] !== undefined
    // Before that it may be a time that was not understood, and no reason.
    return [...ZONE_AND_TIME(values), ...(isTimed ? (['reason'] as const) : [])]
  },
  form: {
    title: 'Silence alerts',
    intro: 'Only for this channel. What still fires when it is over is posted then.',
    fields: () => ['zone', 'kind', 'for', 'until', 'reason'],
    wording: () => ({ zone: { needed: true } }),
  },
  examples: [
    'alerts silence shop 2h',
    'alerts silence shop 2h the origin is moved',
    'alerts silence all until morning',
    'alerts silence 301 --kind origin-failing --for 8h',
  ],
  check({ zone, incident, for: length, until }) {
    if (length !== undefined && until !== undefined)
      return [{ field: 'until', problem: 'Give --for or --until, not both.' }]
    if (zone === undefined && incident === undefined)
      return [{ field: 'zone', problem: 'Say what to silence: a zone, or all.', missing: true }]
    const isBoth = zone !== undefined && incident !== undefined
    return isBoth ? [{ field: 'incident', problem: 'Give a zone or an incident, not both.' }] : []
  },
  describe({ zone, incident, kind, for: length = DEFAULT_MS, until }) {
    const what = zone === undefined ? `incident ${incident?.typed ?? ''}` : zone.typed
    const long = until === undefined ? `for ${length / 60_000} minutes` : `until ${until.toISOString()}`
    return `Silence ${kind === undefined ? '' : `${kind} of `}${what} ${long}`
  },
  async run({ zone, incident, kind, for: length = DEFAULT_MS, until, reason }, running) {
    const { store, now, actor, once, alerts } = running
    const about = zone === undefined ? await findMeantIncident(incident, running) : await silencedByZone(zone, running)
    const { channelId } = about
    const subjects = 'subjects' in about ? about.subjects : [about.subject]
    const end = until ?? new Date(now.getTime() + length)
    const common = { kind, channelId, from: now, until: end, by: actor.id, reason }
    const silences = subjects.map((subject): SilenceRecord => ({ id: running.newId(), subject, ...common }))
    const entry = ({ subject }: SilenceRecord) => {
      const summary = `Silenced ${kind ?? 'all alerts'} of ${subject} in ${channelId} until ${end.toISOString()}`
      return { ...auditEntry('alert_silenced', 'alerts silence', summary, running), detail: reason }
    }
    // Who presses a second time asks for no second one.
    const unlessSilenced = incident !== undefined && kind === undefined
    const standing = await store.silences.add(silences, entry, once, { unlessSilenced })
    alerts.soon()
    return { silences: standing, wasThere: standing.some((each) => !silences.includes(each)) }
  },
  present({ silences, wasThere }, { kind, reason }, { zones }) {
    const [first] = silences
    const names = silences.map(({ subject }) => `${silencedWords(kind)} ${subjectWords(subject, zones)}`)
    const what = listFew(names, MAX_NAMED)
    const how = wasThere ? 'Silenced already' : 'Silenced'
    const ids = silences.map(({ id }) => id).join(',')
    const said = md`🔕 ${how} until ${first && dateTime(first.until)} by ${first && mention(first.by)}: ${what}.`
    return {
      message: wordsMessage([said], { small: [reason !== undefined && md`Why: ${reason}`] }),
      buttons: [{ kind: 'page', label: wasThere ? 'End it' : 'Undo', operation: 'alerts unsilence', values: { ids } }],
    }
  },
})

/** When people are back, by the clock of whoever asks. */
const MORNING = '08:00'
/**
 * A moment to come: `morning`, which is the next time the reader's clock shows 08:00, the next time it shows `17:30`, or
 * a date with time, in UTC unless it says otherwise.
 */
export function momentToCome(options: FieldText): Field<Date, false> {
  return spelled({
    ...options,
    maxLength: 40,
    word: 'time',
    parse(typed, context) {
      const lower = typed.toLowerCase()
      const shown = readClockTime(lower === 'morning' ? MORNING : lower, 'next', context)
      const value = shown ?? (typed.includes(':') ? parseInstant(lower) : undefined)
      const ms = (value?.getTime() ?? 0) - context.now.getTime()
      return ms > 0 && ms <= MAX_SILENCE_MS ? value : undefined
    },
    rule: `${options.label} is not a time to come within 30 days. Give it as morning, 17:30 or 2026-11-20T17:30Z.`,
  })
}

export const alertsUnsilence = defineOperation({
  name: 'alerts unsilence',
  aliases: ['unsilence', 'unmute', 'alerts unmute'],
  summary: 'End a silence of this channel before its time',
  verb: 'End silence',
  effect: 'write to the bot',
  audience: 'channel',
  fields: {
    ids: about({
      label: 'Silence',
      hint: 'The name or id of a zone, all for everything of this channel, or ids of silences as alerts list shows them.',
    }),
    incident: incidentField('In place of that: the id that the message of an alert shows.'),
  },
  positionals: ['ids'],
  check: ({ ids, incident }) =>
    ids === undefined && incident === undefined
      ? [{ field: 'ids', problem: 'Say which silence to end: a zone, or all.', missing: true }]
      : [],
  examples: ['alerts unsilence shop', 'alerts unsilence all', 'alerts unsilence 0123abcd'],
  describe: ({ ids, incident }) => `End the silence of ${ids?.typed ?? `incident ${incident?.typed ?? ''}`}`,
  async run({ ids: wanted, incident }, running): Promise<readonly SilenceRecord[]> {
    const { store, now, once, alerts, command } = running
    const all = await store.silences.list(now)
    const meant =
      wanted === undefined
        ? silencesOf(await findMeantIncident(incident, running), all)
        : silencesMeant(wanted, all, running)
    const entry = ({ subject }: SilenceRecord) =>
      auditEntry('alert_unsilenced', 'alerts unsilence', `Ended the silence of ${subject}`, running)
    const ids = meant.map(({ id }) => id)
    const ended = await store.silences.end(ids, now, entry, once)
    if (ended.length === 0) {
      const what = wanted === undefined ? '' : ` for ${wanted.typed}`
      const why = `No silence is in force here${what} any more, so nothing was ended.`
      throw new UserError('invalid_input', why, `See them: ${command} alerts list`)
    }
    alerts.soon()
    return ended
  },
  present(ended, _, { zones, actor }) {
    const heard = ended.map(({ subject, kind }) => `${silencedWords(kind)} ${subjectWords(subject, zones)}`)
    // Several silences of the same end at once.
    return { message: wordsMessage([md`🔔 Silence ended by ${mention(actor.id)}: ${[...new Set(heard)].join(', ')}.`]) }
  },
})

function silencesOf({ subject, channelId }: IncidentRecord, silences: readonly SilenceRecord[]) {
  return silences.filter(
    (each) => concerns(each.subject, subject) && (each.channelId === undefined || each.channelId === channelId),
  )
}

/** What is in force of this channel for a zone or for everything; otherwise those with these ids, wherever they hold. */
function silencesMeant(meant: About, silences: readonly SilenceRecord[], running: OperationContext) {
  const here = listMeantHere(meant, silences, running)
  return here.length > 0 ? here : meant.ids.flatMap((id) => byId(id, silences).found ?? [])
}

const MAX_SILENCED_AT_ONCE = 50
const MAX_OPEN = 200

/** What a silence holds back, before the words for its zone: `everything about`, `Origin failing for`. */
export function silencedWords(kind: string | undefined): string {
  return kind === undefined ? 'everything about' : `${getKindTitle(kind)} for`
}

async function silencedByZone(meant: About, running: OperationContext) {
  const channelId = channelHere(running)
  const rules = await running.store.alertRules.list(channelId)
  const heard = [...new Set(rules.map(({ subject }) => subject))]
  const named = meant.subjects.filter((subject) => heard.includes(subject))
  const within = meant.subjects.filter((subject) => heard.some((each) => concerns(each, subject)))
  const subjects = meant.all ? heard : named.length > 0 ? named : within
  if (subjects.length === 0) {
    const why = `This channel has no alerts${meant.all ? '' : ` about ${meant.typed}`}, so nothing was silenced.`
    throw new UserError('invalid_input', why, `See what it gets: ${running.command} alerts list`)
  }
  if (subjects.length <= MAX_SILENCED_AT_ONCE) return { subjects, channelId }
  const why = `This channel hears about ${subjects.length} things; at most ${MAX_SILENCED_AT_ONCE} are silenced at once. Nothing was done.`
  throw new UserError('busy', why, 'Name the zones one by one.')
}

/**
 * The incident with this id, or the only open one whose id begins so; or the only open one about the zone, in this channel
 * where there is one. With none meant, the one that is wanted, which is what this person looks after unless something else is said;
 * or the only open one. With `orOver` it may be over: the newest about a zone, or of the newest 200. Throws UserError.
 */
export async function findMeantIncident(
  meant: About | undefined,
  running: OperationContext,
  { orOver = false, isWanted = ({ acknowledgedBy }: IncidentRecord) => acknowledgedBy === running.actor.id } = {},
) {
  const { store, command } = running
  const { typed = '', ids = [], subjects = [] } = meant ?? {}
  const [id = ''] = ids
  const exact = id === '' ? undefined : await store.alerts.incident(id)
  if (exact !== undefined) return exact
  const open = orOver ? undefined : true
  const match = id === '' ? undefined : byId(id, await store.alerts.incidents({ open, limit: MAX_OPEN }))
  if (match?.found !== undefined) return match.found
  const about = await likelyIncidents(meant?.subjects, running, { orOver, isWanted })
  const [first] = about
  if (first !== undefined && about.length === 1) return first
  const several = about.length > 1 || match?.several === true
  const which = meant === undefined ? 'here' : subjects.length > 0 ? `about ${typed}` : `with the id ${typed}`
  if (!several) {
    const none = `There is no ${orOver ? '' : 'open '}incident ${which}. Nothing was done.`
    throw new UserError('invalid_input', none, `See what fires: ${command} status`)
  }
  const next = 'Name its zone, or give more digits of the id that its message shows.'
  throw new UserError('invalid_input', `There are several incidents ${which}. Nothing was done.`, next)
}

/**
 * The open ones about these subjects, or without subjects those that are wanted, or all where none is; of this channel if
 * there are any. Where none about the subjects is open, the newest if it may be over.
 */
async function likelyIncidents(
  subjects: readonly AlertSubject[] | undefined,
  { store, channelId }: OperationContext,
  { orOver, isWanted }: { readonly orOver: boolean; readonly isWanted: (incident: IncidentRecord) => boolean },
) {
  const open = await store.alerts.incidents({ ...(subjects && { subjects }), open: true, limit: MAX_OPEN })
  if (open.length === 0 && orOver && subjects !== undefined) return store.alerts.incidents({ subjects, limit: 1 })
  const wanted = subjects === undefined ? open.filter(isWanted) : []
  const meant = wanted.length > 0 ? wanted : open
  const here = meant.filter((incident) => incident.channelId === channelId)
  return here.length > 0 ? here : meant
}
