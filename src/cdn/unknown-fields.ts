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
  const known = knownIn(schema)
  if (known !== undefined) collect(known, answer, '', names)
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

/** What a schema knows of the fields below it. A schema that knows none, such as one of text, is undefined. */
type Known =
  | { readonly kind: 'list'; readonly element: Known }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Known | undefined> }

/** Schemas never change, and asking one what it is costs more than looking at a whole line of an answer. */
const knownBySchema = new WeakMap<z.core.$ZodType, { readonly known: Known | undefined }>()

function knownIn(schema: z.core.$ZodType): Known | undefined {
  const cached = knownBySchema.get(schema)
  if (cached !== undefined) return cached.known
  const known = lookInto(unwrap(schema))
  knownBySchema.set(schema, { known })
  return known
}

function lookInto(schema: z.core.$ZodType): Known | undefined {
  if (schema instanceof z.ZodArray) {
    const element = knownIn(schema.element)
    return element === undefined ? undefined : { kind: 'list', element }
  }
  if (!(schema instanceof z.ZodObject)) return undefined
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  return { kind: 'object', fields: new Map(Object.entries(shape).map(([name, field]) => [name, knownIn(field)])) }
}

function collect(known: Known, value: unknown, path: string, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if (known.kind === 'list') {
    if (Array.isArray(value)) for (const item of value) collect(known.element, item, path, names)
    return
  }
  const { fields } = known
  for (const name of Object.keys(value)) {
    const below = fields.get(name)
    if (below !== undefined)
      collect(below, (value as Readonly<Record<string, unknown>>)[name], `${path}${name}.`, names)
    else if (!fields.has(name) && names.size < MAX_NAMES) names.add(visible(`${path}${name}`, MAX_NAME_LENGTH))
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
