import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import * as z from 'zod'

/**
 * The bot scopes each method of Slack's Web API asks for, by what it is asked about; none where a token alone is enough.
 * From Slack's reference.
 */
export const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'auth.teams.list': [],
  'auth.test': [],
  'bots.info': ['users:read'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.info': ['channels:read', 'groups:read'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.update': [],
}

/** Scopes that come with a feature of the manifest and not with a method, and what that is called. */
export const FEATURE_SCOPES: Readonly<Record<string, string>> = {
  'app_mentions:read': 'mentions',
  commands: 'slash command',
  'im:history': 'direct messages to the bot',
}

/** Why the app asks for each scope, as the README says it. */
export const SCOPE_REASONS: Readonly<Record<string, string>> = {
  'app_mentions:read': 'To be asked in threads, where Slack allows no commands.',
  'channels:read': 'To know whether it is in a channel, and who shares it, before alerts go there.',
  commands: 'The slash command and the two shortcuts.',
  'chat:write': 'To answer, in channels it was invited to and in direct messages.',
  'files:write': 'Optional: to send CSV files to whoever asked for one.',
  'groups:read': 'As `channels:read`, for private channels it was invited to.',
  'im:history': 'To be asked in direct messages to the bot; of other conversations it reads none.',
  'usergroups:read': 'Optional: to know who is in the user groups that the configuration file names.',
  'users:read': 'To tell members from guests, bots and strangers; and for time zones and typed names.',
}

/** The parts of the manifest that the code depends on. Strict where more would be a feature or a right nobody uses. */
const Manifest = z.object({
  features: z.strictObject({
    app_home: z.object({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.object({ display_name: z.string() }),
    shortcuts: z.array(z.object({ type: z.string(), callback_id: z.string() })).default([]),
    slash_commands: z.array(z.object({ command: z.string(), should_escape: z.boolean(), usage_hint: z.string() })),
  }),
  oauth_config: z.object({ scopes: z.strictObject({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }) }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()) }).default({ bot_events: [] }),
    interactivity: z.object({ is_enabled: z.boolean() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
})
export type Manifest = z.output<typeof Manifest>

/** The manifest as it is written, for Slack's schema. */
export function rawManifest(): unknown {
  return parse(readFileSync('manifest.yml', 'utf8'))
}

export function manifest(): Manifest {
  return Manifest.parse(rawManifest())
}
