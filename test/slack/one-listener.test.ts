import type * as bolt from '@slack/bolt'
import { expect, test } from 'vitest'
import { App } from '../../src/slack/bolt.ts'
import { OneListener } from '../../src/slack/one-listener.ts'

const user = { id: 'U1', team_id: 'T1' }
const team = { id: 'T1', domain: 'team' }
const view = { id: 'V1', callback_id: 'form', type: 'modal' }
/** One of each kind of delivery, as Slack sends it. */
const DELIVERIES = {
  command: { command: '/cdn', text: 'help', user_id: 'U1', team_id: 'T1', channel_id: 'C1' },
  action: { type: 'block_actions', user, team, actions: [{ type: 'button', action_id: 'go', block_id: 'b' }] },
  options: { type: 'block_suggestion', user, team, action_id: 'zone', block_id: 'b', value: 's' },
  shortcut: { type: 'shortcut', user, team, callback_id: 'add' },
  'shortcut of a message': { type: 'message_action', user, team, callback_id: 'add', channel: { id: 'C1' } },
  view_submission: { type: 'view_submission', user, team, view },
  view_closed: { type: 'view_closed', user, team, view },
  user_change: { type: 'event_callback', team_id: 'T1', event: { type: 'user_change', user } },
  nothing: { type: 'event_callback', team_id: 'T1', event: { type: 'channel_rename' } },
  'nothing of a dialog': { type: 'dialog_submission', user, team, callback_id: 'add' },
} as const

async function heardBy(listening: (app: bolt.App, heard: (name: string) => void) => void): Promise<readonly string[]> {
  const app = new App({
    authorize: async () => ({ botToken: 'xoxb-1', botUserId: 'UBOT', botId: 'B1' }),
    receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
    convoStore: false,
    deferInitialization: true,
  })
  await app.init()
  const heard: string[] = []
  listening(app, (name) => heard.push(name))
  for (const [name, body] of Object.entries(DELIVERIES)) {
    heard.push(`${name}:`)
    await app.processEvent({ body, ack: async () => undefined })
  }
  return heard
}

test('each kind of delivery comes to its listener, and what has none to nobody, as with Bolt itself', async () => {
  const ours = await heardBy((app, heard) => {
    const on = new OneListener(app)
    on.command(async ({ command }) => heard(command.command))
    on.action(async ({ action }) => heard(action.type))
    on.options(async ({ options }) => heard(options.value))
    on.shortcut(async ({ shortcut }) => heard(shortcut.type))
    for (const kind of ['view_submission', 'view_closed'] as const) on.view(kind, async () => heard(kind))
    on.event('user_change', async ({ event }) => heard(event.type))
  })
  const bolts = await heardBy((app, heard) => {
    app.command(/.*/, async ({ command }) => heard(command.command))
    app.action(/.*/, async ({ action }) => heard(action.type))
    app.options(/.*/, async ({ options }) => heard(options.value))
    app.shortcut(/.*/, async ({ shortcut }) => heard(shortcut.type))
    app.view({ type: 'view_submission', callback_id: /.*/ }, async () => heard('view_submission'))
    app.view({ type: 'view_closed', callback_id: /.*/ }, async () => heard('view_closed'))
    app.event('user_change', async ({ event }) => heard(event.type))
  })
  expect(ours).toEqual(bolts)
  expect(ours).toHaveLength(2 * Object.keys(DELIVERIES).length - 2)
})

test('what a listener throws comes to whoever listens for errors', async () => {
  const heard = await heardBy((app, tell) => {
    const on = new OneListener(app)
    on.error(async ({ message }) => tell(message))
    on.command(async () => {
      throw new Error('not so')
    })
  })
  expect(heard.filter((name) => !name.endsWith(':'))).toEqual(['not so'])
})
