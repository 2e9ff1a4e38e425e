import * as z from 'zod'
import { unreachable } from '../../../shared/errors.ts'
import { LIMITS } from './limits.ts'
import { blockId } from './text.ts'

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
    highlight: z.boolean().optional(),
    client_highlight: z.boolean().optional(),
    unlink: z.boolean().optional(),
  })
  .optional()

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style })
const link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1).max(LIMITS.image.url),
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  style,
})

/** The pieces of a line of rich text. */
const richTextPiece = z.discriminatedUnion('type', [
  text,
  link,
  z.strictObject({ type: z.literal('user'), user_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('team'), team_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('color'), value: z.string().min(1), style }),
  z.strictObject({ type: z.literal('emoji'), name: z.string().min(1), unicode: z.string().optional(), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style,
  }),
])

type RichTextPiece = z.infer<typeof richTextPiece>

const border = z.union([z.literal(0), z.literal(1)]).optional()
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(richTextPiece) })

/** The parts of a rich_text block. */
const richTextPart = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section).min(1),
    indent: z.int().min(0).max(LIMITS.richTextIndent).optional(),
    offset: z.int().min(0).optional(),
    border,
  }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [text, link])),
    language: z.string().optional(),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(richTextPiece), border }),
])

type RichTextPart = z.infer<typeof richTextPart>

/** Text with styles, lists, quotes and code; also a kind of table cell. */
export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId,
  elements: z.array(richTextPart).min(1),
})

/** Rich text that was checked. */
export type RichText = z.infer<typeof richText>

/** The words of rich text without their styles: parts and list items on lines of their own. */
export function richTextContent(given: RichText): string {
  return given.elements.map(partContent).join('\n')
}

function partContent(part: RichTextPart): string {
  if (part.type === 'rich_text_list') return part.elements.map((item) => pieces(item.elements)).join('\n')
  return pieces(part.elements)
}

function pieces(list: readonly RichTextPiece[]): string {
  return list.map(pieceContent).join('')
}

function pieceContent(piece: RichTextPiece): string {
  switch (piece.type) {
    case 'text':
      return piece.text
    case 'link':
      return piece.text ?? piece.url
    case 'user':
      return `<@${piece.user_id}>`
    case 'usergroup':
      return `<!subteam^${piece.usergroup_id}>`
    case 'channel':
      return `<#${piece.channel_id}>`
    case 'team':
      return piece.team_id
    case 'broadcast':
      return `@${piece.range}`
    case 'color':
      return piece.value
    case 'emoji':
      return `:${piece.name}:`
    case 'date':
      return piece.fallback ?? new Date(piece.timestamp * 1000).toISOString()
    default:
      return unreachable(piece)
  }
}
