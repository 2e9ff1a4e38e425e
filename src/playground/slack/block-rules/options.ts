import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { plainText } from './text.ts'

/** One choice of a menu, of checkboxes or of radio buttons. */
export const option = z.strictObject({
  text: plainText(LIMITS.option.text),
  value: z.string().min(1).max(LIMITS.option.value),
  description: plainText(LIMITS.option.description).optional(),
})

/** A choice that was checked. */
export type Option = z.infer<typeof option>

/** A fixed list of 1 to `max` choices. */
export function optionList(max: number) {
  return z.array(option).min(1).max(max)
}

/** What an app may answer when a client asks for the options of an external select. An empty list is allowed. */
export const suggestionAnswer = z.strictObject({ options: z.array(option).max(LIMITS.selectOptions) })

/** Refuses a fixed list that repeats a value, and initial choices that are not in it. */
export function optionRules(
  list: {
    readonly options: readonly Option[]
    readonly initial_option?: Option | undefined
    readonly initial_options?: readonly Option[] | undefined
  },
  context: z.RefinementCtx,
): void {
  const complain = (message: string, field: string) => context.addIssue({ code: 'custom', message, path: [field] })
  if (new Set(list.options.map(({ value }) => value)).size < list.options.length) {
    complain('option values must be unique', 'options')
  }
  const isKnown = (wanted: Option) => list.options.some((candidate) => sameOption(candidate, wanted))
  if (list.initial_option !== undefined && !isKnown(list.initial_option)) {
    complain('initial_option must match exactly one of the options', 'initial_option')
  }
  if (list.initial_options !== undefined && !list.initial_options.every(isKnown)) {
    complain('initial_options must match the options exactly', 'initial_options')
  }
}

/** Slack compares text and value; the description takes no part. */
function sameOption(left: Option, right: Option): boolean {
  return left.value === right.value && left.text.text === right.text.text
}
