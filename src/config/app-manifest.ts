import { parse, parseDocument } from 'yaml'
import * as z from 'zod'
import { REQUEST_PATH } from '../slack/gateway/http-receiver.ts'

/**
 * The manifest for an app that Slack sends requests to: `address` is where the bot can be reached from outside, with or
 * without the path. Comments are kept. Throws TypeError, whose message says what is wrong with the address.
 */
export function httpManifest(text: string, address: string): string {
  const url = requestUrl(address)
  const manifest = parseDocument(text)
  for (const path of [
    ['features', 'slash_commands', 0, 'url'],
    ['settings', 'event_subscriptions', 'request_url'],
    ['settings', 'interactivity', 'request_url'],
    ['settings', 'interactivity', 'message_menu_options_url'],
  ])
    manifest.setIn(path, url)
  manifest.setIn(['settings', 'socket_mode_enabled'], false)
  return manifest.toString({ lineWidth: 0 })
}

/** The manifest as JSON, for an app that the Slack CLI makes: in a sandbox, which is an organisation, it asks for the flag. */
export function cliManifest(text: string): string {
  const manifest = z.looseObject({ settings: z.looseObject({}) }).parse(parse(text))
  return JSON.stringify({ ...manifest, settings: { ...manifest.settings, org_deploy_enabled: true } })
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
