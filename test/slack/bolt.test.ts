import * as bolt from '@slack/bolt'
import { expect, test } from 'vitest'
import { App, LogLevel, SocketModeReceiver, webApi } from '../../src/slack/bolt.ts'

test('the parts of Slack’s library are those that its entry gives', () => {
  expect([App, SocketModeReceiver, LogLevel.WARN]).toEqual([bolt.App, bolt.SocketModeReceiver, bolt.LogLevel.WARN])
  expect(webApi.WebClient).toBe(bolt.webApi.WebClient)
  expect(webApi.WebAPIPlatformError).toBe(bolt.webApi.WebAPIPlatformError)
})
