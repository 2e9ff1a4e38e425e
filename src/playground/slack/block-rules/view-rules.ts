import * as z from 'zod'
import { block } from './blocks.ts'
import { idProblems } from './id-rules.ts'
import { LIMITS } from './limits.ts'
import { countProblems } from './message-rules.ts'
import { problemsOf, under, type Problem } from './problems.ts'
import { surfaceProblems } from './surfaces.ts'
import { plainText } from './text.ts'

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
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  submit_disabled: z.boolean().optional(),
})

const home = z.strictObject({ type: z.literal('home'), ...common })

const view = z.discriminatedUnion('type', [modal, home])

/** A view as an app sends it, already checked. */
export type ViewDefinition = z.infer<typeof view>

/** A good view, or what Slack answers and why. */
export type CheckedView =
  | { readonly ok: true; readonly view: ViewDefinition }
  | {
      readonly ok: false
      readonly error: 'invalid_arguments' | 'view_too_large'
      readonly problems: readonly Problem[]
    }

/** Checks a view the way Slack does, for the place it shall be shown at. Pointers begin with `/view`. */
export function checkView(given: unknown, surface: 'modal' | 'home'): CheckedView {
  if (Buffer.byteLength(JSON.stringify(given) ?? '') > LIMITS.view.bytes) {
    return { ok: false, error: 'view_too_large', problems: [] }
  }
  const parsed = view.safeParse(given, { reportInput: true })
  if (!parsed.success) return refused(problemsOf(parsed.error))
  const problems = [...typeProblems(parsed.data, surface), ...under('/blocks', blockProblems(parsed.data, surface))]
  return problems.length > 0 ? refused(problems) : { ok: true, view: parsed.data }
}

function refused(problems: readonly Problem[]): CheckedView {
  return { ok: false, error: 'invalid_arguments', problems: under('/view', problems) }
}

function blockProblems(given: ViewDefinition, surface: 'modal' | 'home'): readonly Problem[] {
  return [...surfaceProblems(given.blocks, surface), ...idProblems(given.blocks), ...countProblems(given.blocks)]
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
