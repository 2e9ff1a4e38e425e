/** One thing Slack would refuse: where it is, and what the rule says. */
export interface Problem {
  /** A JSON pointer into the message or view, like `/blocks/3/elements/0/text`. */
  readonly pointer: string
  /** The rule in a sentence. Never holds the text that breaks it. */
  readonly sentence: string
}

const NONE: readonly Problem[] = []
const NONE_REPEATED: ReadonlySet<string> = new Set()
const NOT_BLANK = /\S/

/** No problem, or one. */
export function unless(holds: boolean, pointer: string, sentence: string): readonly Problem[] {
  return holds ? NONE : [{ pointer, sentence }]
}

/** Text that is there, not blank, and not longer than it may be. */
export function textProblems(text: string, pointer: string, limit: number): readonly Problem[] {
  if (text.length <= limit && NOT_BLANK.test(text)) return NONE
  return [
    ...unless(text.trim() !== '', pointer, 'Must not be empty.'),
    ...unless(text.length <= limit, pointer, `Must have at most ${limit} characters, not ${text.length}.`),
  ]
}

/** As `textProblems`, for something that may be absent. */
export function optionalTextProblems(text: string | undefined, pointer: string, limit: number): readonly Problem[] {
  return text === undefined ? [] : textProblems(text, pointer, limit)
}

/** A list with at least `least` and at most `most` entries. */
export function countProblems(count: number, pointer: string, least: number, most: number): readonly Problem[] {
  return unless(count >= least && count <= most, pointer, `Must have ${least} to ${most} entries, not ${count}.`)
}

/** Every value after its first use. */
export function repeated(values: readonly string[]): ReadonlySet<string> {
  if (new Set(values).size === values.length) return NONE_REPEATED
  const seen = new Set<string>()
  return new Set(values.filter((value) => seen.size === seen.add(value).size))
}
