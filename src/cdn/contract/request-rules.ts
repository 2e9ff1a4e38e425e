import type * as z from 'zod'
import { UserError } from '../../shared/errors.ts'

/** A stated rule that a request breaks: the field in the contract's spelling, and the rule as a sentence. */
export interface RequestIssue {
  readonly field: string
  readonly message: string
}

export function issuesOf(schema: z.ZodType, value: unknown): readonly RequestIssue[] {
  const checked = schema.safeParse(value)
  return checked.success ? [] : issuesFrom(checked.error)
}

export function issuesFrom({ issues }: z.ZodError): readonly RequestIssue[] {
  return issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }))
}

/** Throws `UserError` naming every rule broken. Called before anything is sent. */
export function refuse(issues: readonly RequestIssue[]): void {
  if (issues.length === 0) return
  const sentences = issues.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  throw new UserError('invalid_input', `${sentences.join(' ')} Nothing was sent.`)
}
