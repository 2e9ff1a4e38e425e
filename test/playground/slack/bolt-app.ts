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

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
}
