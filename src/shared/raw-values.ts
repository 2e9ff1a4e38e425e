import * as z from 'zod'

/**
 * What a person gave, by field name, before it is checked: the same whether it was typed, entered in a form or read
 * back from the store. A field that takes several values holds a list.
 */
export type RawValues = Readonly<Record<string, RawValue>>
export type RawValue = string | readonly string[]

export const RawValuesSchema: z.ZodType<RawValues> = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).readonly()]),
)
