import type { SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import type { AuditVerdict } from '../../../src/store/audit/audit-verification.ts'
import { CHANGE_STATES, type ChangeState, isFinal } from '../../../src/store/schema/change.ts'
import { eventually } from '../../support/eventually.ts'
import type { KillStage } from './stage.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/** A change as the store has it, with the unique name that its request to the platform carries. */
export interface ChangeFact {
  readonly id: string
  readonly state: ChangeState
  readonly name: string
  /** False for a form that was never confirmed. */
  readonly wasAskedFor: boolean
  /** Whether the message about it is said to show it as it is now. */
  readonly isShown: boolean
  readonly message: { readonly channel: string; readonly ts: string } | undefined
}

export interface AuditFact {
  readonly event: string
  readonly changeId: string
  readonly atMs: number
}

/** A write that reached the platform. */
export interface RequestFact {
  readonly name: string
  readonly atMs: number
}

/** A click whose answer told the person that it counted. */
export interface Accepted {
  readonly name: string
  /** `asked` by the one who wants it, `approved` by another one. */
  readonly what: 'asked' | 'approved'
}

/** All there is to judge a run by, once everything is quiet. */
export interface Facts {
  readonly changes: readonly ChangeFact[]
  readonly audit: readonly AuditFact[]
  readonly requests: readonly RequestFact[]
  /** Names of what the platform created, each as often as it did. */
  readonly created: readonly string[]
  readonly accepted: readonly Accepted[]
  /** Public messages of the bot, each as text in which a change's id can be found. */
  readonly messages: readonly { readonly channel: string; readonly ts: string; readonly text: string }[]
  /** Names that somebody noted about an alert, each as often as it is kept. */
  readonly notes: readonly string[]
  /** How often a digest became due. */
  readonly digestsDue: number
  /** What still waits to be told. */
  readonly undelivered: number
  readonly chain: AuditVerdict
  /** How often the bot was killed. */
  readonly kills: number
  /** Ends of the bot's process that nobody caused, and what it never did although it was alive. */
  readonly ownEnds: readonly string[]
}

/** Leases, deadlines, claims and repetitions are over by then. */
const QUIET_WITHIN_MS = 180_000

/** Names are made by the harness: they are found in whatever a change keeps of its values. */
export const NAME = /\bk\d+x[a-z0-9]*\b/

/** All changes, or those of one name. */
export async function changesOf(store: StoreUnderTest, name = ''): Promise<readonly ChangeFact[]> {
  const rows = await store.rows(
    `select id, state, "values", requested_at, revision, shown_revision, message_channel, message_ts from changes
     where "values" like '%${name}%'`,
  )
  return rows.map((row) => {
    const ts = textIn(row, 'message_ts')
    return {
      id: textIn(row, 'id'),
      state: CHANGE_STATES.find((state) => state === row['state']) ?? 'draft',
      name: NAME.exec(textIn(row, 'values'))?.[0] ?? '',
      wasAskedFor: row['requested_at'] !== null,
      isShown: Number(row['shown_revision']) >= Number(row['revision']),
      message: ts === '' ? undefined : { channel: textIn(row, 'message_channel'), ts },
    }
  })
}

/** All that a run has left, and how it went. No bot may be running. */
export async function factsOf(
  stage: KillStage,
  run: Pick<Facts, 'kills' | 'ownEnds'> & Partial<Pick<Facts, 'digestsDue'>>,
): Promise<Facts> {
  const { slack, store, requests, accepted } = stage
  return {
    changes: await changesOf(store),
    audit: await auditOf(store),
    requests,
    created: stage.created(),
    accepted,
    messages: messagesOf(slack),
    notes: await notesOf(store),
    undelivered: await undeliveredOf(store),
    chain: await store.verify(),
    digestsDue: 0,
    ...run,
  }
}

/** Waits until the bots have nothing left to do, or there are none. What is not at rest in time is for the judge. */
export async function quiet({ store }: KillStage, isAlive: () => boolean = () => true): Promise<void> {
  await eventually(
    async () => !isAlive() || ((await changesOf(store)).every(isAtRest) && (await undeliveredOf(store)) === 0),
    QUIET_WITHIN_MS,
  )
}

async function auditOf(store: StoreUnderTest): Promise<readonly AuditFact[]> {
  const rows = await store.rows('select event, change_id, at from audit_entries order by seq')
  return rows.map((row) => ({
    event: textIn(row, 'event'),
    changeId: textIn(row, 'change_id'),
    atMs: Number(row['at']),
  }))
}

/** What the bot has said where everybody can read it. */
function messagesOf({ messages }: SlackEmulator): Facts['messages'] {
  return messages
    .filter(({ visibleTo }) => visibleTo === undefined)
    .map(({ channel, ts, text, blocks }) => ({ channel, ts, text: `${text} ${JSON.stringify(blocks)}` }))
}

async function undeliveredOf(store: StoreUnderTest): Promise<number> {
  const [row] = await store.rows('select count(*) as count from outbox')
  return Number(row?.['count'])
}

/** The id of an alert that is not over, as people type it. */
export async function openIncidentOf(store: StoreUnderTest): Promise<string | undefined> {
  const [row] = await store.rows('select id from incidents where ended_at is null order by opened_at limit 1')
  return row && textIn(row, 'id').slice(0, 8)
}

/** Who looks after an alert; null where nobody does. */
export async function holderOf(store: StoreUnderTest, incident: string): Promise<unknown> {
  const [row] = await store.rows(`select acknowledged_by from incidents where id like '${incident}%'`)
  return row?.['acknowledged_by']
}

export async function notesOf(store: StoreUnderTest): Promise<readonly string[]> {
  const rows = await store.rows("select text from incident_events where kind = 'note'")
  return rows.map((row) => NAME.exec(textIn(row, 'text'))?.[0] ?? '')
}

export async function isDigestDue(store: StoreUnderTest): Promise<boolean> {
  const rows = await store.rows(
    `select channel_id from digests where next_at <= ${systemClock.now().getTime()} and cadence <> 'off'`,
  )
  return rows.length > 0
}

/** Whether nothing more happens to a change by itself. */
export function isAtRest({ state, isShown, wasAskedFor }: ChangeFact): boolean {
  if (!wasAskedFor) return state !== 'approved' && state !== 'sending'
  return isShown && (isFinal(state) || state === 'unknown' || state === 'waiting')
}

/** A column of text; empty where there is none. */
function textIn(row: Readonly<Record<string, unknown>>, column: string): string {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}
