import * as z from 'zod'
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

/** What may stand in one message or view only so often, or only with so many characters in all. */
export function countProblems(blocks: readonly Block[]): readonly Problem[] {
  const { charts, dataTableCharacters } = LIMITS.message
  const drawn = blocks.filter((each) => each.type === 'data_visualization')
  const tables = blocks.filter((each) => each.type === 'data_table')
  const characters = tables.reduce((sum, { rows }) => sum + tableCharacters(rows), 0)
  return [
    ...(drawn.length > charts ? [`no more than ${charts} data_visualization blocks allowed`] : []),
    ...(characters > dataTableCharacters
      ? [`data_table blocks must have less than ${dataTableCharacters + 1} characters in all`]
      : []),
  ].map((message) => ({ message, pointer: '' }))
}

function chartProblems(blocks: readonly Block[]): readonly Problem[] {
  return blocks.flatMap(({ type }, index) =>
    type === 'data_visualization' || type === 'data_table'
      ? [{ message: `unsupported type: ${type}`, pointer: `/${index}/type` }]
      : [],
  )
}

/** The characters of a message that count against its budget: every text of every block but tables, which have their own. */
function textCharacters(blocks: readonly Block[]): number {
  return blocks.filter(({ type }) => type !== 'data_table').reduce((sum, each) => sum + shownCharacters(each), 0)
}

const UNSEEN = new Set(['type', 'block_id', 'action_id', 'value', 'style', 'confirm', 'accessibility_label'])

/** Counts the strings of a message as it lies there, wherever they stand in a block; a dialog is not open yet. */
function shownCharacters(part: unknown): number {
  if (typeof part === 'string') return part.length
  if (typeof part !== 'object' || part === null) return 0
  return Object.entries(part)
    .filter(([name]) => !UNSEEN.has(name))
    .reduce((sum, [, value]) => sum + shownCharacters(value), 0)
}
