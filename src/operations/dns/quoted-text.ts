import type { Normalised } from './host-name.ts'

/** One quoted string of a zone file; a backslash keeps the character after it. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/gs
const ALL_QUOTED = /^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/s

/**
 * Text without the quotes that zone files put around it; several quoted strings are one text. Text that is not quoted
 * as a whole is left alone, quotes inside it included.
 */
export function unquoted(typed: string): Normalised {
  if (!typed.startsWith('"')) return { ok: true, sent: typed, notes: [] }
  if (!ALL_QUOTED.test(typed))
    return { ok: false, problem: 'The value begins with a quote that is not closed at its end.' }
  const strings = [...typed.matchAll(QUOTED)].map(([, inner = '']) => inner.replace(/\\(.)/gs, '$1'))
  const note =
    strings.length === 1
      ? 'The quotes around the value are left out: the platform adds its own.'
      : `The ${strings.length} quoted parts of the value are sent as one text without quotes.`
  return { ok: true, sent: strings.join(''), notes: [note] }
}
