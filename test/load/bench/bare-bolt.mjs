import bolt from '@slack/bolt'

/** The least that can be said to be a bot: one command over Socket Mode, with Slack's own library as it is. */

const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
})
app.command('/cdn', async ({ ack }) => ack('Hello'))
await app.start()
process.stdout.write('ready\n')
// Node writes what it has compiled at a clean exit only.
process.once('SIGTERM', () => process.exit(0))
