/** So much of an id is shown: enough for a reader to tell two apart, and taken wherever an id is typed. */
const SHORT_ID_CHARACTERS = 8

export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_CHARACTERS)
}
