import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'

const COUNTED_MS = 60_000
/** Of persons and operations at once. Beyond that each refusal is an entry. */
const MAX_COUNTED = 1_000

/**
 * Refusals of which one person can cause any number: the first is put on record at once, and more of the same operation as
 * one entry a minute with their number. A crash takes that number only.
 */
export class RepeatedRefusals {
  readonly #parts: { readonly audit: AuditLog; readonly clock: Clock; readonly log: Pick<Log, 'error'> }
  readonly #counted = new Map<string, { last: AuditEntry; times: number }>()

  constructor(parts: { readonly audit: AuditLog; readonly clock: Clock; readonly log: Pick<Log, 'error'> }) {
    this.#parts = parts
  }

  /** Throws `StoreError` when it is the first and cannot be put on record. */
  async append(entry: AuditEntry): Promise<void> {
    const key = JSON.stringify([entry.actor, entry.operation])
    const counted = this.#counted.get(key)
    if (counted !== undefined) return void Object.assign(counted, { last: entry, times: counted.times + 1 })
    if (this.#counted.size < MAX_COUNTED) this.#count(key, entry)
    await this.#parts.audit.append(entry)
  }

  /** Puts all numbers on record, before the store is closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#counted.keys()].map((key) => this.#write(key)))
  }

  #count(key: string, last: AuditEntry): void {
    this.#counted.set(key, { last, times: 0 })
    this.#parts.clock.after(COUNTED_MS, () => void this.#write(key))
  }

  async #write(key: string): Promise<void> {
    const { last, times = 0 } = this.#counted.get(key) ?? {}
    this.#counted.delete(key)
    if (last === undefined || times === 0) return
    this.#count(key, last)
    const detail = `Refused ${times === 1 ? 'once more' : `${times} more times`} within a minute.`
    await this.#parts.audit.append({ ...last, detail }).catch((error: unknown) => {
      this.#parts.log.error({ err: error, operation: last.operation, times }, 'refusals could not be recorded')
    })
  }
}
