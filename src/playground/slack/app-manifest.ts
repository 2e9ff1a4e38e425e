import * as z from 'zod'
import { SCOPES } from './seed.ts'

/** A slash command as people see it while they type. */
export interface AppCommand {
  /** With its slash. */
  readonly command: string
  readonly description: string
  readonly usageHint: string
  /** Whether links and names reach the app as ids in angle brackets. */
  readonly shouldEscape: boolean
}

/** A global shortcut, as the menu beside the composer offers it. */
export interface AppShortcut {
  readonly callbackId: string
  readonly name: string
  readonly description: string
}

/** What an app asked for when it was installed, as far as this workspace acts on it. */
export interface AppManifest {
  readonly commands: readonly AppCommand[]
  /** Undefined where nothing is known: any may then be chosen. */
  readonly shortcuts: readonly AppShortcut[] | undefined
  /** Scopes of the bot token. */
  readonly scopes: readonly string[]
  /** Events the app wants to hear of; undefined where nothing is known: all are sent. */
  readonly events: readonly string[] | undefined
  readonly homeTab: boolean
  /** Whether people and the app can write to each other, or only the app to them, or neither. */
  readonly messagesTab: 'on' | 'read only' | 'off'
}

const manifest = z.object({
  features: z
    .object({
      app_home: z
        .object({
          home_tab_enabled: z.boolean().default(false),
          messages_tab_enabled: z.boolean().default(false),
          messages_tab_read_only_enabled: z.boolean().default(false),
        })
        .prefault({}),
      slash_commands: z
        .array(
          z.object({
            command: z.string().regex(/^\/\S+$/),
            description: z.string(),
            usage_hint: z.string().default(''),
            should_escape: z.boolean().default(false),
          }),
        )
        .default([]),
      shortcuts: z
        .array(
          z.object({
            type: z.enum(['global', 'message']),
            callback_id: z.string(),
            name: z.string(),
            description: z.string(),
          }),
        )
        .default([]),
    })
    .prefault({}),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z
    .object({ event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).prefault({}) })
    .prefault({}),
})

/** An app whose manifest was not given: it has one command, and may do and hear whatever the emulator knows. */
export const ANY_APP: AppManifest = {
  commands: [{ command: '/cdn', description: '', usageHint: '', shouldEscape: true }],
  shortcuts: undefined,
  scopes: SCOPES,
  events: undefined,
  homeTab: true,
  messagesTab: 'on',
}

/** Reads a parsed app manifest. What it leaves out is off, as in Slack. Throws ZodError for one that says no scopes. */
export function readAppManifest(given: unknown): AppManifest {
  const { features, oauth_config: oauth, settings } = manifest.parse(given)
  const { app_home: home } = features
  const readOnly = home.messages_tab_read_only_enabled ? 'read only' : 'on'
  return {
    commands: features.slash_commands.map(({ command, description, usage_hint: usageHint, should_escape }) => ({
      command,
      description,
      usageHint,
      shouldEscape: should_escape,
    })),
    shortcuts: features.shortcuts
      .filter(({ type }) => type === 'global')
      .map(({ callback_id: callbackId, name, description }) => ({ callbackId, name, description })),
    scopes: oauth.scopes.bot,
    events: settings.event_subscriptions.bot_events,
    homeTab: home.home_tab_enabled,
    messagesTab: home.messages_tab_enabled ? readOnly : 'off',
  }
}
