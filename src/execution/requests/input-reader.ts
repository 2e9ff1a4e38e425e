import type { NamedZone } from '../../operations/declaration/field.ts'
import { findOperation } from '../../operations/declaration/find-operation.ts'
import type { CheckContext, Invocation } from '../../operations/declaration/operation.ts'
import { namesIn } from '../../operations/declaration/person-field.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Change } from '../../store/schema/change.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import type { Parts } from './parts.ts'

export type WithInputs = Parts & { readonly inputs: InputReader }

type CheckedFor = Pick<Actor, 'timeZone'> & Partial<Pick<Actor, 'role'>> & { readonly changeId?: string }
type Asked = Pick<Invocation, 'operation' | 'values'>

/** Knows what input is checked against: the names of zones, the time, and the marker of a change. */
export class InputReader {
  readonly #options: Parts

  constructor(options: Parts) {
    this.#options = options
  }

  /** All zones with names, those of the configuration first; those alone while the store cannot be read. */
  async zones(): Promise<readonly NamedZone[]> {
    try {
      return await this.#allZones()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#options.log.warn({ err: error }, 'the names of zones could not be read')
      return this.#options.managedZones()
    }
  }

  async #allZones(): Promise<readonly NamedZone[]> {
    const { store, managedZones } = this.#options
    return [...managedZones(), ...(await store.zones.list())]
  }

  /**
   * What input is checked against now. A change leaves its marker, where that is turned on, and has to read as it did when
   * it was reviewed: for it every name is needed. Throws StoreError for a change only. Of people those are looked up whom
   * `asked` names, for whoever has a role.
   */
  async check({ timeZone, changeId, role = 'none' }: CheckedFor, asked?: Asked): Promise<CheckContext> {
    const { clock, panel, people } = this.#options
    const names = asked === undefined || role === 'none' ? [] : namesIn(asked.values, asked.operation.fields)
    const [zones, ...found] = await Promise.all([
      changeId === undefined ? this.zones() : this.#allZones(),
      ...names.map(async (name) => [name, await people.named(name)] as const),
    ])
    return { now: clock.now(), zones, timeZone, panel, marker: this.marker(changeId), named: new Map(found) }
  }

  /** What a change would do as it reads now; undefined where it does not read any more. Throws StoreError. */
  async readChange(change: Change, timeZone: string): Promise<Invocation | undefined> {
    const operation = findOperation(this.#options.operations, change.operation)
    const parsed = operation?.parse(change.values, await this.check({ timeZone, changeId: change.id }))
    return parsed?.ok === true ? parsed.invocation : undefined
  }

  /** What a write leaves in a free field of the platform, so that it can be found again. */
  marker(changeId: string | undefined): string | undefined {
    return changeId === undefined || !this.#options.markRecords ? undefined : `cdn-ops ${shortId(changeId)}`
  }
}
