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
  readonly #audit: AuditLog
  readonly #clock: Clock
  readonly #log: Pick<Log, 'error'>
  readonly #counted = new Map<string, { readonly last: AuditEntry; readonly times: number }>()

  constructor(audit: AuditLog, clock: Clock, log: Pick<Log, 'error'>) {
    this.#audit = audit
    this.#clock = clock
    this.#log = log
  }

  /** Throws `StoreError` when it is the first and cannot be put on record. */
  async append(entry: AuditEntry): Promise<void> {
    const key = JSON.stringify([entry.actor, entry.operation])
    const counted = this.#counted.get(key)
    if (counted !== undefined) return void this.#counted.set(key, { last: entry, times: counted.times + 1 })
    if (this.#counted.size < MAX_COUNTED) this.#countFrom(entry, key)
    await this.#audit.append(entry)
  }

  /** Puts all numbers on record, before the store is closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#counted.keys()].map((key) => this.#write(key)))
  }

  #countFrom(last: AuditEntry, key: string): void {
    this.#counted.set(key, { last, times: 0 })
    this.#clock.after(COUNTED_MS, () => void this.#write(key))
  }

  async #write(key: string): Promise<void> {
    const { last, times = 0 } = this.#counted.get(key) ?? {}
    this.#counted.delete(key)
    if (last === undefined || times === 0) return
    this.#countFrom(last, key)
    const detail = `Refused ${times === 1 ? 'once more' : `${times} more times`} within a minute.`
    await this.#audit.append({ ...last, detail }).catch((error: unknown) => {
      this.#log.error({ err: error, operation: last.operation, times }, 'repeated refusals could not be recorded')
    })
  }
}
