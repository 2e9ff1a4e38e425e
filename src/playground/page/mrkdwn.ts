import { controlSequence, decoded } from './control-sequence.ts'
import { emojiPicture } from './emoji.ts'
import { html, type Html } from './html.ts'
import type { Reader } from './reader.ts'

/** A style that is not closed within this many characters is none: text from outside cannot make the search long. */
const INLINE =
  /`(?<code>[^`\n]+)`|<(?<control>[^<>\n]+)>|(?<![\p{L}\p{N}])(?<mark>[*_~])(?=\S)(?<styled>[^\n]{0,2000}?[^\s])\k<mark>(?![\p{L}\p{N}])|:(?<emoji>[a-z0-9_+-]{1,40}):/gu
const FENCE = /```(?:\n)?([\s\S]*?)```/g
const QUOTE = /^(?:>|&gt;)\s?/

/** Text in Slack's markup. Nothing in it can become markup of the page; what is not understood is shown as text. */
export function mrkdwn(text: string, reader: Reader): Html {
  const parts: Html[] = []
  let end = 0
  for (const fenced of text.matchAll(FENCE)) {
    parts.push(
      paragraphs(text.slice(end, fenced.index), reader),
      html`<pre class="code">${decoded(fenced[1] ?? '')}</pre>`,
    )
    end = fenced.index + fenced[0].length
  }
  parts.push(paragraphs(text.slice(end), reader))
  return html`${parts}`
}

/** Lines outside of code: those that begin with > stand in a quote. */
function paragraphs(text: string, reader: Reader): Html {
  const lines = text.split('\n')
  const parts: Html[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const quoted: string[] = []
    while (at < lines.length && QUOTE.test(lines[at] ?? '')) {
      quoted.push((lines[at] ?? '').replace(QUOTE, ''))
      at += 1
    }
    if (quoted.length > 0) parts.push(html`<blockquote>${inline(quoted.join('\n'), reader)}</blockquote>`)
    const line = lines[at]
    if (line === undefined) break
    parts.push(inline(line, reader))
    if (at < lines.length - 1) parts.push(html`<br>`)
  }
  return html`${parts}`
}

function inline(text: string, reader: Reader): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(decoded(text.slice(end, match.index)), inlinePart(match, reader))
    end = match.index + match[0].length
  }
  parts.push(decoded(text.slice(end)))
  return html`${parts.map((part) => (typeof part === 'string' ? withBreaks(part) : part))}`
}

function inlinePart(match: RegExpMatchArray, reader: Reader): Html {
  const { code, control, mark, styled, emoji } = match.groups ?? {}
  if (code !== undefined) return html`<code>${decoded(code)}</code>`
  if (control !== undefined) return controlSequence(control, reader)
  if (emoji !== undefined) return html`${emojiPicture(emoji) ?? match[0]}`
  const inner = inline(styled ?? '', reader)
  if (mark === '*') return html`<strong>${inner}</strong>`
  return mark === '_' ? html`<em>${inner}</em>` : html`<s>${inner}</s>`
}

function withBreaks(text: string): Html {
  return html`${text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`
}
