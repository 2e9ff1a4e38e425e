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

export type BlockRefusals = ReturnType<typeof blockRefusals>

/** Which drawings Slack refuses where, so that it is not asked with each message, nor the log told. */
export function blockRefusals(clock: Pick<Clock, 'now' | 'monotonicMs'>, log: Pick<Log, 'info' | 'warn'>) {
  /** By place and drawing, until Slack takes it again: what is tried anew after an hour is no news. */
  const known = new Map<string, BlockRefusal & { readonly untilMs: number }>()
  const list = (): readonly BlockRefusal[] => {
    const nowMs = clock.monotonicMs()
    const recent = [...known.values()].filter(({ untilMs }) => untilMs > nowMs)
    return recent.map(({ place, drawing, code, at }) => ({ place, drawing, code, at }))
  }
  return {
    list,
    has: (place: BlockPlace, drawing: Drawing): boolean =>
      list().some((each) => each.place === place && each.drawing === drawing),
    note(place: BlockPlace, drawing: Drawing, code: string): void {
      const key = `${place} ${drawing}`
      const sentence = 'Slack refuses this in messages: another form is sent, for an hour at once'
      if (!known.has(key)) log.warn({ place, drawing, code }, sentence)
      known.set(key, { place, drawing, code, at: clock.now(), untilMs: clock.monotonicMs() + MEMORY_MS })
    },
    /** Slack took these drawings there. */
    clear(place: BlockPlace, drawings: readonly Drawing[]): void {
      for (const drawing of drawings)
        if (known.delete(`${place} ${drawing}`)) log.info({ place, drawing }, 'Slack takes this in messages again')
    },
  }
}
