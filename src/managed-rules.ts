import type { Configuration } from './configuration.ts'
import type { Clock } from './shared/clock.ts'
import { type AuditEntry, PROGRAM } from './store/audit-entry.ts'
import type { Store } from './store/store.ts'

/** More changes than this are counted in the record, and not named. */
const MAX_NAMED_CHANGES = 20

export interface ManagedRulesParts {
  readonly configuration: Pick<Configuration, 'alertRules'>
  readonly store: Pick<Store, 'alertRules'>
  readonly clock: Clock
  /** The workspace that the entries are made for. */
  readonly team: () => string | undefined
  /** Called when there may be something else to look at. */
  readonly changed: () => void
}

/** Sees to it that the alert rules of the configuration file are those the store holds as managed. */
export class ManagedRules {
  readonly #parts: ManagedRulesParts
  /** What the file said when the store was brought to it. */
  #kept: string | undefined

  constructor(parts: ManagedRulesParts) {
    this.#parts = parts
  }

  /** Brings the store to what the file says now, unless it is there. Throws StoreError, and RangeError for too many. */
  async keep(): Promise<void> {
    const { configuration, store, changed } = this.#parts
    const rules = configuration.alertRules
    const said = JSON.stringify(rules)
    if (said === this.#kept) return
    await store.alertRules.manage(rules, (changes) => this.#entry(changes))
    this.#kept = said
    changed()
  }

  #entry(changes: readonly string[]): AuditEntry {
    const { clock, team } = this.#parts
    const left = changes.length - MAX_NAMED_CHANGES
    const named = changes.slice(0, MAX_NAMED_CHANGES).join('; ')
    return {
      at: clock.now(),
      actor: PROGRAM,
      team: team() ?? '',
      operation: 'configuration',
      event: 'policy_changed',
      summary: `Alert rules of the configuration file: ${changes.length} changed`,
      detail: left > 0 ? `${named}; and ${left} more` : named,
    }
  }
}
