import { createHash } from 'node:crypto'

/** What may stand in a template: markup as it is, anything else as text; undefined, null and false are nothing. */
export type Insertable = Html | string | number | bigint | boolean | undefined | null | readonly Insertable[]

/** Markup that is safe to send: made of a template, whose written parts are constants of the source. */
export class Html {
  readonly #markup: string

  constructor(written: TemplateStringsArray, inserted: readonly Insertable[]) {
    this.#markup = written.map((part, index) => part + markupOf(inserted[index])).join('')
  }

  toString(): string {
    return this.#markup
  }
}

/**
 * Markup from a template: ``html`<b title="${title}">${text}</b>` ``. Inserted text cannot leave the place it stands
 * in, provided that attributes are written with quotes.
 */
export function html(written: TemplateStringsArray, ...inserted: readonly Insertable[]): Html {
  return new Html(written, inserted)
}

export const NOTHING = html``

function markupOf(value: Insertable): string {
  if (value instanceof Html) return value.toString()
  if (value === undefined || value === null || value === false) return ''
  // A boundary: Array.isArray does not narrow readonly arrays.
  if (Array.isArray(value)) return (value as readonly Insertable[]).map(markupOf).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

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
