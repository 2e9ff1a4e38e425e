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

/** A form of a message that Slack refused: the drawings that it had, and those that Slack named as wrong. */
export interface RefusedForm {
  readonly kept: readonly Drawing[]
  readonly blamed: readonly Drawing[]
}

/**
 * The drawings to try next after a refusal: without those that Slack named, else without each in turn, and where only one
 * more try is left without any. Undefined for the text alone.
 */
export function chooseNextForm(refused: readonly RefusedForm[], triesLeft: number): readonly Drawing[] | undefined {
  const last = refused.at(-1)
  if (last === undefined || last.kept.length === 0) return undefined
  if (triesLeft <= 1) return []
  if (last.blamed.length > 0) return last.kept.filter((drawing) => !last.blamed.includes(drawing))
  if (last.kept.length > 1) return last.kept.slice(1)
  const [first] = refused
  const other = first?.kept.find((drawing) => !refused.some(({ kept }) => kept.length === 1 && kept.includes(drawing)))
  return other === undefined || triesLeft <= 2 ? [] : [other]
}

/** Which of the drawings that were left out in the end Slack refuses; without evidence the first, as the others may pass. */
export function findCulprits(refused: readonly RefusedForm[], kept: readonly Drawing[]): readonly Drawing[] {
  const missing = (refused[0]?.kept ?? []).filter((drawing) => !kept.includes(drawing))
  const evident = missing.filter((drawing) =>
    refused.some((form) => form.blamed.includes(drawing) || (form.kept.length === 1 && form.kept.includes(drawing))),
  )
  return evident.length > 0 ? evident : missing.slice(0, 1)
}
