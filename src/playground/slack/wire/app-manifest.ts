import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import * as z from 'zod'

/** What the app asked for when it was installed, as far as this workspace acts on it. */
export type AppManifest = Awaited<ReturnType<typeof readAppManifest>>

/** What this workspace takes for granted stands here as literals: an app without it would be another app. */
const manifest = z.object({
  features: z.object({
    app_home: z.object({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(false),
    }),
    slash_commands: z.array(z.object({ command: z.string().regex(/^\/\S+$/), should_escape: z.literal(true) })),
    shortcuts: z.array(
      z.object({ type: z.literal('global'), callback_id: z.string(), name: z.string(), description: z.string() }),
    ),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
})

const FILE = new URL('../../../../manifest.yml', import.meta.url)

/** Reads the app's own manifest. Rejects when the file is not there, or is that of another kind of app. */
export async function readAppManifest() {
  const { features, oauth_config: oauth, settings } = manifest.parse(parse(await readFile(FILE, 'utf8')))
  return {
    commands: features.slash_commands.map(({ command }) => command),
    shortcuts: features.shortcuts.map(({ callback_id: callbackId, name, description }) => ({
      callbackId,
      name,
      description,
    })),
    scopes: oauth.scopes.bot,
    events: settings.event_subscriptions.bot_events,
  }
}
