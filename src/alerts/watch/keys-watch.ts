import { counted } from '../../block-kit/amounts.ts'
import { MAX_KEYS_PER_PAGE } from '../../cdn/contract/api-keys.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import { UserError } from '../../shared/errors.ts'
import { visible } from '../../shared/untrusted.ts'
import { type AuditEntry, MAX_AUDIT_TEXT_CHARACTERS, PROGRAM } from '../../store/schema/audit-entry.ts'
import { nextLook, SOON_MS, type SubjectWatch, type WatchParts } from './subject-watch.ts'
import * as z from 'zod'
import type { AlertRule, IncidentWrite, NewAlertPost } from '../../store/schema/alert-records.ts'
import { findInhibition } from '../incidents/inhibition.ts'
import type { WebhookBody } from '../incidents/incident-reply.ts'
import type { ChannelLook } from '../incidents/update-incident.ts'
import { type IncidentAlert, type IncidentDoc, MAX_INCIDENT_ALERTS } from '../state/incident.ts'
import { ACCOUNT_SUBJECT } from '../state/rule-subjects.ts'
import { INACTIVE } from '../state/step.ts'

const EVERY_MS = 5 * MINUTE_MS
const RECORD_MS = DAY_MS
/** More keys than this are not compared: what is known of them has to fit beside everything else, into 64 KB. */
const MAX_KEYS = 4_000
const MAX_RECORD_BYTES = 60_000
const MAX_PAGES = MAX_KEYS / MAX_KEYS_PER_PAGE + 1

const OPERATION = 'keys list'
/** Changes that are spelt out in the record; the rest is counted. */
const MAX_SPELT_CHANGES = 20
/** So many times that, with their count, an entry takes; where they take two units each, half of the text. */
const MAX_SPELT_CHARACTERS = 90
/** Of each role that a sentence names. */
const MAX_ROLES_CHARACTERS = 60

export interface KeysWatchParts extends WatchParts<'listApiKeys'> {
  /** The workspace that entries are made for; undefined while it is not known. */
  readonly team?: (() => string | undefined) | undefined
}

/** Watches the listing of the account's API keys. Values are never seen: the client redacts them while reading. */
export class KeysWatch implements SubjectWatch {
  readonly #parts: KeysWatchParts
  #healthy: boolean | undefined

  constructor(parts: KeysWatchParts) {
    this.#parts = parts
  }

  async look(signal: AbortSignal): Promise<number> {
    const { store, clock, log, webhook } = this.#parts
    const now = clock.now()
    const nowMs = now.getTime()
    const view = await store.alerts.view(ACCOUNT_SUBJECT, now)
    const known = readKeysRecord(view.watch?.state)
    const dueMs = nextLook(known?.lookedMs, EVERY_MS, nowMs)
    if (dueMs > nowMs) {
      this.#healthy ??= true
      return dueMs
    }
    const listing = await this.#list(signal)
    if (listing === undefined) return nowMs + EVERY_MS
    const { snapshot, changes } = compareKeys(known?.snapshot, listing)
    const isRecorded = nextLook(known?.recordedMs, RECORD_MS, nowMs) > nowMs
    const watch = packKeys({ lookedMs: nowMs, recordedMs: isRecorded ? known?.recordedMs : nowMs, snapshot })
    if (watch === undefined) {
      log.error({ keys: snapshot?.length }, 'the API keys have too many roles to be compared: changes are not told')
      return nowMs + EVERY_MS
    }
    const { incidents, posts } = createKeyEvents({ view, now, newId: () => clock.newId(), webhook }, changes)
    const entries = [
      ...(isRecorded ? [] : [this.#entry(now, 'read', summarizeRead(listing))]),
      ...(changes.length === 0 ? [] : [this.#entry(now, 'keys_changed', summarizeChanges(changes))]),
    ]
    const revision = view.watch?.revision ?? 0
    const commit = { subject: ACCOUNT_SUBJECT, revision, watch, incidents, posts, entries }
    if (!(await store.alerts.commit(commit))) return nowMs + SOON_MS
    return nowMs + EVERY_MS
  }

  isHealthy(): boolean | undefined {
    return this.#healthy
  }

  /** Every page of the listing. It is complete only when the platform says that there is no more. */
  async #list(signal: AbortSignal): Promise<KeyListing | undefined> {
    const { cdn, log } = this.#parts
    const keys: KnownKey[] = []
    let complete = true
    try {
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const { Items, HasMoreItems } = await cdn.listApiKeys({ page, perPage: MAX_KEYS_PER_PAGE }, { signal })
        complete &&= Items.every(({ Id }) => Id !== undefined)
        keys.push(...Items.map(({ Id, Roles }) => ({ id: String(Id), roles: Roles })))
        this.#healthy = true
        if (HasMoreItems !== true)
          return { complete: complete && HasMoreItems === false && keys.length <= MAX_KEYS, keys }
      }
      log.warn({ most: MAX_KEYS }, 'there are too many API keys to compare: changes are not told')
      return { complete: false, keys }
    } catch (error) {
      if (signal.aborted || !(error instanceof CdnError || error instanceof UserError)) throw error
      this.#healthy = false
      log.warn({ why: error.message }, 'the API keys could not be listed')
      return undefined
    }
  }

  #entry(at: Date, event: AuditEntry['event'], summary: string): AuditEntry {
    const team = this.#parts.team?.() ?? PROGRAM
    return { at, actor: PROGRAM, team, operation: OPERATION, event, summary }
  }
}

function summarizeRead({ complete, keys }: KeyListing): string {
  const amount = counted(keys.length, 'key')
  return `List the API keys every 5 minutes, to tell of changes: ${complete ? amount : `${amount}, not all of them`}`
}

function summarizeChanges(changes: readonly KeyChange[]): string {
  const spelt = changes.slice(0, MAX_SPELT_CHANGES).map((change) => visible(wordChange(change), MAX_SPELT_CHARACTERS))
  const more = changes.length - MAX_SPELT_CHANGES
  const text = [...spelt, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
  return text.length <= MAX_AUDIT_TEXT_CHARACTERS ? text : visible(text, MAX_AUDIT_TEXT_CHARACTERS / 2)
}

/** One API key as far as alerts know it: never its value. Roles are in alphabetical order. */
export interface KnownKey {
  readonly id: string
  readonly roles: readonly string[]
}

export interface KeyChange extends KnownKey {
  readonly what: 'new' | 'gone' | 'roles changed'
  readonly before?: readonly string[]
}

/** The account's keys as they were listed; `complete` only when every page was read. */
interface KeyListing {
  readonly complete: boolean
  readonly keys: readonly KnownKey[]
}

/**
 * What has changed since the last complete listing, and what to compare the next one with. The first complete one is the
 * silent baseline. An incomplete one proves nothing: a key that is not in it may be on the page that is missing. An id that is
 * listed twice counts once, with the roles of both.
 */
export function compareKeys(before: readonly KnownKey[] | undefined, listing: KeyListing) {
  if (!listing.complete) return { snapshot: before, changes: [] }
  const now = groupRoles(listing.keys)
  const snapshot = [...now].map(([id, roles]): KnownKey => ({ id, roles }))
  if (before === undefined) return { snapshot, changes: [] }
  const known = groupRoles(before)
  const changes = [...new Set([...known.keys(), ...now.keys()])].sort().flatMap((id): readonly KeyChange[] => {
    const [had = [], has] = [known.get(id), now.get(id)]
    if (has === undefined) return [{ what: 'gone', id, roles: had }]
    if (!known.has(id)) return [{ what: 'new', id, roles: has }]
    const isSame = JSON.stringify(had) === JSON.stringify(has)
    return isSame ? [] : [{ what: 'roles changed', id, roles: has, before: had }]
  })
  return { snapshot, changes }
}

function groupRoles(keys: readonly KnownKey[]): ReadonlyMap<string, readonly string[]> {
  const byId = [...Map.groupBy(keys, ({ id }) => id)].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(byId.map(([id, same]) => [id, [...new Set(same.flatMap(({ roles }) => roles))].sort()]))
}

/** Keys by the roles they have, which few sets of roles make short. */
const KeysRecord = z
  .object({
    /** When they were listed last, and when that was put on record; milliseconds since 1970. */
    lookedMs: z.number(),
    recordedMs: z.number().optional(),
    /** None while there was no complete listing. */
    groups: z.array(z.object({ roles: z.array(z.string()), ids: z.array(z.string()) })).optional(),
  })
  .transform(({ groups, ...times }) => {
    const snapshot: readonly KnownKey[] | undefined = groups?.flatMap(({ roles, ids }) =>
      ids.map((id) => ({ id, roles })),
    )
    return { ...times, snapshot }
  })

export function readKeysRecord(state: unknown): z.output<typeof KeysRecord> | undefined {
  return KeysRecord.safeParse(state).data
}

/** Undefined where that is more than the store takes. */
export function packKeys({ snapshot, ...times }: z.output<typeof KeysRecord>): unknown {
  const byRoles = snapshot && Map.groupBy(snapshot, ({ roles }) => JSON.stringify(roles)).values()
  const groups = byRoles && Array.from(byRoles, (keys) => ({ roles: keys[0]?.roles, ids: keys.map(({ id }) => id) }))
  const record = { ...times, groups }
  return Buffer.byteLength(JSON.stringify(record)) > MAX_RECORD_BYTES ? undefined : record
}

const MAX_ROLES_NAMED = 10

/** One event in each channel with a rule about it, over as soon as it has notified. What is inhibited does not notify later. */
export function createKeyEvents(
  { view, now, newId, webhook }: Pick<ChannelLook, 'view' | 'now' | 'newId' | 'webhook'>,
  changes: readonly KeyChange[],
) {
  if (changes.length === 0) return { incidents: [], posts: [] }
  const around = { view, subject: ACCOUNT_SUBJECT, firing: [], at: now, now }
  const rules = view.rules.filter((rule) => findInhibition(rule, INACTIVE, around) === undefined)
  const events = rules.map((rule) => {
    const { channelId } = rule
    const alerts = listKeyAlerts(rule, changes, now.getTime())
    const doc: IncidentDoc = { alerts, nature: 'event', cycle: 1, asOfMs: now.getTime(), samples: [], trend: [] }
    const id = newId()
    const incident: IncidentWrite = { id, subject: ACCOUNT_SUBJECT, channelId, openedAt: now, endedAt: now, doc }
    const post = { incidentId: id, channelId, dueAt: now }
    const body: WebhookBody = { status: 'firing', alerts }
    const webhooks: readonly NewAlertPost[] = webhook ? [{ ...post, what: 'webhook', body }] : []
    return { incident, posts: [{ ...post, what: 'card' as const, body: undefined }, ...webhooks] }
  })
  return { incidents: events.map(({ incident }) => incident), posts: events.flatMap(({ posts }) => posts) }
}

/** An alert for each change, as many as an incident holds; the last one counts those that have no room. */
function listKeyAlerts(
  { id, kind, runbook }: AlertRule,
  changes: readonly KeyChange[],
  atMs: number,
): readonly IncidentAlert[] {
  const happened = { new: 'is new', gone: 'is gone', 'roles changed': 'has other roles' }
  const words = changes.map((change) => {
    return { title: `key ${change.id} ${happened[change.what]}`, sentence: wordChange(change) }
  })
  if (changes.length > MAX_INCIDENT_ALERTS) {
    const left = words.splice(MAX_INCIDENT_ALERTS - 1).length
    const sentence = `${left} more API keys have changed. The keys list shows all of them.`
    words.push({ title: 'more have changed', sentence })
  }
  const about = { ruleId: id, kind, subject: ACCOUNT_SUBJECT, severity: 'warning' } as const
  return words.map(({ title, sentence }) => {
    return { ...about, firedMs: atMs, endedMs: atMs, title, facts: { sentence }, runbook }
  })
}

function wordChange({ what, id, roles, before = [] }: KeyChange): string {
  if (what === 'new') return `API key ${id} is new, with ${nameRoles(roles)}.`
  if (what === 'gone') return `API key ${id} is gone. It had ${nameRoles(roles)}.`
  return `API key ${id} now has ${nameRoles(roles)}. Before, it had ${nameRoles(before)}.`
}

function nameRoles(roles: readonly string[]): string {
  if (roles.length === 0) return 'no role'
  const named = roles.slice(0, MAX_ROLES_NAMED).map((role) => visible(role, MAX_ROLES_CHARACTERS))
  const more = roles.length > MAX_ROLES_NAMED ? ` and ${roles.length - MAX_ROLES_NAMED} more` : ''
  return `${roles.length === 1 ? 'the role' : 'the roles'} ${named.join(', ')}${more}`
}
