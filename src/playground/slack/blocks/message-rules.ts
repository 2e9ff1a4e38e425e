import * as z from 'zod'
import type { Clock } from '../../../shared/clock.ts'
import { block, listedElements, LIMITS, plainText, type Block, type Element } from './blocks.ts'

/** One thing Slack refuses in blocks or a view, in other words than its own, and where: `/blocks/0/text/text`. */
export interface Problem {
  readonly message: string
  readonly pointer: string
}

interface Refusal<E extends string> {
  readonly ok: false
  readonly error: E
  readonly problems: readonly Problem[]
}

export type CheckedBlocks =
  | { readonly ok: true; readonly blocks: readonly Block[] }
  | Refusal<'invalid_blocks' | 'msg_blocks_too_long'>

export interface MessageCheck {
  /** Types that are refused, such as charts and tables where they have not been rolled out yet. */
  readonly refused?: readonly string[]
  /** A response_url takes more text than chat.postMessage does; the budget is left out then. */
  readonly budget?: boolean
}

const messageBlocks = z.array(block).max(LIMITS.message.blocks)

/** Checks the blocks of a message the way Slack does. Pointers begin with `/blocks`. */
export function checkMessageBlocks(given: unknown, { refused = [], budget = true }: MessageCheck = {}): CheckedBlocks {
  const parsed = messageBlocks.safeParse(given)
  const problems = parsed.success ? blockProblems(parsed.data, 'message', refused) : problemsOf(parsed.error)
  if (!parsed.success || problems.length > 0) {
    return { ok: false, error: 'invalid_blocks', problems: under('/blocks', problems) }
  }
  // Every text of every block counts against the budget but those of tables, which have their own.
  const counted = parsed.data.filter(({ type }) => type !== 'data_table')
  if (budget && shownCharacters(counted) > LIMITS.message.characters) {
    return { ok: false, error: 'msg_blocks_too_long', problems: [] }
  }
  return { ok: true, blocks: parsed.data }
}

const common = {
  blocks: z.array(block).max(LIMITS.view.blocks),
  callback_id: z.string().max(LIMITS.view.id).optional(),
  external_id: z.string().max(LIMITS.view.id).optional(),
  private_metadata: z.string().max(LIMITS.view.privateMetadata).optional(),
}

const modal = z.strictObject({
  type: z.literal('modal'),
  ...common,
  title: plainText(LIMITS.view.title),
  submit: plainText(LIMITS.view.button).optional(),
  close: plainText(LIMITS.view.button).optional(),
  notify_on_close: z.boolean().optional(),
})

const view = z.discriminatedUnion('type', [modal, z.strictObject({ type: z.literal('home'), ...common })])

export type ViewDefinition = z.infer<typeof view>

export type CheckedView =
  | { readonly ok: true; readonly view: ViewDefinition }
  | Refusal<'invalid_arguments' | 'view_too_large'>

/** Checks a view the way Slack does, for the place it shall be shown at. Pointers begin with `/view`. */
export function checkView(given: unknown, surface: 'modal' | 'home'): CheckedView {
  if (Buffer.byteLength(JSON.stringify(given) ?? '') > LIMITS.view.bytes) {
    return { ok: false, error: 'view_too_large', problems: [] }
  }
  const parsed = view.safeParse(given)
  const problems = parsed.success
    ? [...typeProblems(parsed.data, surface), ...under('/blocks', blockProblems(parsed.data.blocks, surface))]
    : problemsOf(parsed.error)
  if (parsed.success && problems.length === 0) return { ok: true, view: parsed.data }
  return { ok: false, error: 'invalid_arguments', problems: under('/view', problems) }
}

/** A form cannot be sent without a button to send it with. */
function typeProblems(given: ViewDefinition, surface: 'modal' | 'home'): readonly Problem[] {
  if (given.type !== surface) return [{ message: `must be a view of type ${surface}`, pointer: '/type' }]
  const hasInput = given.blocks.some((each) => each.type === 'input')
  if (given.type === 'modal' && hasInput && given.submit === undefined) {
    return [{ message: 'missing required field: submit', pointer: '' }]
  }
  return []
}

type Surface = 'message' | 'modal' | 'home'

/** What is not allowed everywhere (docs.slack.dev/reference/block-kit/blocks and /block-elements, 2026-09-14). */
const SURFACES: Partial<Record<Block['type'] | Element['type'], readonly Surface[]>> = {
  data_table: ['message', 'home'],
  data_visualization: ['message', 'home'],
  number_input: ['modal'],
}

/** What is wrong with blocks that are each well made. Pointers are relative to the list. */
function blockProblems(
  blocks: readonly Block[],
  surface: Surface,
  refused: readonly string[] = [],
): readonly Problem[] {
  const problems: Problem[] = []
  const blockIds = new Set<string>()
  for (const [index, each] of blocks.entries()) {
    const parts = listedElements(each)
    for (const { element: part, pointer } of [{ element: each, pointer: '' }, ...parts]) {
      if (SURFACES[part.type]?.includes(surface) === false || refused.includes(part.type)) {
        problems.push({ message: `unsupported type: ${part.type}`, pointer: `/${index}${pointer}/type` })
      }
    }
    problems.push(...repeated('block_id', each.block_id, blockIds, `/${index}`))
    const actionIds = new Set<string>()
    for (const { element, pointer } of parts) {
      problems.push(...repeated('action_id', element.action_id, actionIds, `/${index}${pointer}`))
    }
  }
  return [...problems, ...countProblems(blocks)]
}

/** Block ids are unique in a message or view, action ids in their block. */
function repeated(field: string, id: string | undefined, seen: Set<string>, at: string): readonly Problem[] {
  if (id === undefined) return []
  if (seen.has(id)) return [{ message: `${field} already exists: ${id}`, pointer: `${at}/${field}` }]
  seen.add(id)
  return []
}

/** What may stand in one message or view only so often, or only with so many characters in all. */
function countProblems(blocks: readonly Block[]): readonly Problem[] {
  const { charts, dataTableCharacters } = LIMITS.message
  const drawn = blocks.filter((each) => each.type === 'data_visualization')
  const cells = blocks.flatMap((each) => (each.type === 'data_table' ? each.rows.flat() : []))
  const characters = cells.reduce((sum, { text }) => sum + text.length, 0)
  return [
    ...(drawn.length > charts ? [`no more than ${charts} data_visualization blocks allowed`] : []),
    ...(characters > dataTableCharacters
      ? [`no more than ${dataTableCharacters} characters in data_table blocks`]
      : []),
  ].map((message) => ({ message, pointer: '' }))
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

export function written(problem: Problem): string {
  return `${problem.message} [json-pointer:${problem.pointer}]`
}

function under(prefix: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ message, pointer }) => ({ message, pointer: `${prefix}${pointer}` }))
}

function problemsOf(error: z.ZodError): readonly Problem[] {
  return error.issues.map(({ message, path }) => ({ message, pointer: pointerOf(path) }))
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

const ID_LENGTH = 5

/** Gives every block that has no id a made-up one, as Slack does. To every element the bot gives one. */
export function withIds(blocks: readonly Block[], clock: Clock): readonly Block[] {
  return blocks.map((each) => ({ ...each, block_id: each.block_id ?? clock.newId().slice(0, ID_LENGTH) }))
}
