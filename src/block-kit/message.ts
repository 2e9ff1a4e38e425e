import { type Untrusted, visible } from '../shared/untrusted.ts'
import type { Block } from './blocks.ts'
import { TWIN_BYTES } from './limits.ts'
import { fitMessage } from './message-fit.ts'
import { renderPieces } from './mrkdwn-pieces.ts'
import { NOTHING } from './plain-text.ts'
import { hasDrawings, plainForm } from './plain-form.ts'

/** What is sent to Slack, as a message or as an answer to a command. Everything in it is escaped and within limits. */
export interface Message {
  /** What a notification shows and a screen reader reads, so never empty. At most 4,000 bytes. */
  readonly text: string
  readonly blocks: readonly Block[]
  /** The same without charts and data tables, where the form that `plainFormOf` derives is not good enough. */
  readonly plain?: readonly Block[]
}

export interface MessageOptions {
  /** Plain words; foreign text may stand in it as it is. */
  readonly text: Untrusted
  readonly blocks: readonly Block[]
  /** Only where the derived form is not good enough. */
  readonly plain?: readonly Block[]
}

/**
 * A message from its twin and its blocks. Longer text is cut, further blocks, charts and table rows are left out, and
 * the message says so.
 */
export function message({ text, blocks, plain }: MessageOptions): Message {
  return { text: twinOf(text), blocks: fitMessage(blocks), ...(plain !== undefined && { plain: fitMessage(plain) }) }
}

/** What is sent once where Slack answers `invalid_blocks`; undefined when nothing is drawn that it could mean. */
export function plainFormOf({ blocks, plain }: Message): readonly Block[] | undefined {
  return plain ?? (blocks.some(hasDrawings) ? fitMessage(plainForm(blocks)) : undefined)
}

/** The message with further blocks at its end, like buttons, in both of its forms. */
export function withBlocks({ text, blocks, plain }: Message, ...more: readonly Block[]): Message {
  return {
    text,
    blocks: fitMessage([...blocks, ...more]),
    ...(plain !== undefined && { plain: fitMessage([...plain, ...plainForm(more)]) }),
  }
}

/** Room for the words that say how much was cut. */
const CUT_NOTE_BYTES = 60

/** Words as Slack shows them, whatever stands in them: visible, escaped, never empty, at most 4,000 bytes. */
export function twinOf(text: Untrusted): string {
  const whole = visible(text, Number.POSITIVE_INFINITY).trim()
  const rendered = whole.length > TWIN_BYTES ? undefined : escaped(whole === '' ? NOTHING : whole)
  if (rendered !== undefined && Buffer.byteLength(rendered) <= TWIN_BYTES) return rendered
  const points = Array.from(whole)
  const kept = fittingPoints(points)
  return `${escaped(points.slice(0, kept).join(''))}… (${points.length - kept} more characters, cut)`
}

function escaped(text: string): string {
  return renderPieces([{ kind: 'foreign', text }], Number.POSITIVE_INFINITY)
}

/** How many code points fit once each is escaped and encoded. */
function fittingPoints(points: readonly string[]): number {
  let left = TWIN_BYTES - CUT_NOTE_BYTES
  let kept = 0
  for (const point of points) {
    left -= WIDE.has(point) ? MAX_ESCAPED_BYTES : Buffer.byteLength(point)
    if (left < 0) break
    kept += 1
  }
  return kept
}

/** Characters that may become longer: an entity, or a look-alike of three bytes. */
const WIDE = new Set(['&', '<', '>', '*', '_', '~', '`', ':'])
const MAX_ESCAPED_BYTES = 5
