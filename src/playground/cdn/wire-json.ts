/**
 * JSON as the emulator reads and writes it. It keeps whole numbers of 64 bits exact by itself rather than through the
 * client's code, so that a mistake there is not repeated here.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? exact.rawJSON(field.toString()) : field,
  )
}

/** Reads JSON; whole numbers a double cannot hold become bigint. Throws SyntaxError. */
export function fromJson(text: string): unknown {
  return exact.parse(text, (_key, field, context) => {
    const isWhole = typeof field === 'number' && context.source !== undefined && /^-?\d+$/.test(context.source)
    return isWhole && !Number.isSafeInteger(field) ? BigInt(context.source ?? field) : field
  })
}

/** The two JSON functions the runtime has and the type library does not declare yet. */
interface ExactJson {
  rawJSON(text: string): unknown
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

// A boundary: the runtime has had both since its first supported version, only their types are missing.
const exact = JSON as unknown as ExactJson
