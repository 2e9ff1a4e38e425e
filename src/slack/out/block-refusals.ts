import type { Drawing } from '../../block-kit/message.ts'
import type { Clock } from '../../shared/clock.ts'
import { HOUR_MS } from '../../shared/durations.ts'
import type { Log } from '../../shared/log.ts'

/** Where blocks go: Slack may take in one place what it refuses in another. Home and forms have neither charts nor tables. */
export type BlockPlace = 'post' | 'edit' | 'ephemeral' | 'response address'

/** What Slack refused in a place within the last hour. */
export interface BlockRefusal {
  readonly place: BlockPlace
  readonly drawing: Drawing
  /** Slack's own word for it. */
  readonly code: string
  readonly at: Date
}

/** How long a place that refused a drawing gets messages without it at once. */
const MEMORY_MS = HOUR_MS

/** Which drawings Slack refuses where, so that it is not asked with each message, nor the log told. */
export class BlockRefusals {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>
  readonly #log: Pick<Log, 'info' | 'warn'>
  /** By place and drawing, until Slack takes it again: what is tried anew after an hour is no news. */
  readonly #known = new Map<string, BlockRefusal & { readonly untilMs: number }>()

  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>, log: Pick<Log, 'info' | 'warn'>) {
    this.#clock = clock
    this.#log = log
  }

  list(): readonly BlockRefusal[] {
    const nowMs = this.#clock.monotonicMs()
    const recent = [...this.#known.values()].filter(({ untilMs }) => untilMs > nowMs)
    return recent.map(({ place, drawing, code, at }) => ({ place, drawing, code, at }))
  }

  has(place: BlockPlace, drawing: Drawing): boolean {
    return this.list().some((each) => each.place === place && each.drawing === drawing)
  }

  note(place: BlockPlace, drawing: Drawing, code: string): void {
    const key = `${place} ${drawing}`
    if (!this.#known.has(key))
      this.#log.warn(
        { place, drawing, code },
        'Slack refuses this in messages: another form is sent, for an hour at once',
      )
    const untilMs = this.#clock.monotonicMs() + MEMORY_MS
    this.#known.set(key, { place, drawing, code, at: this.#clock.now(), untilMs })
  }

  /** Slack took these drawings there. */
  clear(place: BlockPlace, drawings: readonly Drawing[]): void {
    for (const drawing of drawings)
      if (this.#known.delete(`${place} ${drawing}`))
        this.#log.info({ place, drawing }, 'Slack takes this in messages again')
  }
}
