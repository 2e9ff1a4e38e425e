import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { optionLists, optionRules, selectOption } from './options.ts'
import { actionId, confirmDialog, plainText } from './text.ts'

const common = {
  action_id: actionId,
  placeholder: plainText(LIMITS.placeholder).optional(),
  confirm: confirmDialog.optional(),
  focus_on_load: z.boolean().optional(),
}
const many = { max_selected_items: z.int().min(1).optional() }
const minQueryLength = z.int().min(0).optional()
const initialOptions = z.array(selectOption).min(1).max(LIMITS.selectOptions).optional()
const ids = z.array(z.string().min(1)).optional()

const filter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: 'must provide at least one filter',
  })

const conversations = { default_to_current_conversation: z.boolean().optional(), filter: filter.optional() }
const respond = { response_url_enabled: z.boolean().optional() }

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...common,
    ...optionLists,
    initial_option: selectOption.optional(),
  })
  .superRefine(optionRules)

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...common,
    ...many,
    ...optionLists,
    initial_options: initialOptions,
  })
  .superRefine(optionRules)

const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...common,
  initial_option: selectOption.optional(),
  min_query_length: minQueryLength,
})

const multiExternalSelect = z.strictObject({
  type: z.literal('multi_external_select'),
  ...common,
  ...many,
  initial_options: initialOptions,
  min_query_length: minQueryLength,
})

const usersSelect = z.strictObject({
  type: z.literal('users_select'),
  ...common,
  initial_user: z.string().optional(),
})

const multiUsersSelect = z.strictObject({
  type: z.literal('multi_users_select'),
  ...common,
  ...many,
  initial_users: ids,
})

const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...common,
  ...conversations,
  ...respond,
  initial_conversation: z.string().optional(),
})

const multiConversationsSelect = z.strictObject({
  type: z.literal('multi_conversations_select'),
  ...common,
  ...many,
  ...conversations,
  initial_conversations: ids,
})

const channelsSelect = z.strictObject({
  type: z.literal('channels_select'),
  ...common,
  ...respond,
  initial_channel: z.string().optional(),
})

const multiChannelsSelect = z.strictObject({
  type: z.literal('multi_channels_select'),
  ...common,
  ...many,
  initial_channels: ids,
})

/** Every select menu; all of them fit sections, actions and inputs. */
export const selects = [
  staticSelect,
  multiStaticSelect,
  externalSelect,
  multiExternalSelect,
  usersSelect,
  multiUsersSelect,
  conversationsSelect,
  multiConversationsSelect,
  channelsSelect,
  multiChannelsSelect,
] as const
