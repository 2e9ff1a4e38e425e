import type * as z from 'zod'
import { visible } from '../shared/untrusted.ts'

const MAX_NAMES = 20
/** Items of a list have the same fields: no more of them are looked at. */
const MAX_ITEMS = 20
const MAX_NAME_LENGTH = 64

/**
 * The fields of an answer that its schema does not know, as paths such as `FirstVendorDrm.Level`, each once, at most
 * twenty. They are dropped, and counted so that a platform that has grown is noticed.
 */
export function unknownFields(schema: z.ZodType, answer: unknown): readonly string[] {
  const names = new Set<string>()
  if (isObject(answer)) collect(unwrap(schema), answer, '', names)
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

function collect({ _zod: { def } }: z.core.$ZodTypes, value: object, path: string, names: Set<string>): void {
  if (def.type === 'array' && Array.isArray(value)) {
    const element = unwrap(def.element)
    for (const item of value.slice(0, MAX_ITEMS)) if (isObject(item)) collect(element, item, path, names)
  }
  if (def.type !== 'object') return
  const fields: Readonly<Record<string, z.core.$ZodType>> = def.shape
  for (const [name, below] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) {
      if (names.size < MAX_NAMES) names.add(visible(`${path}${name}`, MAX_NAME_LENGTH))
    } else if (isObject(below)) {
      collect(unwrap(field), below, `${path}${name}.`, names)
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What a schema accepts, without the wrappers that make it optional or change its result. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes {
  // Every schema is one of zod's own types, which only this name of theirs tells apart.
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  if (def.type === 'pipe') return unwrap(def.in)
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly' ? unwrap(def.innerType) : known
}
