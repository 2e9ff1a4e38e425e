import * as z from 'zod'
import type { Clock } from '../../../shared/clock.ts'
import { block, listedElements, LIMITS, plainText, type Block, type Element } from './blocks.ts'

/** One thing Slack refuses in blocks or a view, and where: a JSON pointer such as `/blocks/0/text/text`. */
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
  const parsed = messageBlocks.safeParse(given, { reportInput: true })
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
  const parsed = view.safeParse(given, { reportInput: true })
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
    for (const { part, pointer } of [
      { part: each, pointer: '' },
      ...parts.map(({ element, pointer: at }) => ({ part: element, pointer: at })),
    ]) {
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
      ? [`data_table blocks must have less than ${dataTableCharacters + 1} characters in all`]
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

/** What a schema found, in Slack's words. Parse with `reportInput: true`, or a missing field reads as a wrong type. */
function problemsOf(error: z.ZodError): readonly Problem[] {
  return error.issues.flatMap((issue) => wordsFor(issue))
}

type Issue = z.core.$ZodIssue

function wordsFor(issue: Issue): readonly Problem[] {
  const pointer = pointerOf(issue.path)
  // An absent entry of a list cannot be written in JSON.
  if (issue.input === undefined && issue.code !== 'custom' && issue.path.length > 0) {
    const message = `missing required field: ${String(issue.path.at(-1))}`
    return [{ message, pointer: pointerOf(issue.path.slice(0, -1)) }]
  }
  switch (issue.code) {
    case 'too_big':
      return [{ message: tooBig(issue), pointer }]
    case 'too_small':
      return [{ message: tooSmall(issue), pointer }]
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ message: `invalid additional property: ${key}`, pointer }))
    case 'invalid_union':
      return unknownType(issue, pointer)
    case 'invalid_type':
      return [{ message: `must provide ${ARTICLES[issue.expected] ?? `a ${issue.expected}`}`, pointer }]
    case 'invalid_value':
      return [{ message: `must be one of: ${issue.values.map(String).join(', ')}`, pointer }]
    case 'custom':
      return [{ message: issue.message, pointer }]
    default:
      return [{ message: 'must have a valid format', pointer }]
  }
}

const ARTICLES: Readonly<Record<string, string>> = { array: 'an array', object: 'an object', int: 'an integer' }

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `must be less than ${Number(issue.maximum) + 1} characters`
  if (issue.origin === 'array') return `no more than ${issue.maximum} items allowed`
  return `must be less than or equal to ${issue.maximum}`
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return `must be more than ${Number(issue.minimum) - 1} characters`
  if (issue.origin === 'array') return `no fewer than ${issue.minimum} items allowed`
  return `must be greater than or equal to ${issue.minimum}`
}

/** Slack names the type it does not know in this place; with no type at all it misses the field. */
function unknownType({ input, path }: Issue, pointer: string): readonly Problem[] {
  if (typeof input !== 'object' || input === null || !('type' in input)) {
    return [{ message: 'missing required field: type', pointer: pointerOf(path.slice(0, -1)) }]
  }
  return [{ message: `unsupported type: ${String(input.type)}`, pointer }]
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

const ID_LENGTH = 5

/** Gives every block and every element that has no id a made-up one, as Slack does, and leaves all else alone. */
export function withIds(blocks: readonly Block[], clock: Clock): readonly Block[] {
  const newId = () => clock.newId().slice(0, ID_LENGTH)
  const named = <T extends { readonly action_id?: string | undefined }>(element: T): T => ({
    ...element,
    action_id: element.action_id ?? newId(),
  })
  return blocks.map((given) => {
    const block = { ...given, block_id: given.block_id ?? newId() }
    if (block.type === 'actions') return { ...block, elements: block.elements.map(named) }
    if (block.type === 'input') return { ...block, element: named(block.element) }
    if (block.type === 'section' && block.accessory !== undefined) {
      return { ...block, accessory: named(block.accessory) }
    }
    return block
  })
}
