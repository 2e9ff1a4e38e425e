import { createRequire } from 'node:module'
import type * as bolt from '@slack/bolt'

/**
 * The parts of Slack's library that are used, one by one. Its entry loads every way to receive there is, and with them a
 * web framework that is never run: a quarter of the time and of the memory that all of it takes.
 */

const load = createRequire(import.meta.url)
/** What the library itself loads, which need not lie where this file would find it. */
const loadAsLibrary = createRequire(load.resolve('@slack/bolt'))

type Library = typeof bolt

export const { default: App, LogLevel } = load('@slack/bolt/dist/App.js') as {
  readonly default: Library['App']
  readonly LogLevel: Library['LogLevel']
}
export const { default: SocketModeReceiver } = load('@slack/bolt/dist/receivers/SocketModeReceiver.js') as {
  readonly default: Library['SocketModeReceiver']
}
export type SocketModeReceiver = bolt.SocketModeReceiver
export const webApi = loadAsLibrary('@slack/web-api') as Library['webApi']
