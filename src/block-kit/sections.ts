import { type Untrusted, visible } from '../shared/untrusted.ts'
import { counted } from './amounts.ts'
import type { Button } from './buttons.ts'
import { CONTEXT_ELEMENTS, HEADER_CHARACTERS, SECTION_FIELDS, TEXT_CHARACTERS } from './limits.ts'
import { joinMd, md, textOf, type Insertable, type Mrkdwn } from './mrkdwn.ts'
import { beginning, NOTHING, plainText } from './plain-text.ts'

/** What a preformatted block may take of a message's 10,000 characters. Our own limit; Slack states none. */
const PREFORMATTED_CHARACTERS = 8_000
const CUT_NOTE_CHARACTERS = 40
const MORE_CHARACTERS = 20
/** A value longer than this is a paragraph, not a fact in a column. */
const FACT_CHARACTERS = 300

/** A label and its value; a row without a value is left out. */
export type Fact = readonly [label: string, value: Insertable]

export interface SectionBlock {
  readonly type: 'section'
  readonly text?: MrkdwnText
  readonly fields?: readonly MrkdwnText[]
  /** Shows the whole text instead of folding it behind "see more". */
  readonly expand?: true
  readonly accessory?: Button
}

export function header(text: Untrusted) {
  return { type: 'header', text: plainText(text, HEADER_CHARACTERS) } as const
}

export function section(text: Mrkdwn | Untrusted): SectionBlock {
  return { type: 'section', text: mrkdwnText(text), expand: true }
}

/**
 * Labels and values in two columns: ten to a section, more in further sections. A long value gets a section of its own,
 * so that it is neither squeezed nor cut. Rows keep their order.
 */
export function facts(rows: readonly Fact[]): readonly SectionBlock[] {
  const blocks: SectionBlock[] = []
  let fields: MrkdwnText[] = []
  const flush = (): void => {
    if (fields.length > 0) blocks.push({ type: 'section', fields })
    fields = []
  }
  for (const [label, value] of rows) {
    if (value === undefined) continue
    const own = md`${value}`
    const shown = textOf(own, Number.POSITIVE_INFINITY).trim() === '' ? NOTHING : own
    const fact = md`*${label.replaceAll('\n', ' ')}*\n${shown}`
    const text = textOf(fact, Number.POSITIVE_INFINITY)
    if (text.length > FACT_CHARACTERS) {
      flush()
      blocks.push(section(fact))
      continue
    }
    // Short enough for a fact is short enough for a field; and it has its label.
    fields.push({ type: 'mrkdwn', text, verbatim: true })
    if (fields.length === SECTION_FIELDS) flush()
  }
  flush()
  return blocks
}

/** Small print, of ten parts at most. */
export function context(...parts: readonly (Mrkdwn | Untrusted)[]) {
  return { type: 'context', elements: parts.slice(0, CONTEXT_ELEMENTS).map((part) => mrkdwnText(part)) } as const
}

export function divider() {
  return { type: 'divider' } as const
}

export type RichTextBlock = ReturnType<typeof preformatted>

/**
 * Foreign text of many lines in a fixed-width box: structure, not markup, so nothing in it can act. Of a longer text
 * whole lines are left out at the end, and the box says how many.
 */
export function preformatted(text: Untrusted, limit = PREFORMATTED_CHARACTERS) {
  const whole = visible(text, Number.POSITIVE_INFINITY)
  const shown = whole.trim() === '' ? NOTHING : cutLines(whole, limit)
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: shown }] }],
  } as const
}

/** A list with bullets in one section; items that do not fit are counted in its last line. */
export function bullets(items: readonly (Mrkdwn | Untrusted)[]): SectionBlock {
  const lines = items.map((item) => md`• ${item}`)
  // A first item that is too long by itself is cut rather than left out.
  return section(joinMd(firstLines(lines, Math.max(1, linesThatFit(lines))), '\n'))
}

/** The first lines, and how many more there are. */
export function firstLines(lines: readonly Mrkdwn[], most: number): readonly Mrkdwn[] {
  return lines.length > most ? [...lines.slice(0, most), md`and ${lines.length - most} more`] : lines
}

/** How many lines one section takes: all of them, or as many as leave room for the line that counts the others. */
function linesThatFit(lines: readonly Mrkdwn[]): number {
  const lengths = lines.map((line) => textOf(line, Number.POSITIVE_INFINITY).length + 1)
  if (lengths.reduce((sum, length) => sum + length, -1) <= TEXT_CHARACTERS) return lines.length
  let left = TEXT_CHARACTERS - MORE_CHARACTERS
  return lengths.findIndex((length) => {
    left -= length
    return left < 0
  })
}

type MrkdwnText = ReturnType<typeof mrkdwnText>

/** Of which Slack does not make links or mentions where there are bare words. */
function mrkdwnText(text: Mrkdwn | Untrusted) {
  const shown = textOf(typeof text === 'string' ? md`${text}` : text)
  return { type: 'mrkdwn', text: shown.trim() === '' ? NOTHING : shown, verbatim: true } as const
}

function cutLines(text: string, limit: number): string {
  if (text.length <= limit) return text
  const part = beginning(text, limit - CUT_NOTE_CHARACTERS)
  const end = part.lastIndexOf('\n')
  const kept = end > 0 ? part.slice(0, end) : part
  const lines = text.slice(kept.length).split('\n').length - (end > 0 ? 1 : 0)
  return `${kept}\n… and ${counted(lines, 'more line')}`
}
