/**
 * Text from outside (log lines, names, error messages) made safe to look at: characters that hide or reorder text
 * are shown as `\u{202E}`, lone surrogates become U+FFFD, and the length is cut by code point.
 *
 * This makes text honest, not mrkdwn-safe: `block-kit/` escapes it for the place where it is shown.
 */
export function visible(text: string, maxCodePoints = 2_000): string {
  const points = Array.from(text.toWellFormed().replace(HIDING, spellOut))
  return points.length <= maxCodePoints ? points.join('') : `${points.slice(0, maxCodePoints - 1).join('')}…`
}

/** Control, format, private-use, unassigned, line and paragraph separator characters, but not line feed and tab. */
const HIDING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

function spellOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`
}
