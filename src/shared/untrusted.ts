/**
 * Text that nobody of ours wrote: log lines, names, error messages, what people typed. Any plain string is. What is not
 * has a type of its own that only its makers can give it, such as `Mrkdwn` of block-kit; so nothing becomes trusted by
 * being forgotten, as it would if it were foreign text that had to be marked. It is shown in two ways: as plain text
 * (`visible`), or as a foreign part of markup (`md` and `code` of block-kit), which escapes it.
 */
export type Untrusted = string

/**
 * Text from outside made safe to look at: characters that hide, reorder or leave nothing to see are shown as
 * `\u{202E}`, lone surrogates become U+FFFD, and the length is cut by code point.
 *
 * This makes text honest, not mrkdwn-safe: `block-kit/` escapes it for the place where it is shown.
 */
export function visible(text: Untrusted, maxCodePoints = 2_000): string {
  if (text.length <= maxCodePoints && isEveryday(text)) return text
  // Each character of the source is at least one of what is shown, so that no more of it than this can be seen.
  const most = 2 * (maxCodePoints + 1)
  const source = text.length <= most ? text : text.slice(0, most)
  const shown = source.toWellFormed().replace(HIDING, spellOut)
  if (shown.length <= maxCodePoints) return shown
  const points = Array.from(shown)
  return points.length <= maxCodePoints ? points.join('') : `${points.slice(0, maxCodePoints - 1).join('')}…`
}

/** Whether text holds what `visible` would spell out. */
export function hidesSomething(text: Untrusted): boolean {
  return !isEveryday(text) && (!text.isWellFormed() || HIDES.test(text))
}

/** Whether text has only characters that are plain to see in every font, one UTF-16 unit each: nearly all there is. */
export function isEveryday(text: Untrusted): boolean {
  return EVERYDAY.test(text)
}

/** Far from all that can be seen, but without what `HIDES` finds, and told at once. */
const EVERYDAY = /^[\n\t -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u22FF]*$/

/**
 * Control, format, private-use, unassigned, line and paragraph separator characters, but not line feed and tab; and
 * letters, marks and symbols of which nothing is seen, but for the mark that says how to draw the emoji before it.
 */
const HIDES =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t\p{Variation_Selector}]]|(?!(?<=\p{Extended_Pictographic})(?:\uFE0E|\uFE0F))\p{Variation_Selector}/v
const HIDING = new RegExp(HIDES, 'gv')

function spellOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`
}
