import { storable } from './rows.ts'

/** JSON text for a column. Throws RangeError when it is larger than `maxBytes` in UTF-8; `what` is named in its message. */
export function jsonColumn(what: string, value: unknown, maxBytes: number): string {
  const json = JSON.stringify(value) ?? 'null'
  if (Buffer.byteLength(json) > maxBytes) throw new RangeError(`${what} is larger than ${maxBytes} bytes`)
  return json
}

/** Of a text that a person has typed about an alert, in UTF-16 units. */
const MAX_ALERT_TEXT_CHARACTERS = 2_000

/** Text for a column, as both engines can hold it. Throws RangeError when it is longer than 2,000 characters. */
export function textColumn(what: string, text: string): string {
  if (text.length > MAX_ALERT_TEXT_CHARACTERS)
    throw new RangeError(`${what} is longer than ${MAX_ALERT_TEXT_CHARACTERS} characters`)
  return storable(text)
}
