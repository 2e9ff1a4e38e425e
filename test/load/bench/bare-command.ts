import { randomUUID } from 'node:crypto'
import bolt from '@slack/bolt'
import { request } from 'undici'
import * as z from 'zod'

/**
 * What a good engineer would write instead of CDN Ops for this one command: bare Bolt with everything in one listener. It
 * looks up who asks, calls the CDN with a deadline, checks the answer, says the same as ours, and keeps in memory what its
 * buttons need. What lasts, bounds and records is not there.
 */

const DEADLINE_MS = 15_000
const CHART_DAYS = 20

const Chart = z.record(z.string(), z.int())
const Statistics = z.object({ StorageUsedChart: Chart, FileCountChart: Chart })

const slackApiUrl = process.env['SLACK_API_URL'] ?? ''
const members = new Map<string, boolean>()
/** For the button that posts an answer to the channel. */
const kept = new Map<string, object>()

const app = new bolt.App({
  token: process.env['SLACK_BOT_TOKEN'] ?? '',
  appToken: process.env['SLACK_APP_TOKEN'] ?? '',
  socketMode: true,
  clientOptions: { slackApiUrl },
})
app.command('/cdn', async ({ command: { user_id: user, text }, ack, respond, client }) => {
  await ack()
  const isMember = members.get(user) ?? (await client.users.info({ user })).user?.is_restricted === false
  members.set(user, isMember)
  const [, zone] = /^storage stats (\d+)$/.exec(text) ?? []
  if (!isMember || zone === undefined) return void (await respond('Full members may ask for: storage stats <zone>'))
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const { body } = await request(`${process.env['CDN_API_URL']}/storagezone/${zone}/statistics`, { signal })
  const answered = await respond({ response_type: 'ephemeral', ...answer(zone, Statistics.parse(await body.json())) })
  // Its connection can be used again only when it has been read.
  await (answered as Response).text()
})
await app.start()
process.stdout.write('ready\n')

function answer(zone: string, { StorageUsedChart, FileCountChart }: z.output<typeof Statistics>) {
  const days = Object.entries(StorageUsedChart).map(([time, used]) => {
    return { day: time.slice(0, 10), used, files: FileCountChart[time] ?? 0 }
  })
  const gigabytes = (value: number): string => `${(value / 1e9).toFixed(2)} GB`
  const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const said = days.map(({ day, used, files }) => `${day}: ${gigabytes(used)} in ${grouped(files)} files`)
  const text = `Storage zone ${zone}\n${said.at(-1)}, and ${said[0]}`
  const charts = (['used', 'files'] as const).map((name) => {
    const newest = days.slice(-CHART_DAYS)
    const data = newest.map((each) => ({ label: each.day, value: each[name] }))
    const axis_config = { categories: newest.map(({ day }) => day), x_label: 'Day (UTC)', y_label: name }
    const chart = { type: 'line', series: [{ name, data }], axis_config }
    return { type: 'data_visualization', title: `By day: ${name}`, chart }
  })
  const head = ['Day', 'Storage used', 'Bytes', 'Files'].map((name) => ({ type: 'raw_text', text: name }))
  const rows = days.toReversed().map(({ day, used, files }) => [
    { type: 'raw_text', text: day },
    { type: 'raw_text', text: gigabytes(used) },
    { type: 'raw_number', value: used, text: grouped(used) },
    { type: 'raw_number', value: files, text: grouped(files) },
  ])
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    ...charts,
    { type: 'data_table', caption: 'All days, newest first (UTC)', rows: [head, ...rows], page_size: 10 },
  ]
  const id = randomUUID()
  kept.set(id, { text, blocks })
  const button = {
    type: 'button',
    action_id: 'share',
    text: { type: 'plain_text', text: 'Share in channel' },
    value: id,
  }
  return { text, blocks: [...blocks, { type: 'actions', elements: [button] }] }
}
