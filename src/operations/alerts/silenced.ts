import { alertKind } from '../../alerts/kinds.ts'
import { concerns } from '../../alerts/rule-subjects.ts'
import { UserError } from '../../shared/errors.ts'
import type { AlertSubject } from '../../store/alert-records.ts'
import type { OperationContext } from '../operation.ts'
import type { About } from './about-field.ts'
import { byId } from './alert-id-field.ts'
import { channelHere } from './channel-for-alerts.ts'

/** So many things are silenced at once; each is a silence of its own. */
const MAX_SILENCED_AT_ONCE = 50
/** Open incidents among which one is looked for. */
const MAX_OPEN = 200

/** What a silence holds back, before the words for its zone: `everything about`, `Origin failing for`. */
export function silencedWords(kind: string | undefined): string {
  return kind === undefined ? 'everything about' : `${alertKind(kind)?.title ?? kind} for`
}

/** What is to be quiet, and where. */
export interface Silenced {
  readonly subjects: readonly AlertSubject[]
  readonly channelId: string
}

type Running = Pick<OperationContext, 'store' | 'channelId' | 'command'>

/** What an incident is about, where it is told. Throws UserError when there is no such incident. */
export async function silencedByIncident(id: string, { store, command }: Running): Promise<Silenced> {
  const { subject, channelId } = await incidentMeant(id, { store, command })
  return { subjects: [subject], channelId }
}

/** What this channel hears of a zone, or of everything. Throws UserError when that is nothing. */
export async function silencedByZone(meant: About, running: Running): Promise<Silenced> {
  const channelId = channelHere(running)
  const rules = await running.store.alertRules.list({ channelId })
  const heard = [...new Set(rules.map(({ subject }) => subject))]
  const named = meant.subjects.filter((subject) => heard.includes(subject))
  const within = meant.subjects.filter((subject) => heard.some((each) => concerns(each, subject)))
  const subjects = meant.all ? heard : named.length > 0 ? named : within
  if (subjects.length === 0) {
    throw new UserError(
      'invalid_input',
      meant.all
        ? 'This channel has no alerts, so nothing was silenced.'
        : `This channel has no alerts about ${meant.typed}, so nothing was silenced.`,
      `See what it gets: ${running.command} alerts list`,
    )
  }
  if (subjects.length <= MAX_SILENCED_AT_ONCE) return { subjects, channelId }
  throw new UserError(
    'busy',
    `This channel hears about ${subjects.length} things; at most ${MAX_SILENCED_AT_ONCE} are silenced at once. Nothing was done.`,
    'Name the zones one by one.',
  )
}

/** The incident with this id, or the only open one whose id begins so. Throws UserError when there is none. */
export async function incidentMeant(id: string, { store, command }: Pick<Running, 'store' | 'command'>) {
  const exact = await store.alerts.incident(id)
  if (exact !== undefined) return exact
  const match = byId(id, await store.alerts.incidents({ open: true, limit: MAX_OPEN }))
  if (match.found !== undefined) return match.found
  throw new UserError(
    'invalid_input',
    match.several
      ? `The ids of several incidents begin with ${id}. Nothing was done.`
      : `No open incident has the id ${id}. Nothing was done.`,
    match.several ? 'Give more of its digits.' : `See what fires: ${command} status`,
  )
}
