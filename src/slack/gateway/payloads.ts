import * as z from 'zod'

/**
 * What Slack sends, as far as it is used. Everything else is dropped; a payload that does not fit is refused, whatever
 * its signature.
 */

const UserId = z.string().regex(/^[UW][A-Z0-9]{2,20}$/)
const TeamId = z.string().min(1).max(30)
const ChannelId = z.string().max(30)
const MessageTs = z.string().max(30)
const MAX_TEXT = 12_000
/** Slack cuts what people write above this. */
const MAX_MESSAGE = 40_000

export const CommandPayload = z.object({
  text: z.string().max(MAX_TEXT).default(''),
  user_id: UserId,
  team_id: TeamId,
  channel_id: ChannelId,
  response_url: z.string().max(1_000),
  trigger_id: z.string().max(200),
})
export type CommandPayload = Readonly<z.output<typeof CommandPayload>>

/** Slack names the person's own workspace in `user.team_id`, and the one they act in beside it. */
const Person = z.object({ id: UserId, team_id: TeamId.nullish() })

const ViewPayload = z.object({
  id: z.string().max(100),
  callback_id: z.string().max(255),
  private_metadata: z.string().max(3_000).default(''),
  hash: z.string().max(200).optional(),
  state: z.object({ values: z.unknown() }).optional(),
})
/** A view as it comes back: which one it is, and what stands in its fields, which are read one by one later. */
export type ViewPayload = Readonly<z.output<typeof ViewPayload>>

/** A view that somebody submitted, or closed without; the latter is sent only for modals with `notify_on_close`. */
export const ViewSubmission = z.object({ user: Person, view: ViewPayload })
export type ViewSubmission = Readonly<z.output<typeof ViewSubmission>>

const Action = z.object({
  action_id: z.string().max(255),
  block_id: z.string().max(255).optional(),
  /** Null for an input that was cleared. */
  value: z.string().max(2_000).nullish(),
  /** Of a menu. */
  selected_option: z.object({ value: z.string().max(2_000) }).nullish(),
})

/** Of a message: who wrote it and what stands in it, as Slack has it and not as a client says. */
const WrittenMessage = z.object({
  user: UserId,
  ts: MessageTs,
  /** Of a reply, the message at the head of its thread. */
  thread_ts: MessageTs.optional(),
  blocks: z.array(z.unknown()).max(100),
})

/** Somebody pressed or chose something: in a message, which then has a channel, in a modal or on Home. */
export const BlockActions = z.object({
  user: Person,
  trigger_id: z.string().max(200).optional(),
  response_url: z.string().max(1_000).optional(),
  channel: z.object({ id: ChannelId }).nullish(),
  /** Where the element stands; of a message, which one. */
  container: z.object({ message_ts: MessageTs.optional() }).nullish(),
  message: WrittenMessage.optional().catch(undefined),
  view: ViewPayload.optional(),
  actions: z.tuple([Action], Action).check(z.maxLength(25)),
})
export type BlockActions = Readonly<z.output<typeof BlockActions>>

/** What somebody typed so far into a menu that asks for its options. */
export const BlockSuggestion = z.object({
  user: Person,
  value: z.string().max(500).default(''),
  block_id: z.string().max(255),
})

export const ShortcutPayload = z.object({
  user: Person,
  callback_id: z.string().max(255),
  trigger_id: z.string().max(200).optional(),
})

/** Somebody opened the app; `tab` tells Home from the messages. */
export const HomeOpened = z.object({ user: UserId, tab: z.string().max(20).optional() })

/** Somebody, or something with a `bot_id`, mentioned the bot in a channel it is in; `thread_ts` where that was in a thread. */
export const AppMention = z.object({
  user: UserId.optional(),
  bot_id: z.string().max(30).optional(),
  team: TeamId.optional(),
  /** The person's own workspace, where the channel is shared with it. */
  user_team: TeamId.optional(),
  channel: ChannelId,
  text: z.string().max(MAX_MESSAGE),
  ts: MessageTs,
  thread_ts: MessageTs.optional(),
})
export type AppMention = Readonly<z.output<typeof AppMention>>

/**
 * Something came into a conversation. `subtype` is what else happened than that a person wrote: an edit, a file, somebody
 * joined; an edit has neither author nor text of its own.
 */
export const ChannelMessage = AppMention.extend({
  text: AppMention.shape.text.default(''),
  channel_type: z.string().max(20).optional(),
  subtype: z.string().max(60).optional(),
})

/** What is around every event: the id is the same each time Slack sends it. */
export const EventEnvelope = z.object({ event_id: z.string().max(100).optional() })

/** Which user group changed, in the form of either event about it. */
export const GroupChanged = z
  .object({ subteam_id: z.string().optional(), subteam: z.object({ id: z.string() }).optional() })
  .transform((event) => event.subteam_id ?? event.subteam?.id)
