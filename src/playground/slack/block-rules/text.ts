import * as z from 'zod'
import { LIMITS } from './limits.ts'

/** A plain_text object of 1 to `max` characters. */
export function plainText(max: number) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  })
}

/** A mrkdwn object of 1 to `max` characters. */
export function mrkdwnText(max: number) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(max),
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

/** A picture inside a context block, a section or a card: exactly one source and a description of it. */
export const imageElement = z
  .strictObject({
    type: z.literal('image'),
    alt_text: z.string().min(1).max(LIMITS.image.altText),
    image_url: z.string().min(1).max(LIMITS.image.url).optional(),
    slack_file: z.lazy(() => slackFile).optional(),
  })
  .superRefine(oneImageSource)

/** A file already uploaded to Slack, named by its id or by its address but not both. */
export const slackFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^F[A-Z0-9]{8,}$/)
      .optional(),
    url: z.string().min(1).max(LIMITS.image.url).optional(),
  })
  .refine((file) => (file.id === undefined) !== (file.url === undefined), {
    error: 'must provide exactly one of id or url',
  })

/** Refuses a picture that has no source, or two. */
export function oneImageSource(
  image: { readonly image_url?: unknown; readonly slack_file?: unknown },
  context: z.RefinementCtx,
): void {
  if ((image.image_url === undefined) === (image.slack_file === undefined)) {
    context.addIssue({ code: 'custom', message: 'must provide exactly one of image_url or slack_file', path: [] })
  }
}
