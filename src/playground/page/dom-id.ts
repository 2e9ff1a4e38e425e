import { createHash } from 'node:crypto'

const ID_CHARACTERS = 12

/**
 * An id for an element of the page, the same for the same parts. Ids of blocks come from the app and may hold any
 * character, blanks included, which would break attributes that list ids.
 */
export function domId(...parts: readonly (string | number | undefined)[]): string {
  return `e${fingerprint(JSON.stringify(parts))}`
}

/** A short name for a text: equal texts have equal names, others practically never. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, ID_CHARACTERS)
}
