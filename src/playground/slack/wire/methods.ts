import * as z from 'zod'
import type { Block } from '../blocks/blocks.ts'
import type { Parts } from './parts.ts'
import { checkMessageBlocks, checkView, written, type ViewDefinition } from '../blocks/message-rules.ts'
import { MAX_FILE_BYTES, messageContent, type StoredMessage } from '../state/messages.ts'
import { channelPayload, groupPayload, messagePayload, userPayload, viewPayload } from './payloads.ts'
import { APP_ID, BOT_ID, BOT_USER_ID, TEAM } from '../state/seed.ts'
import { SlackError } from '../state/slack-error.ts'

/** Arguments of a call, however they were sent; JSON written in strings is already unfolded. */
export type Arguments = Readonly<Record<string, unknown>>

export interface Method {
  readonly token: 'bot' | 'app' | 'any' | 'none'
  readonly scope: string | undefined
  /** Calls a minute that Slack promises to take (its tier); chat.postMessage has a rule of its own besides. */
  readonly perMinute: number
  /** Gives the body of a good answer, without its `ok`. Throws SlackError for what Slack refuses. */
  readonly run: (args: Arguments, parts: Parts) => Readonly<Record<string, unknown>>
}

/** Calls a minute by rate limit tier (docs.slack.dev/apis/web-api/rate-limits); `special` has a high limit of its own. */
const TIER = { two: 20, three: 50, four: 100, special: 600 } as const

const NO_MORE = { next_cursor: '' } as const
const MAX_UPDATE_CHARACTERS = 4_000
const MAX_EPHEMERAL_BYTES = 4_000
const MAX_FILES_AT_ONCE = 10

/** Form bodies have only text, so a yes or no may come as a word. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((given) => given === true || given === 'true' || given === '1')
/** Form bodies have only text, so a number may come as digits. */
const wholeNumber = z.coerce.number().int().min(1)
const channel = z.string().optional()
const content = { text: z.string().optional(), blocks: z.unknown().optional() }

/** Every method that the bot or its live check calls, by its name: all others are unknown here. */
export const METHODS: Readonly<Record<string, Method>> = {
  'auth.test': method(
    TIER.special,
    undefined,
    {},
    () => ({ team_id: TEAM.id, user_id: BOT_USER_ID, bot_id: BOT_ID, is_enterprise_install: false }),
    'any',
  ),

  'auth.teams.list': method(TIER.two, undefined, { limit: wholeNumber.max(1_000).optional() }, () => ({
    teams: [{ id: TEAM.id, name: TEAM.name }],
    response_metadata: NO_MORE,
  })),

  'apps.connections.open': method(
    TIER.three,
    undefined,
    {},
    (_args, { socketMode, baseUrl, switches }) => {
      if (switches.refuseConnections) throw new SlackError('internal_error')
      return { url: `${baseUrl().replace(/^http/, 'ws')}/link/?ticket=${socketMode.issueTicket()}` }
    },
    'app',
  ),

  'bots.info': method(TIER.three, 'users:read', { bot: z.string() }, ({ bot }) => {
    if (bot !== BOT_ID) throw new SlackError('bot_not_found')
    return { bot: { id: BOT_ID, deleted: false, name: 'cdn-ops', app_id: APP_ID, user_id: BOT_USER_ID } }
  }),

  'users.info': method(TIER.four, 'users:read', { user: z.string() }, ({ user }, { workspace }) => {
    const member = workspace.findMember(user)
    if (member === undefined) throw new SlackError('user_not_found')
    return { user: userPayload(member) }
  }),

  // Nobody has more people here than go on one page.
  'users.list': method(
    TIER.two,
    'users:read',
    { limit: wholeNumber.min(50).max(1_000), team_id: z.literal(TEAM.id).optional() },
    (_args, { workspace }) => ({ members: workspace.members.map(userPayload), response_metadata: NO_MORE }),
  ),

  'usergroups.list': method(
    TIER.two,
    'usergroups:read',
    { include_users: flag.optional(), team_id: z.literal(TEAM.id).optional() },
    (args, { switches, workspace }) => {
      if (!switches.paidPlan) throw new SlackError('plan_upgrade_required')
      const groups = workspace.groups.filter(({ disabledAtS }) => disabledAtS === 0)
      const users = args.include_users === true
      return { usergroups: groups.map((group) => ({ ...groupPayload(group), ...(users && { users: group.users }) })) }
    },
  ),

  'usergroups.users.list': method(
    TIER.two,
    'usergroups:read',
    { usergroup: z.string(), team_id: z.literal(TEAM.id).optional() },
    (args, { switches, workspace }) => {
      if (!switches.paidPlan) throw new SlackError('plan_upgrade_required')
      const group = workspace.groups.find(({ id, disabledAtS }) => id === args.usergroup && disabledAtS === 0)
      if (group === undefined) throw new SlackError('no_such_subteam')
      return { users: group.users }
    },
  ),

  'conversations.info': method(TIER.three, undefined, { channel }, (args, parts) => {
    const found = parts.workspace.channelForBot(args.channel)
    requireScope(parts, { public: 'channels:read', private: 'groups:read', im: 'im:read' }[found.kind])
    return { channel: channelPayload(found) }
  }),

  'chat.postMessage': method(
    TIER.special,
    'chat:write',
    { channel, ...content, thread_ts: z.string().optional(), reply_broadcast: flag.optional() },
    (args, parts) => {
      const target = parts.workspace.writableChannel(args.channel)
      const message = parts.messages.post({
        channel: target.id,
        author: BOT_USER_ID,
        ...messageContent(args, parts),
        threadTs: args.thread_ts,
        // Without a thread there is nothing to be shown outside of it, and Slack takes no notice.
        broadcast: args.thread_ts !== undefined && args.reply_broadcast === true,
      })
      return { channel: target.id, ts: message.ts, message: messagePayload(message) }
    },
  ),

  'chat.postEphemeral': method(
    TIER.four,
    'chat:write',
    { channel, user: z.string(), ...content, thread_ts: z.string().optional() },
    (args, parts) => {
      const target = parts.workspace.writableChannel(args.channel)
      if (parts.workspace.findMember(args.user) === undefined) throw new SlackError('user_not_found')
      if (!target.members.has(args.user)) throw new SlackError('user_not_in_channel')
      if (Buffer.byteLength(args.text ?? '') > MAX_EPHEMERAL_BYTES) throw new SlackError('msg_too_long')
      const message = parts.messages.post({
        channel: target.id,
        author: BOT_USER_ID,
        ...messageContent(args, parts),
        visibleTo: args.user,
        threadTs: args.thread_ts,
      })
      return { message_ts: message.ts }
    },
  ),

  'chat.update': method(TIER.three, 'chat:write', { channel, ts: z.string(), ...content }, (args, parts) => {
    const message = ownMessage(args.channel, args.ts, parts)
    if ((args.text?.length ?? 0) > MAX_UPDATE_CHARACTERS) throw new SlackError('msg_too_long')
    if (parts.workspace.channel(message.channel).archived) throw new SlackError('is_inactive')
    const changed = messageContent(args, parts)
    // Slack does not edit rich text into anything else.
    if (hasRichText(message.blocks) && !hasRichText(changed.blocks)) throw new SlackError('block_mismatch')
    const edited = parts.messages.edit(message, changed)
    return { channel: edited.channel, ts: edited.ts, text: edited.text, message: messagePayload(edited) }
  }),

  'chat.delete': method(TIER.three, 'chat:write', { channel, ts: z.string() }, (args, parts) => {
    const { channel, ts } = ownMessage(args.channel, args.ts, parts)
    parts.messages.delete(channel, ts)
    return { channel, ts }
  }),

  'blocks.validate': method(
    TIER.three,
    undefined,
    { blocks: z.unknown().optional(), view: z.unknown().optional() },
    ({ blocks, view }, { switches }) => {
      const isHome = typeof view === 'object' && view !== null && 'type' in view && view.type === 'home'
      const checked =
        view === undefined
          ? checkMessageBlocks(blocks, { refused: switches.refusedBlocks })
          : checkView(view, isHome ? 'home' : 'modal')
      if (checked.ok) return {}
      const errors = checked.problems.map((problem) => ({ code: 'failed_constraint', ...problem }))
      throw new SlackError(view === undefined ? 'invalid_blocks' : 'invalid_view', { errors })
    },
    'none',
  ),

  'views.open': method(
    TIER.four,
    undefined,
    { view: z.unknown(), trigger_id: z.string().optional() },
    (args, { triggers, views }) => {
      // A refused view leaves its trigger unused.
      const definition = checkedView(args.view, 'modal')
      return { view: viewPayload(views.open(triggers.exchange(args.trigger_id ?? ''), definition)) }
    },
  ),

  'views.update': method(
    TIER.four,
    undefined,
    {
      view: z.unknown(),
      view_id: z.string().optional(),
      external_id: z.string().optional(),
      hash: z.string().optional(),
    },
    (args, { views }) => {
      if (args.view_id === undefined && args.external_id === undefined) {
        throw invalid(['missing required field: view_id'])
      }
      const shown = views.find({ viewId: args.view_id, externalId: args.external_id })
      const definition = checkedView(args.view, shown?.definition.type ?? 'modal')
      if (shown === undefined) throw new SlackError('not_found')
      return { view: viewPayload(views.update(shown, definition, args.hash)) }
    },
  ),

  'views.publish': method(
    TIER.four,
    undefined,
    { view: z.unknown(), user_id: z.string() },
    (args, { views, workspace }) => {
      const definition = checkedView(args.view, 'home')
      if (workspace.findMember(args.user_id) === undefined) throw invalid(['user_id not found'])
      return { view: viewPayload(views.publish(args.user_id, definition)) }
    },
  ),

  'files.getUploadURLExternal': method(
    TIER.four,
    'files:write',
    { filename: z.string().min(1), length: wholeNumber },
    (args, { files, baseUrl }) => {
      if (args.length > MAX_FILE_BYTES) throw new SlackError('file_upload_size_restricted')
      const file = files.announce(args.filename)
      return { upload_url: `${baseUrl()}/upload/v1/${file.id}`, file_id: file.id }
    },
  ),

  'files.delete': method(TIER.three, 'files:write', { file: z.string() }, ({ file }, { files, messages }) => {
    if (!files.delete(file)) throw new SlackError('file_not_found')
    messages.dropFile(file)
    return {}
  }),

  'files.completeUploadExternal': method(
    TIER.four,
    'files:write',
    {
      files: z
        .array(z.object({ id: z.string(), title: z.string().optional() }))
        .min(1)
        .max(MAX_FILES_AT_ONCE),
      channel_id: z.string(),
    },
    (args, { workspace, messages, files }) => {
      // Files are shared to channels by their own id only: a user id stands for nothing here.
      if (workspace.findChannel(args.channel_id) === undefined) throw new SlackError('channel_not_found')
      const target = workspace.writableChannel(args.channel_id).id
      const completed = args.files.map(({ id, title }) => files.complete(id, title))
      const ids = completed.map((file) => file.id)
      messages.post({ channel: target, author: BOT_USER_ID, text: '', blocks: [], files: ids })
      return { files: completed.map(({ id, title, content }) => ({ id, title, size: content?.length ?? 0 })) }
    },
  ),
}

/** Arguments other than those of the shape are ignored, as Slack ignores them. */
function method<Shape extends z.ZodRawShape>(
  perMinute: number,
  scope: string | undefined,
  shape: Shape,
  run: (args: z.output<z.ZodObject<Shape>>, parts: Parts) => Readonly<Record<string, unknown>>,
  token: Method['token'] = 'bot',
): Method {
  return {
    token,
    scope,
    perMinute,
    run(args, parts) {
      const parsed = z.object(shape).safeParse(args)
      if (parsed.success) return run(parsed.data, parts)
      throw invalid(parsed.error.issues.map(({ message, path }) => `${message} [json-pointer:/${path.join('/')}]`))
    },
  }
}

export function requireScope({ app }: Parts, scope: string): void {
  if (app.scopes.includes(scope)) return
  throw new SlackError('missing_scope', { needed: scope, provided: app.scopes.join(',') })
}

function invalid(reasons: readonly string[]): SlackError {
  return new SlackError('invalid_arguments', {
    response_metadata: { messages: reasons.map((reason) => `[ERROR] ${reason}`) },
  })
}

function checkedView(given: unknown, surface: 'modal' | 'home'): ViewDefinition {
  const checked = checkView(given, surface)
  if (checked.ok) return checked.view
  if (checked.problems.length === 0) throw new SlackError(checked.error)
  throw invalid(['failed to match all allowed schemas [json-pointer:/view]', ...checked.problems.map(written)])
}

function hasRichText(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => type === 'rich_text')
}

/** A message of the bot. Ephemeral ones cannot be found here, and a user id names no channel. */
function ownMessage(channelId: string | undefined, ts: string, { workspace, messages }: Parts): StoredMessage {
  const message = messages.find(workspace.channelForBot(channelId).id, ts)
  if (message === undefined || message.visibleTo !== undefined) throw new SlackError('message_not_found')
  if (message.author !== BOT_USER_ID) throw new SlackError('cant_update_message')
  return message
}
