import { sql, type Transaction } from 'kysely'
import { StorePart } from '../audit/audit-log.ts'
import type { Once } from '../outbox/idempotency-keys.ts'
import { dropReplies, type NewMessage, putMessages } from '../outbox/outbox.ts'
import { type IncidentEvent, IncidentEventRow } from '../schema/alert-records.ts'
import type { AuditEntry } from '../schema/audit-entry.ts'
import { countRows, keepNewest, reader, toRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** What became of an answer; `already`: it stood like that before. Undefined when there is no such incident. */
type Became<Done> = Done | 'already' | 'ended' | undefined

/** Who answers, when, and the entry that records it if it changes anything. */
export interface IncidentAnswer {
  readonly person: string
  readonly at: Date
  readonly entry: AuditEntry
  readonly once?: Once | undefined
}

/** A further one is refused. */
export const MAX_NOTES_PER_INCIDENT = 50
/** Of all else that people did about one; the oldest make room. */
export const MAX_STEPS_PER_INCIDENT = 100
/** So many incidents are asked about at once, and so many events listed: the newest. */
const [MAX_INCIDENTS_ASKED, MAX_LISTED_EVENTS] = [200, 5_000]
/** What the webhook is told then; read by a schema of the floor above. */
const [ACKNOWLEDGED, RELEASED] = [{ status: 'acknowledged' }, { status: 'released' }]

/** What an answer has changed: nothing where there is no event. */
interface Answered<End> {
  readonly end: End
  readonly events?: readonly Pick<IncidentEvent, 'kind' | 'holder' | 'text'>[]
  readonly webhook?: { readonly body?: unknown }
}

/** What people do about incidents. Each step is kept as an event, recorded and told in one transaction. */
export class IncidentAnswers extends StorePart {
  /**
   * Notes that a person looks after an incident, unless somebody does; its message and the webhook say so at once. What they say
   * with it is kept as a note in any case. `full`: the incident has 50 notes already.
   */
  async acknowledge(id: string, answer: IncidentAnswer, note?: string): Promise<Became<'acknowledged' | 'full'>> {
    return this.#answer<Became<'acknowledged' | 'full'>>(id, answer, async (rows) => {
      if (note !== undefined && (await hasAllNotes(rows, id))) return { end: 'full' }
      const noted = note === undefined ? [] : [{ kind: 'note', text: note } as const]
      if (!(await hold(rows, id, answer.person, answer.at, 'nobody')))
        return { end: await endOr(rows, id, 'already'), events: noted }
      return { end: 'acknowledged', events: [{ kind: 'acknowledged' }, ...noted], webhook: { body: ACKNOWLEDGED } }
    })
  }

  /** Notes that `holder` looks after an incident, whoever did before. Its message and thread say so, and the webhook if nobody did. */
  async assign(id: string, holder: string, answer: IncidentAnswer): Promise<Became<'assigned'>> {
    return this.#answer<Became<'assigned'>>(id, answer, async (rows) => {
      const taken = { end: 'assigned', events: [{ kind: 'taken_over', holder }] } as const
      if (await hold(rows, id, holder, answer.at, 'nobody')) return { ...taken, webhook: { body: ACKNOWLEDGED } }
      return (await hold(rows, id, holder, answer.at, 'another')) ? taken : { end: await endOr(rows, id, 'already') }
    })
  }

  /** Nobody looks after an incident any more: message, thread and webhook say so, and who is called waits from then on. */
  async release(id: string, answer: IncidentAnswer): Promise<Became<'released'>> {
    return this.#answer<Became<'released'>>(id, answer, async (rows) => {
      const { numUpdatedRows } = await openIncident(rows, id)
        .set({ acknowledgedBy: null, acknowledgedAt: null, releasedAt: answer.at.getTime() })
        .where('acknowledgedBy', 'is not', null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return { end: await endOr(rows, id, 'already') }
      return { end: 'released', events: [{ kind: 'released' }], webhook: { body: RELEASED } }
    })
  }

  /** Keeps what somebody says about an incident, open or over, and says it in the thread. Throws RangeError over 2,000 characters. */
  async note(id: string, text: string, answer: IncidentAnswer): Promise<'noted' | 'full' | undefined> {
    return this.#answer<'noted' | 'full'>(id, answer, async (rows) =>
      (await hasAllNotes(rows, id)) ? { end: 'full' } : { end: 'noted', events: [{ kind: 'note', text }] },
    )
  }

  /**
   * Ends an incident because a person says that it is not a problem, and has its message and the webhook say so. Of what waits
   * for its thread only people's words are said still. A look that is under way believes that it is open, so that look is made
   * to begin anew.
   */
  async dismiss(id: string, answer: IncidentAnswer): Promise<Became<'dismissed'>> {
    return this.#answer<Became<'dismissed'>>(id, answer, async (rows, subject) => {
      // The watch is locked first, as a look does it, so that neither waits for the other for ever.
      await rows
        .updateTable('alertWatches')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('subject', '=', subject)
        .execute()
      const { numUpdatedRows } = await openIncident(rows, id)
        .set({ endedAt: answer.at.getTime(), dismissedBy: answer.person })
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) {
        const row = await rows.selectFrom('incidents').select('dismissedBy').where('id', '=', id).executeTakeFirst()
        return { end: row?.dismissedBy == null ? 'ended' : 'already' }
      }
      await dropReplies(rows, id)
      // The webhook without a body: the incident itself says what of it was firing.
      return { end: 'dismissed', events: [{ kind: 'dismissed' }], webhook: {} }
    })
  }

  /** What people did about these incidents, at most 200, in the order of time; of more than 5,000 events the newest. */
  async events(incidentIds: readonly string[]): Promise<readonly IncidentEvent[]> {
    const asked = incidentIds.slice(0, MAX_INCIDENTS_ASKED)
    if (asked.length === 0) return []
    const newestFirst = await this.database.list(
      (db) =>
        db
          .selectFrom('incidentEvents')
          .selectAll()
          .where('incidentId', 'in', asked)
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(MAX_LISTED_EVENTS),
      toEvent,
    )
    return newestFirst.toReversed()
  }

  async #answer<End>(
    id: string,
    { person, at, entry, once }: IncidentAnswer,
    work: (rows: Transaction<Tables>, subject: string) => Promise<Answered<End>>,
  ): Promise<End | undefined> {
    return this.audit.record(async ({ rows, append }) => {
      const incident = await rows
        .selectFrom('incidents')
        .select(['subject', 'channelId'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (incident === undefined) return undefined
      const { end, events = [], webhook } = await work(rows, incident.subject)
      if (events.length === 0) return end
      const post = { incidentId: id, channelId: incident.channelId, dueAt: this.database.clock.now() }
      const replies: NewMessage[] = []
      for (const event of events) {
        const row = { ...event, id: this.database.clock.newId(), incidentId: id, at, person }
        await rows.insertInto('incidentEvents').values(toRow(IncidentEventRow, row)).execute()
        // What the message shows by itself needs no words beside it.
        const isShown = event.kind === 'acknowledged' || event.kind === 'dismissed'
        if (!isShown) replies.push({ ...post, id: row.id, what: 'reply', body: { ...event, person } })
      }
      const of = sql`incident_id = ${id} and kind <> 'note'`
      await keepNewest(rows, 'incidentEvents', { by: 'at', most: MAX_STEPS_PER_INCIDENT, of })
      const isEdited = events.some(({ kind }) => kind !== 'note')
      await putMessages(
        rows,
        [
          ...(isEdited ? [{ ...post, what: 'card' } as const] : []),
          ...replies,
          ...(webhook === undefined ? [] : [{ ...post, what: 'webhook', ...webhook } as const]),
        ],
        this.database,
      )
      await append(entry)
      return end
    }, once)
  }
}

const toEvent = reader('incident_events', IncidentEventRow)

async function hasAllNotes(rows: Transaction<Tables>, id: string): Promise<boolean> {
  const notes = await countRows(rows, 'incidentEvents', sql`incident_id = ${id} and kind = 'note'`)
  return notes >= MAX_NOTES_PER_INCIDENT
}

/** What its message shows is not what it was. */
function openIncident(rows: Transaction<Tables>, id: string) {
  return rows
    .updateTable('incidents')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
}

/** False, and nothing changed, unless it is open and looked after by nobody, or by another one. */
async function hold(rows: Transaction<Tables>, id: string, holder: string, at: Date, before: 'nobody' | 'another') {
  const held = openIncident(rows, id).set({ acknowledgedBy: holder, acknowledgedAt: at.getTime() })
  const { numUpdatedRows } = await (
    before === 'nobody' ? held.where('acknowledgedBy', 'is', null) : held.where('acknowledgedBy', '<>', holder)
  ).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Why an open incident was not changed; of one that is over that it is. */
async function endOr<Why>(rows: Transaction<Tables>, id: string, why: Why): Promise<Why | 'ended' | undefined> {
  const row = await rows.selectFrom('incidents').select('endedAt').where('id', '=', id).executeTakeFirst()
  return row && (row.endedAt === null ? why : 'ended')
}
