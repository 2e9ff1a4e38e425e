import { counted } from '../block-kit/amounts.ts'
import { MAX_KEYS_PER_PAGE } from '../cdn/api-keys.ts'
import { CdnError } from '../cdn/errors.ts'
import { UserError } from '../shared/errors.ts'
import { visible } from '../shared/untrusted.ts'
import { type AuditEntry, PROGRAM } from '../store/audit-entry.ts'
import { keyIncidents } from './key-incidents.ts'
import { type KeyChange, keyChanges, type KeyListing, keysRecord, MAX_KEYS, readKeysRecord } from './key-changes.ts'
import { nextLook, SOON_MS, type SubjectWatch, type WatchParts } from './subject-watch.ts'

const EVERY_MS = 5 * 60_000
const RECORD_MS = 86_400_000
const MAX_PAGES = MAX_KEYS / MAX_KEYS_PER_PAGE + 1

const OPERATION = 'keys list'
/** Changes that are spelt out in the record; the rest is counted. */
const MAX_SPELT_CHANGES = 20
const MAX_ROLES_CHARACTERS = 60

export interface KeysWatchParts extends WatchParts<'listApiKeys'> {
  /** The workspace that entries are made for; undefined while it is not known. */
  readonly team?: (() => string | undefined) | undefined
}

/** Watches the listing of the account's API keys. Values are never seen: the client redacts them while reading. */
export class KeysWatch implements SubjectWatch {
  readonly #parts: KeysWatchParts
  readonly #subject: string
  #healthy: boolean | undefined

  constructor(parts: KeysWatchParts, subject: string) {
    this.#parts = parts
    this.#subject = subject
  }

  async look(signal: AbortSignal): Promise<number> {
    const { store, clock, log, webhook } = this.#parts
    const now = clock.now()
    const nowMs = now.getTime()
    const view = await store.alerts.view(this.#subject, now)
    const known = readKeysRecord(view.watch?.state)
    const dueMs = nextLook(known?.lookedMs, EVERY_MS, nowMs)
    if (dueMs > nowMs) {
      this.#healthy ??= true
      return dueMs
    }
    const listing = await this.#list(signal)
    if (listing === undefined) return nowMs + EVERY_MS
    const { snapshot, changes } = keyChanges(known?.snapshot, listing)
    const recordedMs = known?.recordedMs
    const isRecorded = recordedMs !== undefined && recordedMs <= nowMs && nowMs - recordedMs < RECORD_MS
    const watch = keysRecord({ lookedMs: nowMs, recordedMs: isRecorded ? recordedMs : nowMs, snapshot })
    if (watch === undefined) {
      log.error({ keys: snapshot?.length }, 'the API keys have too many roles to be compared: changes are not told')
      return nowMs + EVERY_MS
    }
    const { incidents, posts } = keyIncidents({ view, changes, now, newId: () => clock.newId(), webhook })
    const entries = [
      ...(isRecorded ? [] : [this.#entry(now, 'read', readSummary(listing))]),
      ...(changes.length === 0 ? [] : [this.#entry(now, 'keys_changed', changesSummary(changes))]),
    ]
    const revision = view.watch?.revision ?? 0
    const commit = { subject: this.#subject, revision, watch, incidents, posts, entries }
    if (!(await store.alerts.commit(commit))) return nowMs + SOON_MS
    return nowMs + EVERY_MS
  }

  isHealthy(): boolean | undefined {
    return this.#healthy
  }

  /** Every page of the listing. It is complete only when the platform says that there is no more. */
  async #list(signal: AbortSignal): Promise<KeyListing | undefined> {
    const { cdn, log } = this.#parts
    const keys: KeyListing['keys'][number][] = []
    let isWhole = true
    try {
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const { Items, HasMoreItems } = await cdn.listApiKeys({ page, perPage: MAX_KEYS_PER_PAGE }, { signal })
        for (const { Id, Roles } of Items) {
          if (Id === undefined) isWhole = false
          else keys.push({ id: String(Id), roles: Roles })
        }
        this.#healthy = true
        if (HasMoreItems !== true)
          return { complete: isWhole && HasMoreItems === false && keys.length <= MAX_KEYS, keys }
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

function readSummary({ complete, keys }: KeyListing): string {
  const amount = counted(keys.length, 'key')
  return `List the API keys every 5 minutes, to tell of changes: ${complete ? amount : `${amount}, not all of them`}`
}

function changesSummary(changes: readonly KeyChange[]): string {
  const spelt = changes.slice(0, MAX_SPELT_CHANGES).map(changeWords).join('; ')
  const more = changes.length - MAX_SPELT_CHANGES
  return more > 0 ? `${spelt}; and ${more} more` : spelt
}

function changeWords({ what, id, roles }: KeyChange): string {
  if (what === 'gone') return `API key ${id} is gone`
  const named = visible(roles.join(', '), MAX_ROLES_CHARACTERS) || 'no roles'
  return `API key ${id} ${what === 'new' ? 'is new, with' : 'now has'} ${named}`
}
