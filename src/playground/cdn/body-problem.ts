import type * as z from 'zod'
import { invalidField } from './refusal.ts'

/**
 * Reads a request body through a schema, or throws the refusal the management interface gives: the first problem in the
 * schema's order, named by its field.
 */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  if (unknown !== undefined) throw invalidField(unknown, 'The request has no such field.')
  throw invalidField(issue?.path.join('.') ?? '', issue?.message ?? 'The body is not valid.')
}
