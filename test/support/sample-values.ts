import * as z from 'zod'

/** Long enough to be cut in its middle. */
const TEXT = 'x'.repeat(200)
const SAMPLES: readonly unknown[] = [TEXT, 7, true, '7', '2026-11-20T11:59:00Z', {}, []]

/**
 * A value as it travels that a schema takes, with every field it knows, or with those alone that it cannot do without.
 * A schema that takes nothing so plain has to name an example: `.meta({ examples: ['https://a.example/x'] })`.
 */
export function sampleOf(schema: z.core.$ZodType, fields: 'all' | 'needed' = 'all'): unknown {
  const inside = unwrap(schema)
  const { def } = inside._zod
  const { examples } = z.globalRegistry.get(schema) ?? {}
  if (Array.isArray(examples)) return examples[0]
  if (def.type === 'object') {
    const named = Object.entries(def.shape).filter(([, field]) => fields === 'all' || !takes(field, undefined))
    return Object.fromEntries(named.map(([name, field]) => [name, sampleOf(field, fields)]))
  }
  if (def.type === 'array') return [sampleOf(def.element, fields)]
  const sample = SAMPLES.find((value) => takes(schema, value))
  if (sample === undefined) throw new Error(`No sample fits a ${def.type}: give its schema an example with .meta`)
  return sample
}

const WRONG: readonly unknown[] = ['x', '7', 7, 1.5, 2_147_483_648, 1e300, true, {}, { a: 'x' }, { a: 1.5 }, [], [7]]

/** Values of other types than a schema takes, inside its fields and items too. */
export function wrongValues(schema: z.core.$ZodType): readonly unknown[] {
  const { def } = unwrap(schema)._zod
  const refused = WRONG.filter((value) => !takes(schema, value))
  if (refused.length === 0) throw new Error(`A ${def.type} takes everything, so nobody notices when it changes`)
  if (def.type === 'array') return [...refused, ...wrongValues(def.element).map((value) => [value])]
  if (def.type !== 'object') return refused
  const within = Object.entries(def.shape).flatMap(([name, field]) =>
    wrongValues(field).map((value) => ({ [name]: value })),
  )
  return [...refused, ...within]
}

/** The fields of an answer, whatever is made of it in the end. */
export function fieldsOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = unwrap(schema)._zod
  return def.type === 'object' ? def.shape : {}
}

function takes(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success
}

/** What a schema reads, without what makes it optional or changes its result. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes // every schema is one of these, which only this name tells apart
  const { def } = known._zod
  if (def.type === 'pipe') return unwrap(def.in)
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly' ? unwrap(def.innerType) : known
}
