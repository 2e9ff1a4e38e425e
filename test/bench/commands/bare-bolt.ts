import bolt from '@slack/bolt'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fetch as undiciFetch, Pool } from 'undici'
import * as z from 'zod'

/**
 * What a good engineer would write instead of CDN Ops for this one command: bare Bolt with everything in one listener. It
 * looks up who asks and whether they may, reads the options, calls the platform with a deadline, checks the answer, says the
 * same to the person, and keeps what its buttons need, in memory. What lasts, bounds and records is not there.
 *
 * Arguments: the ports of Slack and of the platform, and its own name.
 */

const [slackPort, platformPort, name] = process.argv.slice(2)
const slackApiUrl = `http://127.0.0.1:${slackPort}/api/`
const KEPT_ANSWERS = 5_000
const CHART_DAYS = 20
const TWIN_ROWS = 5

const DEADLINE_MS = 15_000
const KNOWN_MS = 60_000

const Arguments = z.object({
  zone: z.coerce.number().int().positive(),
  since: z.iso.date().optional(),
  until: z.iso.date().optional(),
  csv: z.boolean(),
})
const Chart = z.record(z.string(), z.int()).nullable()
const Statistics = z.object({ StorageUsedChart: Chart, FileCountChart: Chart })

const platform = new Pool(`http://127.0.0.1:${platformPort}`, {
  connections: 64,
  pipelining: 1,
})
const OPTIONS = { since: { type: 'string' }, until: { type: 'string' }, csv: { type: 'boolean' } } as const
const members = new Map<string, { readonly is: boolean; readonly until: number }>()
/** For the button that posts an answer to the channel. */
const shown = new Map<string, object>()

const clientOptions = { slackApiUrl, fetch: undiciFetch as unknown as typeof globalThis.fetch }
const app = new bolt.App({
  token: `xoxb-${name}`,
  appToken: `xapp-${name}`,
  socketMode: true,
  convoStore: false,
  logLevel: bolt.LogLevel.WARN,
  clientOptions,
  installerOptions: { clientOptions: { slackApiUrl } },
})

app.command('/cdn', async ({ command, ack, respond, client, logger }) => {
  await ack()
  try {
    if (!(await isMember(command.user_id, client))) return void (await respond('This is for full members.'))
    const asked = read(command.text)
    if (asked === undefined) return void (await respond('Ask for: storage stats <zone> [--since] [--until] [--csv]'))
    const message = answer(asked.zone, await statisticsOf(asked))
    const response = (await respond({ response_type: 'ephemeral', replace_original: false, ...message })) as Response
    // Its connection can be used again only when it has been read.
    await response.text()
  } catch (error) {
    logger.error(error)
    await respond('The platform gave no answer that can be shown.')
  }
})

await app.start()
process.send?.('ready')
process.once('disconnect', () => process.exit(0))

/** Full members of the workspace may ask; Slack is asked once a minute who is one. */
async function isMember(userId: string, { users }: bolt.webApi.WebClient): Promise<boolean> {
  const now = performance.now()
  const known = members.get(userId)
  if (known !== undefined && known.until > now) return known.is
  const { user } = await users.info({ user: userId })
  const is = user !== undefined && user.deleted !== true && user.is_bot !== true && user.is_restricted !== true
  members.set(userId, { is, until: now + KNOWN_MS })
  return is
}

function read(text: string): z.output<typeof Arguments> | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: text.trim().split(/\s+/),
      options: OPTIONS,
      allowPositionals: true,
    })
    const [noun, verb, zone] = positionals
    return noun === 'storage' && verb === 'stats'
      ? Arguments.safeParse({ zone, csv: false, ...values }).data
      : undefined
  } catch {
    return undefined
  }
}

async function statisticsOf({ zone, since, until }: z.output<typeof Arguments>): Promise<z.output<typeof Statistics>> {
  const { statusCode, body } = await platform.request({
    method: 'GET',
    path: `/storagezone/${zone}/statistics`,
    query: { ...(since !== undefined && { dateFrom: since }), ...(until !== undefined && { dateTo: until }) },
    headers: { AccessKey: 'k-0123456789', accept: 'application/json' },
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  if (statusCode !== 200) throw new Error(`The platform answered with ${statusCode}`)
  return Statistics.parse(await body.json())
}

interface Day {
  readonly day: string
  readonly used: number | undefined
  readonly files: number | undefined
}

function answer(zone: number, { StorageUsedChart, FileCountChart }: z.output<typeof Statistics>) {
  const days = daysOf(StorageUsedChart ?? {}, FileCountChart ?? {})
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { text: `Storage zone ${zone}\nNothing.`, blocks: [] }
  const [usedFirst = 0, usedLast = 0, filesFirst = 0, filesLast = 0] = [first.used, last.used, first.files, last.files]
  const facts: readonly (readonly [string, string])[] = [
    ['Storage used', `${gigabytes(usedLast)} (${grouped(usedLast)} bytes) on ${last.day}`],
    [
      'Storage used, change',
      `+${gigabytes(usedLast - usedFirst)} (+${share(usedFirst, usedLast)}%) since ${first.day}, from ${gigabytes(usedFirst)}`,
    ],
    ['Files', `${grouped(filesLast)} on ${last.day}`],
    [
      'Files, change',
      `+${grouped(filesLast - filesFirst)} (+${share(filesFirst, filesLast)}%) since ${first.day}, from ${grouped(filesFirst)}`,
    ],
  ]
  const range = 'The last 30 days, as no range was given.'
  const note = `The charts show the newest ${CHART_DAYS} days, the table all of them.`
  const newest = days.toReversed()
  const rows = newest.map(({ day, used, files }) => [
    { type: 'raw_text', text: day },
    { type: 'raw_text', text: gigabytes(used ?? 0) },
    { type: 'raw_number', value: used, text: grouped(used ?? 0) },
    { type: 'raw_number', value: files, text: grouped(files ?? 0) },
  ])
  const twin = newest
    .slice(0, TWIN_ROWS)
    .map(
      ({ day, used = 0, files = 0 }) =>
        `Day ${day}, Storage used ${gigabytes(used)}, Bytes ${grouped(used)}, Files ${grouped(files)}`,
    )
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: `Storage zone ${zone}`, emoji: false } },
    { type: 'context', elements: [{ type: 'mrkdwn', text: range, verbatim: true }] },
    {
      type: 'section',
      fields: facts.map(([label, value]) => ({ type: 'mrkdwn', text: `*${label}*\n${value}`, verbatim: true })),
    },
    chart('Storage used in GB, by day', 'GB', 'Storage used', days, ({ used = 0 }) => Math.round(used / 1e6) / 1e3),
    chart('Number of files, by day', 'Files', 'Files', days, ({ files = 0 }) => files),
    {
      type: 'data_table',
      caption: 'All days, newest first (UTC)',
      rows: [['Day', 'Storage used', 'Bytes', 'Files'].map((text) => ({ type: 'raw_text', text })), ...rows],
      page_size: 10,
    },
    { type: 'context', elements: [{ type: 'mrkdwn', text: note, verbatim: true }] },
  ]
  const text = [
    `Storage zone ${zone}`,
    range,
    ...facts.map(([label, value]) => `${label}: ${value}`),
    note,
    ...twin,
    `and ${newest.length - TWIN_ROWS} more`,
  ].join('\n')
  return { text, blocks: [...blocks, buttons(zone, { text, blocks })] }
}

function buttons(zone: number, message: object) {
  const id = randomUUID().replaceAll('-', '')
  shown.set(id, message)
  const [oldest] = shown.keys()
  if (shown.size > KEPT_ANSWERS && oldest !== undefined) shown.delete(oldest)
  const button = (action: string, label: string, value: string) => ({
    type: 'button',
    action_id: action,
    text: { type: 'plain_text', text: label, emoji: false },
    value,
  })
  return {
    type: 'actions',
    block_id: 'answer',
    elements: [
      button('range', 'Change range', String(zone)),
      button('csv', 'Send as CSV', String(zone)),
      button('share', 'Share in channel', id),
    ],
  }
}

function chart(title: string, unit: string, series: string, days: readonly Day[], value: (day: Day) => number) {
  const newest = days.slice(-CHART_DAYS)
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: 'line',
      series: [{ name: series, data: newest.map((day) => ({ label: day.day, value: value(day) })) }],
      axis_config: { categories: newest.map(({ day }) => day), x_label: 'Day (UTC)', y_label: unit },
    },
  }
}

function daysOf(used: Readonly<Record<string, number>>, files: Readonly<Record<string, number>>): readonly Day[] {
  const keys = [...new Set([...Object.keys(used), ...Object.keys(files)])].toSorted()
  return keys.map((key) => ({ day: key.slice(0, 10), used: used[key], files: files[key] }))
}

function gigabytes(value: number): string {
  return `${(value / 1e9).toFixed(2)} GB`
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function share(first: number, last: number): string {
  return (((last - first) / first) * 100).toFixed(1)
}
