import * as z from 'zod'
import { visible } from '../shared/untrusted.ts'

const MAX_NAMES = 20
const MAX_NAME_LENGTH = 64

/**
 * The fields of an answer that its schema does not know, as paths such as `FirstVendorDrm.Level`, each once, at most
 * twenty. They are dropped, and counted so that a platform that has grown is noticed.
 */
export function unknownFields(schema: z.ZodType, answer: unknown): readonly string[] {
  const names = new Set<string>()
  collect(schema, answer, '', names)
  return [...names]
}

/** An answer with fields called by the contract's names; `aliases` maps names on the wire to those. Top level only. */
export function renameFields(answer: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (Object.keys(aliases).length === 0) return answer
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name,
      value,
    ]),
  )
}

function collect(schema: z.core.$ZodType, value: unknown, path: string, names: Set<string>): void {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const item of value) collect(inner.element, item, path, names)
  } else if (inner instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape
    for (const [name, field] of Object.entries(value)) {
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (known !== undefined) collect(known, field, `${path}${name}.`, names)
      else if (names.size < MAX_NAMES) names.add(visible(`${path}${name}`, MAX_NAME_LENGTH))
    }
  }
}

/** What a schema accepts, without the wrappers that make it optional or change its result. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly) {
    return unwrap(schema.def.innerType)
  }
  return schema
}
