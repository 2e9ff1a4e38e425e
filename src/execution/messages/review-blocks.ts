import type { Block } from '../../block-kit/blocks.ts'
import { code, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { beginning } from '../../block-kit/plain-text.ts'
import { bullets, context, divider, facts, header, preformatted, section, type Fact } from '../../block-kit/sections.ts'
import type { Review } from '../../operations/declaration/operation.ts'
import type { Effect } from '../../operations/declaration/role.ts'
import { visible } from '../../shared/untrusted.ts'

/** More fields than any operation has, so that a list gone wrong cannot fill the view. */
const MAX_FIELDS = 60
/** A longer value, or one that inline code cannot show as it is, is shown in a block of its own. */
const MAX_INLINE_CHARACTERS = 150
const MAX_VALUE_CHARACTERS = 2_500
/** Leaves room in a section for bullets and escapes. */
const MAX_LIST_CHARACTERS = 1_500

/**
 * What a person reads before they confirm or approve a write. What it costs and what cannot be undone come first; then
 * the request, field by field as it will be sent. Nothing is left out without saying so. Everything is escaped.
 */
export function reviewBlocks(review: Review, effect: Effect): readonly Block[] {
  const { follows = [] } = review
  return [
    ...(follows.length === 0 ? [] : [section(md`${follows.join(' ')}`)]),
    ...graveBlocks(review, effect),
    ...list(md`:warning: `, 'Please note', review.warnings),
    divider(),
    header('What will be sent'),
    ...requestBlocks(review.request),
    ...list('', 'Changed from what was typed', review.notes),
  ]
}

/** What it costs, and what cannot be undone at all. */
export function graveBlocks({ costs, irreversible }: Review, effect: Effect): readonly Block[] {
  const named = costs.length + irreversible.length > 0
  return [
    ...list(md`:moneybag: `, 'This costs money', costs),
    ...list(md`:no_entry: `, 'This cannot be undone', irreversible),
    ...(effect === 'billed or irreversible' && !named
      ? [title(md`:no_entry: `, 'This may be billed, or cannot be undone.')]
      : []),
  ]
}

function title(icon: Mrkdwn | '', words: string): Block {
  return section(md`${icon}*${words}*`)
}

function list(icon: Mrkdwn | '', words: string, items: readonly string[]): readonly Block[] {
  return items.length === 0 ? [] : [title(icon, words), ...inSections(items).map((part) => bullets(part))]
}

/** Items in as many lists as it takes for none to be cut. */
function inSections(items: readonly string[]): readonly (readonly string[])[] {
  const sections: string[][] = []
  let room = 0
  for (const item of items) {
    room -= item.length
    if (room < 0) {
      sections.push([])
      room = MAX_LIST_CHARACTERS - item.length
    }
    sections.at(-1)?.push(item)
  }
  return sections
}

function requestBlocks(request: Review['request']): readonly Block[] {
  const blocks: Block[] = []
  let short: Fact[] = []
  const flush = (): void => {
    blocks.push(...facts(short))
    short = []
  }
  for (const [label, value] of request.slice(0, MAX_FIELDS)) {
    if (value.length <= MAX_INLINE_CHARACTERS && !/[\n`]/.test(value)) {
      short.push([label, value.trim() === '' ? '(empty)' : code(value)])
      continue
    }
    flush()
    const whole = visible(value, Number.POSITIVE_INFINITY)
    const shown = beginning(whole, MAX_VALUE_CHARACTERS)
    blocks.push(section(md`*${label}*`), preformatted(shown))
    const rest = whole.length - shown.length
    if (rest > 0) blocks.push(context(md`${rest} of ${whole.length} characters are not shown here, but will be sent.`))
  }
  flush()
  const hidden = request.length - MAX_FIELDS
  return hidden > 0 ? [...blocks, context(md`${hidden} more fields are not shown here, but will be sent.`)] : blocks
}
