import bolt from '@slack/bolt'

/** Bare Bolt with the two links that a bot needs to miss nothing while Slack refreshes one, and nothing else. */

const options = { slackApiUrl: process.env.SLACK_API_URL }
const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
  clientOptions: options,
})
app.command('/cdn', async ({ ack }) => ack('Hello'))
const second = new bolt.SocketModeReceiver({
  appToken: process.env.SLACK_APP_TOKEN,
  installerOptions: { clientOptions: options },
})
second.init(app)
await Promise.all([app.start(), second.start()])
process.stdout.write('ready\n')
