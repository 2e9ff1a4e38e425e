import { unreachable } from '../../../shared/errors.ts'
import type * as z from 'zod'

/** One thing Slack refuses in blocks or a view, and where: a JSON pointer such as `/blocks/0/text/text`. */
export interface Problem {
  readonly message: string
  readonly pointer: string
}

/** A problem as Slack writes it in the `errors` of a refused message. */
export function written(problem: Problem): string {
  return `${problem.message} [json-pointer:${problem.pointer}]`
}

/** Puts the place of the whole in front of the pointers of its parts. */
export function under(prefix: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ message, pointer }) => ({ message, pointer: `${prefix}${pointer}` }))
}

/** What a schema found, in Slack's words. Parse with `reportInput: true`, or a missing field reads as a wrong type. */
export function problemsOf(error: z.ZodError): readonly Problem[] {
  return error.issues.flatMap((issue) => wordsFor(issue))
}

type Issue = z.core.$ZodIssue

function wordsFor(issue: Issue): readonly Problem[] {
  const pointer = pointerOf(issue.path)
  if (isMissing(issue)) {
    return [
      { message: `missing required field: ${String(issue.path.at(-1))}`, pointer: pointerOf(issue.path.slice(0, -1)) },
    ]
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
      return [{ message: `must provide ${article(issue.expected)}`, pointer }]
    case 'invalid_value':
      return [{ message: `must be one of: ${issue.values.map(String).join(', ')}`, pointer }]
    case 'custom':
      return [{ message: issue.message, pointer }]
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return [{ message: 'must have a valid format', pointer }]
    default:
      return unreachable(issue)
  }
}

/** A path that ends in a name whose value is absent; an absent list entry cannot be written in JSON. */
function isMissing(issue: Issue): boolean {
  return issue.input === undefined && issue.code !== 'custom' && issue.path.length > 0
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `must be less than ${Number(issue.maximum) + 1} characters`
  if (issue.origin === 'array') return `no more than ${issue.maximum} items allowed`
  return `must be less than or equal to ${issue.maximum}`
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return `must be more than ${Number(issue.minimum) - 1} characters`
  if (issue.origin === 'array') return `no fewer than ${issue.minimum} items allowed`
  return issue.inclusive === false
    ? `must be greater than ${issue.minimum}`
    : `must be greater than or equal to ${issue.minimum}`
}

/** Slack names the type it does not know in this place; with no type at all it misses the field. */
function unknownType(issue: Extract<Issue, { code: 'invalid_union' }>, pointer: string): readonly Problem[] {
  if (issue.errors.length > 0) return [{ message: 'failed to match all allowed schemas', pointer }]
  const { input } = issue
  if (typeof input !== 'object' || input === null || !('type' in input)) {
    return [{ message: 'missing required field: type', pointer: pointerOf(issue.path.slice(0, -1)) }]
  }
  return [{ message: `unsupported type: ${String(input.type)}`, pointer }]
}

function article(expected: string): string {
  const named: Record<string, string> = { array: 'an array', object: 'an object', int: 'an integer' }
  return named[expected] ?? `a ${expected}`
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
