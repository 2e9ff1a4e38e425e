import { parseDocument } from 'yaml'

/** Where the bot takes requests; below it, what the given address leads to is its own. */
const REQUEST_PATH = '/slack/events'

/**
 * The manifest for an app that Slack sends requests to: `address` is where the bot can be reached from outside, with or
 * without the path. Comments are kept. Throws TypeError, whose message says what is wrong with the address.
 */
export function httpManifest(text: string, address: string): string {
  const url = requestUrl(address)
  const manifest = parseDocument(text)
  const commands = manifest.toJS() as { readonly features: { readonly slash_commands: readonly unknown[] } } // the manifest has a command
  for (const index of commands.features.slash_commands.keys()) {
    manifest.setIn(['features', 'slash_commands', index, 'url'], url)
  }
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], url)
  manifest.setIn(['settings', 'interactivity', 'request_url'], url)
  manifest.setIn(['settings', 'interactivity', 'message_menu_options_url'], url)
  manifest.setIn(['settings', 'socket_mode_enabled'], false)
  return manifest.toString({ lineWidth: 0 })
}

function requestUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError(
      'Slack sends requests to an address such as https://bot.example.com, without anything behind its path.',
    )
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith(REQUEST_PATH) ? path : `${path}${REQUEST_PATH}`}`
}
