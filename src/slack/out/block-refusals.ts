import type { Block } from '../../block-kit/blocks.ts'
import { type Drawing, drawingOf, drawingsIn, formWith, type Message } from '../../block-kit/message.ts'
import type { Clock } from '../../shared/clock.ts'
import { HOUR_MS } from '../../shared/durations.ts'
import type { Log } from '../../shared/log.ts'
import { SlackError } from './web-api.ts'

/** Where blocks go: Slack may take in one place what it refuses in another. Home and forms have neither charts nor tables. */
export type BlockPlace = 'post' | 'edit' | 'ephemeral' | 'response address'

/** What Slack refused in a place within the last hour. */
export interface BlockRefusal {
  readonly place: BlockPlace
  readonly drawing: Drawing
  /** Slack's own word for it. */
  readonly code: string
}

export type BlockRefusals = ReturnType<typeof blockRefusals>

/** Which drawings Slack refuses where, so that it is not asked with each message, nor the log told. */
export function blockRefusals(clock: Pick<Clock, 'monotonicMs'>, log: Pick<Log, 'info' | 'warn'>) {
  /** By place and drawing, until Slack takes it again: what is tried anew after an hour is no news. */
  const known = new Map<string, BlockRefusal & { readonly untilMs: number }>()
  const list = (): readonly BlockRefusal[] => {
    const nowMs = clock.monotonicMs()
    return [...known.values()].filter(({ untilMs }) => untilMs > nowMs)
  }
  return {
    list,
    has: (place: BlockPlace, drawing: Drawing): boolean =>
      list().some((each) => each.place === place && each.drawing === drawing),
    note(place: BlockPlace, drawing: Drawing, code: string): void {
      const key = `${place} ${drawing}`
      const sentence = 'Slack refuses this in messages: another form is sent, for an hour at once'
      if (!known.has(key)) log.warn({ place, drawing, code }, sentence)
      known.set(key, { place, drawing, code, untilMs: clock.monotonicMs() + HOUR_MS })
    },
    /** Slack took these drawings there. */
    clear(place: BlockPlace, drawings: readonly Drawing[]): void {
      for (const drawing of drawings)
        if (known.delete(`${place} ${drawing}`)) log.info({ place, drawing }, 'Slack takes this in messages again')
    },
  }
}

/** What Slack answers where a workspace does not know charts or tables. */
const UNKNOWN_BLOCKS = new Set(['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments'])
/** The same where blocks are too much for it, which says nothing of the next message. */
const BLOCKS_REFUSED = new Set([...UNKNOWN_BLOCKS, 'msg_blocks_too_long'])

/** What is sent of a message: its text with blocks of some form, or alone. */
export interface Form extends Readonly<Record<string, unknown>> {
  readonly text: string
  readonly blocks?: readonly Block[]
}

/**
 * Sends a message with what Slack is known to take there; where it refuses blocks, without charts, tables or both, then its
 * text alone. Throws `SlackError` for all else.
 */
export async function inSomeForm<T>(
  { refusals, log }: { readonly refusals: BlockRefusals; readonly log: Pick<Log, 'warn'> },
  place: BlockPlace,
  message: Message,
  send: (form: Form) => Promise<T>,
  triesLeft: () => number,
): Promise<T> {
  const { text } = message
  const wanted = drawingsIn(message).filter((drawing) => !refusals.has(place, drawing))
  /** Those that Slack named, or refused alone. */
  const culprits = new Set<Drawing>()
  let code = ''
  let kept: readonly Drawing[] | undefined = triesLeft() === 1 ? [] : wanted
  while (kept !== undefined) {
    const had: readonly Drawing[] = kept
    const blocks = formWith(message, had)
    try {
      const sent = await send({ text, blocks })
      // Without evidence the first that was left out: the others may pass.
      const refused = culprits.size > 0 ? culprits : wanted.filter((drawing) => !had.includes(drawing)).slice(0, 1)
      if (UNKNOWN_BLOCKS.has(code)) for (const drawing of refused) refusals.note(place, drawing, code)
      refusals.clear(place, had)
      return sent
    } catch (error) {
      if (!(error instanceof SlackError && BLOCKS_REFUSED.has(error.code))) throw error
      code = error.code
      const named = had.filter((drawing) => error.blocks.some((index) => drawing === drawingOf(blocks[index])))
      for (const drawing of had.length === 1 ? had : named) culprits.add(drawing)
      const open = wanted.filter((drawing) => !culprits.has(drawing))
      // What was left out on a guess is tried by itself, where the text alone can still follow.
      const next = named.length > 0 || (had.length === 1 && triesLeft() > 2) ? open : had.slice(1)
      kept = had.length === 0 ? undefined : triesLeft() <= 1 ? [] : next
    }
  }
  log.warn({ place, code }, 'Slack refused the blocks of a message in every form: its text is sent alone')
  return send({ text })
}
