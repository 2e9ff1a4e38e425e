import type { TextObject } from '../../slack/block-rules/text.ts'
import { html, type Html, NOTHING } from '../html.ts'
import { mrkdwn } from '../mrkdwn.ts'
import type { Reader } from '../reader.ts'

/** A text object: markup where it says so, otherwise the text with its line breaks. */
export function textHtml(text: TextObject | undefined, reader: Reader): Html {
  if (text === undefined) return NOTHING
  if (text.type === 'mrkdwn') return mrkdwn(text.text, reader)
  return html`${text.text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`
}
