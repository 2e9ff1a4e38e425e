import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { anyText, plainText } from './text.ts'

/** One choice of a select menu: plain text only. */
export const selectOption = z.strictObject({
  text: plainText(LIMITS.option.text),
  value: z.string().min(1).max(LIMITS.option.value),
  description: plainText(LIMITS.option.description).optional(),
})

/** One choice of checkboxes or radio buttons, whose text may be mrkdwn. */
export const checkOption = z.strictObject({
  text: anyText(LIMITS.option.text),
  value: z.string().min(1).max(LIMITS.option.value),
  description: anyText(LIMITS.option.description).optional(),
})

/** One entry of an overflow menu, which may lead to a page. */
export const overflowOption = z.strictObject({
  text: plainText(LIMITS.option.text),
  value: z.string().min(1).max(LIMITS.option.value),
  description: plainText(LIMITS.option.description).optional(),
  url: z.string().min(1).max(LIMITS.option.url).optional(),
})

/** A choice of any kind. */
export type Option = z.infer<typeof checkOption> | z.infer<typeof selectOption> | z.infer<typeof overflowOption>

const optionGroup = z.strictObject({
  label: plainText(LIMITS.option.text),
  options: z.array(selectOption).min(1).max(LIMITS.selectOptions),
})

/** Fields of a select menu with a fixed list: options or groups of options, never both. */
export const optionLists = {
  options: z.array(selectOption).min(1).max(LIMITS.selectOptions).optional(),
  option_groups: z.array(optionGroup).min(1).max(LIMITS.selectOptions).optional(),
}

/** What an app may answer when a client asks for the options of an external select. An empty list is allowed. */
export const suggestionAnswer = z.union([
  z.strictObject({ options: z.array(selectOption).max(LIMITS.selectOptions) }),
  z.strictObject({ option_groups: z.array(optionGroup).max(LIMITS.selectOptions) }),
])

interface Listed {
  readonly options?: readonly Option[] | undefined
  readonly option_groups?: readonly { readonly options: readonly Option[] }[] | undefined
}

/** All choices of a list, groups unfolded. */
export function listedOptions(list: Listed): readonly Option[] {
  return list.options ?? list.option_groups?.flatMap((group) => group.options) ?? []
}

/** Refuses a fixed list that is missing, given twice or repeats a value, and initial choices that are not in it. */
export function optionRules(
  list: Listed & {
    readonly initial_option?: Option | undefined
    readonly initial_options?: readonly Option[] | undefined
  },
  context: z.RefinementCtx,
): void {
  const complain = (message: string, path: string[]) => context.addIssue({ code: 'custom', message, path })
  if ((list.options === undefined) === (list.option_groups === undefined)) {
    complain('must provide exactly one of options or option_groups', [])
  }
  const known = listedOptions(list)
  if (new Set(known.map((option) => option.value)).size < known.length) {
    complain('option values must be unique', ['options'])
  }
  const isKnown = (option: Option) => known.some((candidate) => sameOption(candidate, option))
  if (list.initial_option !== undefined && !isKnown(list.initial_option)) {
    complain('initial_option must match exactly one of the options', ['initial_option'])
  }
  if (list.initial_options !== undefined && !list.initial_options.every(isKnown)) {
    complain('initial_options must match the options exactly', ['initial_options'])
  }
}

/** Slack compares text and value; the description takes no part. */
function sameOption(left: Option, right: Option): boolean {
  return left.value === right.value && left.text.text === right.text.text && left.text.type === right.text.type
}
