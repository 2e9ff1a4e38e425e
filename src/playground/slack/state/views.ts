import type { Clock } from '../../../shared/clock.ts'
import { LIMITS } from '../blocks/blocks.ts'
import { type ViewDefinition, withIds } from '../blocks/message-rules.ts'
import type { ChangeFeed } from './change-feed.ts'
import { type FormValues, shownValues } from '../blocks/element-values.ts'
import { SlackError } from './slack-error.ts'
import { DAY_MS } from '../../../shared/durations.ts'
import { TtlMap } from '../../../shared/ttl-map.ts'

export interface StoredView {
  readonly id: string
  readonly userId: string
  readonly hash: string
  readonly definition: ViewDefinition
  /** What the person has entered. The app learns it only when something is sent. */
  readonly values: FormValues
  readonly errors: Readonly<Record<string, string>>
}

/** The open views of everybody: one stack of at most three modals and one Home for each person. */
export class Views {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #stacks = new Map<string, readonly StoredView[]>()
  readonly #homes = new Map<string, StoredView>()

  constructor(clock: Clock, feed: ChangeFeed) {
    this.#clock = clock
    this.#feed = feed
  }

  stack(userId: string): readonly StoredView[] {
    return this.#stacks.get(userId) ?? []
  }

  home(userId: string): StoredView | undefined {
    return this.#homes.get(userId)
  }

  find(id: { readonly viewId?: string | undefined; readonly externalId?: string | undefined }): StoredView | undefined {
    const open = [...[...this.#stacks.values()].flat(), ...this.#homes.values()]
    return open.find((view) =>
      id.viewId === undefined ? view.definition.external_id === id.externalId : view.id === id.viewId,
    )
  }

  open(userId: string, definition: ViewDefinition): StoredView {
    return this.#onTop(userId, [], definition)
  }

  /** Puts a modal on top of the others. Throws `push_limit_reached` for a fourth. */
  push(userId: string, definition: ViewDefinition): StoredView {
    if (this.stack(userId).length >= LIMITS.view.stack) throw new SlackError('push_limit_reached')
    return this.#onTop(userId, this.stack(userId), definition)
  }

  /** Shows another definition in the same view. Values stay where block id and action id stay; complaints go. */
  update(view: StoredView, definition: ViewDefinition, hash?: string): StoredView {
    if (hash !== undefined && hash !== view.hash) throw new SlackError('hash_conflict')
    return this.#put({ ...view, ...this.#shown(definition, view) })
  }

  publish(userId: string, definition: ViewDefinition): StoredView {
    const shown = this.#homes.get(userId)
    return shown === undefined ? this.#put(this.#created(userId, definition)) : this.update(shown, definition)
  }

  /** What a person entered, or the complaints they now see. Returns undefined when the view is gone. */
  change(viewId: string, change: Partial<Pick<StoredView, 'values' | 'errors'>>): StoredView | undefined {
    const view = this.find({ viewId })
    return view === undefined ? undefined : this.#put({ ...view, ...change })
  }

  close({ id, userId }: StoredView): void {
    const left = this.stack(userId).filter((other) => other.id !== id)
    this.#stacks.set(userId, left)
    this.#feed.changed()
  }

  closeAll(userId: string): void {
    this.#stacks.set(userId, [])
    this.#feed.changed()
  }

  #onTop(userId: string, below: readonly StoredView[], definition: ViewDefinition): StoredView {
    const view = this.#created(userId, definition)
    this.#stacks.set(userId, [...below, view])
    this.#feed.changed()
    return view
  }

  #created(userId: string, definition: ViewDefinition): StoredView {
    const id = `V${this.#clock.newId().slice(0, 10).toUpperCase()}`
    return { id, userId, ...this.#shown(definition) }
  }

  #put(view: StoredView): StoredView {
    if (view.definition.type === 'home') this.#homes.set(view.userId, view)
    else {
      const stack = this.stack(view.userId).map((other) => (other.id === view.id ? view : other))
      this.#stacks.set(view.userId, stack)
    }
    this.#feed.changed()
    return view
  }

  /** What a view holds that shows this. Throws `duplicate_external_id` where the app calls another view so. */
  #shown(definition: ViewDefinition, before?: StoredView) {
    const { external_id: externalId = '' } = definition
    const holder = externalId === '' ? undefined : this.find({ externalId })
    if (holder !== undefined && holder.id !== before?.id) throw new SlackError('duplicate_external_id')
    const blocks = [...withIds(definition.blocks, this.#clock)]
    return {
      definition: { ...definition, blocks },
      hash: this.#clock.newId(),
      values: shownValues(blocks, before?.values),
      errors: {},
    }
  }
}

const LIFETIME_MS = 3_000
/** How long a trigger that has expired is told from one that never was. */
const KNOWN = { lifeMs: DAY_MS, most: 1_000 }

interface Trigger {
  readonly userId: string
  readonly issuedMs: number
  exchanged: boolean
}

/** Trigger ids: leave to open one view, good for 3 seconds and for one use. */
export class Triggers {
  readonly #clock: Clock
  readonly #triggers: TtlMap<Trigger>

  constructor(clock: Clock) {
    this.#clock = clock
    this.#triggers = new TtlMap(clock, KNOWN)
  }

  issue(userId: string): string {
    const id = `${this.#clock.now().getTime()}.${this.#clock.newId()}`
    this.#triggers.set(id, { userId, issuedMs: this.#clock.monotonicMs(), exchanged: false })
    return id
  }

  /** Uses a trigger up and says whose it is. Throws `invalid_`, `exchanged_` or `expired_trigger_id`. */
  exchange(id: string): string {
    const trigger = this.#triggers.get(id)
    if (trigger === undefined) throw new SlackError('invalid_trigger_id')
    if (trigger.exchanged) throw new SlackError('exchanged_trigger_id')
    if (this.#clock.monotonicMs() - trigger.issuedMs > LIFETIME_MS) throw new SlackError('expired_trigger_id')
    trigger.exchanged = true
    return trigger.userId
  }
}
