import * as z from 'zod'
import { button, feedbackButtons, iconButton, overflow, workflowButton } from './buttons.ts'
import { dataVisualization } from './charts.ts'
import {
  checkboxes,
  datepicker,
  datetimepicker,
  emailInput,
  fileInput,
  numberInput,
  plainTextInput,
  radioButtons,
  richTextInput,
  timepicker,
  urlInput,
} from './inputs.ts'
import { LIMITS } from './limits.ts'
import { richText } from './rich-text.ts'
import { selects } from './selects.ts'
import { dataTable, table } from './tables.ts'
import { anyText, blockId, imageElement, mrkdwnText, oneImageSource, plainText, slackFile } from './text.ts'

const picks = [checkboxes, radioButtons, datepicker, timepicker, ...selects] as const

const accessory = z.discriminatedUnion('type', [button, overflow, workflowButton, imageElement, ...picks])
const actionsElement = z.discriminatedUnion('type', [
  button,
  overflow,
  workflowButton,
  richTextInput,
  datetimepicker,
  ...picks,
])
const inputElement = z.discriminatedUnion('type', [
  plainTextInput,
  numberInput,
  emailInput,
  urlInput,
  fileInput,
  richTextInput,
  datetimepicker,
  ...picks,
])

/** What may stand in an input block. */
export type InputElement = z.infer<typeof inputElement>
/** Whatever a person can act on, and the picture a section may have in its place. */
export type Element = z.infer<typeof accessory> | z.infer<typeof actionsElement> | InputElement

const section = z
  .strictObject({
    type: z.literal('section'),
    block_id: blockId,
    text: anyText(LIMITS.section.text).optional(),
    fields: z.array(anyText(LIMITS.section.field)).min(1).max(LIMITS.section.fields).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, { error: 'missing required field: text' })

const actions = z.strictObject({
  type: z.literal('actions'),
  block_id: blockId,
  elements: z.array(actionsElement).min(1).max(LIMITS.actionsElements),
})

const input = z
  .strictObject({
    type: z.literal('input'),
    block_id: blockId,
    label: plainText(LIMITS.input.label),
    hint: plainText(LIMITS.input.hint).optional(),
    element: inputElement,
    dispatch_action: z.boolean().optional(),
    optional: z.boolean().optional(),
  })
  .refine((block) => block.dispatch_action !== true || block.element.type !== 'file_input', {
    error: 'must not be set for file_input',
    path: ['dispatch_action'],
  })

const contextElement = z.discriminatedUnion('type', [...anyText(LIMITS.text).options, imageElement])

const image = z
  .strictObject({
    type: z.literal('image'),
    block_id: blockId,
    alt_text: z.string().min(1).max(LIMITS.image.altText),
    title: plainText(LIMITS.image.title).optional(),
    image_url: z.string().min(1).max(LIMITS.image.url).optional(),
    slack_file: slackFile.optional(),
  })
  .superRefine(oneImageSource)

const header = z.strictObject({
  type: z.literal('header'),
  block_id: blockId,
  text: plainText(LIMITS.header),
  level: z.int().min(1).max(4).optional(),
})

const context = z.strictObject({
  type: z.literal('context'),
  block_id: blockId,
  elements: z.array(contextElement).min(1).max(LIMITS.contextElements),
})

const divider = z.strictObject({ type: z.literal('divider'), block_id: blockId })

const file = z.strictObject({
  type: z.literal('file'),
  block_id: blockId,
  source: z.literal('remote'),
  external_id: z.string().min(1),
})

const video = z.strictObject({
  type: z.literal('video'),
  block_id: blockId,
  video_url: z.string().min(1),
  thumbnail_url: z.string().min(1),
  alt_text: z.string().min(1),
  title: plainText(LIMITS.video.title),
  title_url: z.string().optional(),
  author_name: z.string().max(LIMITS.video.author).optional(),
  provider_name: z.string().optional(),
  provider_icon_url: z.string().optional(),
  description: plainText(LIMITS.text).optional(),
})

const markdown = z.strictObject({
  type: z.literal('markdown'),
  block_id: blockId,
  text: z.string().min(1).max(LIMITS.message.markdownCharacters),
})

const alert = z.strictObject({
  type: z.literal('alert'),
  block_id: blockId,
  text: anyText(LIMITS.alert),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
})

const contextActions = z.strictObject({
  type: z.literal('context_actions'),
  block_id: blockId,
  elements: z
    .array(z.discriminatedUnion('type', [feedbackButtons, iconButton]))
    .min(1)
    .max(LIMITS.contextActionsElements),
})

const cardText = (max: number) => mrkdwnText(max).or(plainText(max)).optional()

const card = z
  .strictObject({
    type: z.literal('card'),
    block_id: blockId,
    hero_image: imageElement.optional(),
    icon: imageElement.optional(),
    slack_icon: z.strictObject({ type: z.literal('icon'), name: z.string().min(1) }).optional(),
    title: cardText(LIMITS.card.title),
    subtitle: cardText(LIMITS.card.subtitle),
    body: cardText(LIMITS.card.body),
    subtext: cardText(LIMITS.card.subtext),
    actions: z.array(button).min(1).max(LIMITS.card.buttons).optional(),
  })
  .refine((block) => [block.hero_image, block.title, block.actions, block.body].some((part) => part !== undefined), {
    error: 'must provide at least one of hero_image, title, actions or body',
  })
  .refine((block) => block.icon === undefined || block.slack_icon === undefined, {
    error: 'must not provide both icon and slack_icon',
  })

const carousel = z.strictObject({
  type: z.literal('carousel'),
  block_id: blockId,
  elements: z.array(card).min(1).max(LIMITS.carouselCards),
})

const contained = z.discriminatedUnion('type', [
  actions,
  context,
  divider,
  file,
  header,
  image,
  input,
  richText,
  section,
  table,
  video,
])

const container = z
  .strictObject({
    type: z.literal('container'),
    block_id: blockId,
    title: plainText(LIMITS.container.title).optional(),
    rich_text_title: richText.optional(),
    subtitle: anyText(LIMITS.container.subtitle).optional(),
    child_blocks: z.array(contained).min(1).max(LIMITS.container.blocks),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    icon: imageElement.optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  })
  .refine((block) => (block.title === undefined) !== (block.rich_text_title === undefined), {
    error: 'must provide exactly one of title or rich_text_title',
  })

/** Every block this emulator knows, wherever it may stand; `surfaces.ts` says where each may. */
export const block = z.discriminatedUnion('type', [
  ...contained.options,
  alert,
  card,
  carousel,
  container,
  contextActions,
  dataTable,
  dataVisualization,
  markdown,
])

/** A block that was checked. */
export type Block = z.infer<typeof block>
/** The names of the blocks. */
export type BlockType = Block['type']
/** The block that forms are made of. */
export type InputBlock = z.infer<typeof input>
