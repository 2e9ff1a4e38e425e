import * as z from 'zod'
import { LIMITS } from './limits.ts'

/** Text of 1 to `max` characters of which something is to be seen. */
export function shownText(max: number) {
  return z
    .string()
    .max(max)
    .refine((text) => text.trim() !== '', { error: 'must be more than 0 characters' })
}

/** A plain_text object of 1 to `max` characters. */
export function plainText(max: number) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: shownText(max),
    emoji: z.boolean().optional(),
  })
}

/** A mrkdwn object of 1 to `max` characters. */
function mrkdwnText(max: number) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: shownText(max),
    verbatim: z.boolean().optional(),
  })
}

/** Either kind of text object, of 1 to `max` characters. */
export function anyText(max: number) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwnText(max)])
}

/** A text object that was checked. */
export type TextObject = z.infer<ReturnType<typeof anyText>>

/** The id an app gives a block; Slack makes one up where it is missing. */
export const blockId = z.string().min(1).max(LIMITS.id).optional()
/** The id an app gives an element; Slack makes one up where it is missing. */
export const actionId = z.string().min(1).max(LIMITS.id).optional()
/** How a button stands out. */
export const buttonStyle = z.enum(['primary', 'danger'])

/** The dialog a client shows before it sends an action. */
export const confirmDialog = z.strictObject({
  title: plainText(LIMITS.confirm.title).optional(),
  text: anyText(LIMITS.confirm.text),
  confirm: plainText(LIMITS.confirm.button).optional(),
  deny: plainText(LIMITS.confirm.button).optional(),
  style: buttonStyle.optional(),
})
