import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { App, LogLevel, type Logger } from '@slack/bolt'
import type { SlackEmulator } from '../../../src/playground/slack/emulator.ts'

/** A stock Bolt app pointed at an emulator: no option but the address differs from one that talks to Slack. */
export function stockApp(slack: SlackEmulator): App {
  return new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logLevel: LogLevel.ERROR,
    logger: silent,
    deferInitialization: true,
  })
}

/** A stock Bolt app that takes signed requests instead of links, and the address it takes them at. */
export async function stockHttpApp(
  slack: SlackEmulator,
  { signingSecret = slack.signingSecret }: { readonly signingSecret?: string } = {},
): Promise<{ readonly app: App; readonly requestUrl: string }> {
  const app = new App({
    token: slack.botToken,
    signingSecret,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logLevel: LogLevel.ERROR,
    logger: silent,
    deferInitialization: true,
  })
  await app.init()
  const server: unknown = await app.start({ port: 0, host: '127.0.0.1' })
  // Without Socket Mode, Bolt starts one of Node's servers.
  const { port } = (server as Server).address() as AddressInfo
  return { app, requestUrl: `http://127.0.0.1:${port}/slack/events` }
}

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
}
