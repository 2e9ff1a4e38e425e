import * as z from 'zod'
import { withChildren } from './block-tree.ts'
import { block, type Block } from './blocks.ts'
import { idProblems } from './id-rules.ts'
import { LIMITS } from './limits.ts'
import { problemsOf, under, type Problem } from './problems.ts'
import { surfaceProblems } from './surfaces.ts'
import { tableCharacters } from './tables.ts'

/** Good blocks, or what Slack answers and why. */
export type CheckedBlocks =
  | { readonly ok: true; readonly blocks: readonly Block[] }
  | {
      readonly ok: false
      readonly error: 'invalid_blocks' | 'msg_blocks_too_long'
      readonly problems: readonly Problem[]
    }

/** What differs from one workspace, or one way of posting, to another. */
export interface MessageCheck {
  /** Refuse charts and tables, as workspaces do where they have not been rolled out yet. */
  readonly refuseCharts?: boolean
  /** A response_url takes more text than chat.postMessage does; the budget is left out then. */
  readonly budget?: boolean
}

const messageBlocks = z.array(block).max(LIMITS.message.blocks)

/** Checks the blocks of a message the way Slack does. Pointers begin with `/blocks`. */
export function checkMessageBlocks(
  given: unknown,
  { refuseCharts = false, budget = true }: MessageCheck = {},
): CheckedBlocks {
  const parsed = messageBlocks.safeParse(given, { reportInput: true })
  if (!parsed.success) return refused(problemsOf(parsed.error))
  const blocks = parsed.data
  const problems = [
    ...surfaceProblems(blocks, 'message'),
    ...idProblems(blocks),
    ...countProblems(blocks),
    ...(refuseCharts ? chartProblems(blocks) : []),
  ]
  if (problems.length > 0) return refused(problems)
  if (budget && textCharacters(blocks) > LIMITS.message.characters) {
    return { ok: false, error: 'msg_blocks_too_long', problems: [] }
  }
  return { ok: true, blocks }
}

function refused(problems: readonly Problem[]): CheckedBlocks {
  return { ok: false, error: 'invalid_blocks', problems: under('/blocks', problems) }
}

/** What may stand in one message only so often, or only with so many characters in all. */
function countProblems(blocks: readonly Block[]): readonly Problem[] {
  const all = withChildren(blocks).map((placed) => placed.block)
  const tables = all.filter((each) => each.type === 'table')
  const dataTables = all.filter((each) => each.type === 'data_table')
  const rules: readonly (readonly [boolean, string])[] = [
    [tables.length > LIMITS.message.tables, 'no more than 1 table block allowed'],
    [
      all.filter((each) => each.type === 'data_visualization').length > LIMITS.message.charts,
      `no more than ${LIMITS.message.charts} data_visualization blocks allowed`,
    ],
    [
      tables.reduce((sum, each) => sum + tableCharacters(each.rows), 0) > LIMITS.message.tableCharacters,
      `table blocks must have less than ${LIMITS.message.tableCharacters + 1} characters in all`,
    ],
    [
      dataTables.reduce((sum, each) => sum + tableCharacters(each.rows), 0) > LIMITS.message.dataTableCharacters,
      `data_table blocks must have less than ${LIMITS.message.dataTableCharacters + 1} characters in all`,
    ],
    [
      all.reduce((sum, each) => sum + (each.type === 'markdown' ? each.text.length : 0), 0) >
        LIMITS.message.markdownCharacters,
      `markdown blocks must have less than ${LIMITS.message.markdownCharacters + 1} characters in all`,
    ],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, message]) => ({ message, pointer: '' }))
}

const CHART_TYPES = new Set(['data_visualization', 'data_table', 'table'])

function chartProblems(blocks: readonly Block[]): readonly Problem[] {
  return withChildren(blocks)
    .filter((placed) => CHART_TYPES.has(placed.block.type))
    .map((placed) => ({ message: `unsupported type: ${placed.block.type}`, pointer: `${placed.pointer}/type` }))
}

/**
 * The characters of a message that count against its budget: every text of every block. Tables have budgets of their
 * own and markdown has one too, so they take no part.
 */
function textCharacters(blocks: readonly Block[]): number {
  return blocks
    .filter((each) => !['table', 'data_table', 'markdown'].includes(each.type))
    .reduce((sum, each) => sum + shownCharacters(each), 0)
}

const UNSEEN = new Set([
  'type',
  'block_id',
  'action_id',
  'value',
  'url',
  'image_url',
  'style',
  'language',
  'confirm',
  'accessibility_label',
])

/** Counts the strings of a message as it lies there, wherever they stand in a block; a dialog is not open yet. */
function shownCharacters(part: unknown): number {
  if (typeof part === 'string') return part.length
  if (typeof part !== 'object' || part === null) return 0
  return Object.entries(part)
    .filter(([name]) => !UNSEEN.has(name))
    .reduce((sum, [, value]) => sum + shownCharacters(value), 0)
}
