import { unreachable } from '../../shared/errors.ts'
import type { RichText } from '../slack/block-rules/rich-text.ts'
import { linkTo, momentOf, personMention, safeAddress } from './control-sequence.ts'
import { formattedDate } from './date-words.ts'
import { emojiPicture } from './emoji.ts'
import { html, type Html } from './html.ts'
import type { Reader } from './reader.ts'

type Part = RichText['elements'][number]
type Piece = Extract<Part, { type: 'rich_text_section' }>['elements'][number]

/** Text that came as structure: sections, lists, quotes and fixed-width boxes. */
export function richTextHtml(block: RichText, reader: Reader): Html {
  return html`<div class="rich-text">${block.elements.map((part) => partHtml(part, reader))}</div>`
}

function partHtml(part: Part, reader: Reader): Html {
  switch (part.type) {
    case 'rich_text_section':
      return html`<div>${pieces(part.elements, reader)}</div>`
    case 'rich_text_preformatted':
      return html`<pre class="code" tabindex="0">${pieces(part.elements, reader)}</pre>`
    case 'rich_text_quote':
      return html`<blockquote>${pieces(part.elements, reader)}</blockquote>`
    case 'rich_text_list': {
      const items = part.elements.map((item) => html`<li>${pieces(item.elements, reader)}</li>`)
      const indent = `indent-${part.indent ?? 0}`
      return part.style === 'ordered'
        ? html`<ol class="${indent}" start="${(part.offset ?? 0) + 1}">${items}</ol>`
        : html`<ul class="${indent}">${items}</ul>`
    }
    default:
      return unreachable(part)
  }
}

function pieces(list: readonly Piece[], reader: Reader): readonly Html[] {
  return list.map((piece) => styled(piece, pieceHtml(piece, reader)))
}

function pieceHtml(piece: Piece, reader: Reader): Html {
  switch (piece.type) {
    case 'text':
      return html`${piece.text}`
    case 'link': {
      const address = safeAddress(piece.url)
      return address === undefined ? html`${piece.text ?? piece.url}` : linkTo(address, piece.text ?? piece.url)
    }
    case 'user':
      return personMention(piece.user_id, reader)
    case 'usergroup':
      return html`<span class="mention">@${reader.names.group(piece.usergroup_id)}</span>`
    case 'channel':
      return html`<span class="mention">#${reader.names.channel(piece.channel_id)}</span>`
    case 'team':
      return html`${piece.team_id}`
    case 'broadcast':
      return html`<span class="mention mention-all">@${piece.range}</span>`
    case 'color':
      return html`${piece.value}`
    case 'emoji':
      return html`${emojiPicture(piece.name) ?? `:${piece.name}:`}`
    case 'date': {
      const at = new Date(piece.timestamp * 1_000)
      const words = formattedDate(piece.format, at, reader.now, reader.zone)
      return words === undefined ? html`${piece.fallback}` : momentOf(at, words, reader)
    }
    default:
      return unreachable(piece)
  }
}

function styled({ style }: Piece, inner: Html): Html {
  let shown = inner
  if (style?.code === true) shown = html`<code>${shown}</code>`
  if (style?.bold === true) shown = html`<strong>${shown}</strong>`
  if (style?.italic === true) shown = html`<em>${shown}</em>`
  if (style?.strike === true) shown = html`<s>${shown}</s>`
  if (style?.underline === true) shown = html`<u>${shown}</u>`
  return shown
}
