import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { counted } from '../../block-kit/amounts.ts'
import { createCdnClient } from '../../cdn/client.ts'
import { LogLimit } from '../../cdn/http/log-limit.ts'
import { type Configuration, readConfiguration } from '../../config/live-configuration.ts'
import { listSecrets, readSettings, type Settings, SettingsError } from '../../config/settings.ts'
import { Checked } from '../../operations/declaration/examination.ts'
import { ProblemsError } from '../../shared/errors.ts'
import { Scrubber } from '../../shared/scrubber.ts'
import { StoreError, UnpreparedStoreError } from '../../store/schema/store-error.ts'
import { openStore, type Store, storeFile } from '../../store/store.ts'
import { cdnOptions } from '../cdn-options.ts'
import { type TimeSource, watchClock } from '../clock-watch.ts'
import { EXIT_CONFIGURATION, EXIT_FAILURE } from '../exit.ts'
import { type OutsideCalls, outsideCalls } from '../outside-calls.ts'
import { complaintOf, parseOptions, printHelp, type ToolContext } from '../command-line.ts'
import { createDoctor } from './doctor.ts'

const EXIT_SOUND = 0

const USAGE = `Checks how the bot is set up, whether it runs or not: settings, Slack, the CDN, the store, the clock.

  npm run doctor                     with the settings in the environment, as for the bot
  ENV_FILE=cdn-ops.env npm run doctor  with those of a file
  npm run --silent doctor -- --json  one JSON object

Beside a running bot it takes from HEALTH_PORT what that bot says of its store and of logs.

Ends with 0, with 1 when something is found that stops something, with 78 when settings are wrong.`

interface Given {
  /** See `LogLimitOptions`. */
  readonly warm?: boolean
  readonly nodeVersion?: string
}

export async function runDoctor(args: readonly string[], context: ToolContext, given: Given = {}): Promise<number> {
  const { complain, print, environment } = context
  if (await printHelp(args[0], USAGE, context)) return EXIT_SOUND
  let json = false
  try {
    json = parseOptions(() => parseArgs({ args, options: { json: { type: 'boolean', default: false } } })).values.json
    const settings = readSettings(environment)
    const configuration = readConfiguration(settings, environment.readFile)
    const checked = await examine(settings, configuration, context, given)
    const scrubber = new Scrubber()
    for (const secret of listSecrets(settings)) scrubber.register(secret)
    await print(
      scrubber.scrub(json ? `${JSON.stringify({ ok: !isStopped(checked), checks: checked })}\n` : toText(checked)),
    )
    return isStopped(checked) ? EXIT_FAILURE : EXIT_SOUND
  } catch (error) {
    const hint = error instanceof SettingsError && error.nothingSet ? [NOTHING_SET] : []
    if (!(error instanceof ProblemsError)) complain(complaintOf(error, USAGE))
    else if (json) await print(`${JSON.stringify({ ok: false, problems: error.problems })}\n`)
    else complain(['Wrong settings:', ...error.problems.map((problem) => `  - ${problem}`), ...hint].join('\n'))
    return EXIT_CONFIGURATION
  }
}

const NOTHING_SET = 'No setting is in the environment. Where they are in a file: ENV_FILE=cdn-ops.env npm run doctor'

async function examine(settings: Settings, configuration: Configuration, { clock, log }: ToolContext, given: Given) {
  const secondsAhead = new Map<TimeSource, number>()
  const clockWatch = watchClock(clock, log, (source, seconds) => secondsAhead.set(source, seconds))
  const outside = outsideCalls(clock, (date, askedAtMs) => clockWatch.compareHeader('slack', date, askedAtMs))
  const elsewhere = await askRunningBot(settings, outside)
  const opened =
    elsewhere === undefined
      ? await openUnused(settings, { clock, log, timed: clockWatch.timed })
      : 'the running bot has it'
  const { nodeVersion, warm = false } = given
  // Bots that share the store may be reading logs meanwhile.
  const shared = typeof opened === 'object' && 'shared' in opened ? opened.shared?.logSlots : undefined
  const cdn = createCdnClient({
    ...cdnOptions(settings),
    clock,
    limiter: new LogLimit({ clock, shared, warm }),
    onDate: (header, askedAtMs) => clockWatch.compareHeader('platform', header, askedAtMs),
  })
  try {
    const parts = { settings, configuration, clock, log, cdn, secondsAhead, store: opened, elsewhere, nodeVersion }
    const doctor = createDoctor({ ...parts, fetch: outside.slackFetch })
    return await doctor.examine(new AbortController().signal)
  } finally {
    if (typeof opened === 'object' && 'close' in opened) await opened.close()
    await cdn.close()
  }
}

/** Undefined where no bot answers at HEALTH_PORT. */
async function askRunningBot(
  { HEALTH_PORT: address }: Settings,
  outside: OutsideCalls,
): Promise<readonly Checked[] | undefined> {
  if (address === undefined) return undefined
  const host = address.host === '0.0.0.0' || address.host === '::' ? '127.0.0.1' : address.host
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${address.port}/doctor`)
  return z.array(Checked).safeParse(await outside.readJson(url).catch(() => undefined)).data
}

/** As the bot would, but for its tables, which stay as they are. One that a bot uses is not opened. */
async function openUnused(
  settings: Settings,
  given: Pick<Parameters<typeof openStore>[0], 'clock' | 'log' | 'timed'>,
): Promise<Store | string | Error> {
  const file = storeFile(settings.STORE_URL)
  if (file !== undefined && !existsSync(file)) return 'there is no store yet: the first start makes it'
  try {
    return await openStore({ ...given, url: settings.STORE_URL, auditKey: settings.AUDIT_KEY, asItIs: true })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error instanceof UnpreparedStoreError) return 'the next start makes its tables, or brings them up to date'
    return error.kind === 'in_use' ? 'a running bot uses the store, and none answers at HEALTH_PORT' : error
  }
}

function isStopped(checked: readonly Checked[]): boolean {
  return checked.some(({ findings }) => findings.some(({ stops }) => stops))
}

function toText(checked: readonly Checked[]): string {
  const lines = checked.flatMap(({ check, seen, isUnknown, findings }) =>
    findings.length === 0
      ? [`${isUnknown ? '?' : '✓'} ${check}: ${isUnknown ? `not looked at, ${seen}` : seen}`]
      : findings.flatMap(({ stops, happened, remedy }) => [
          `${stops ? '✗' : '!'} ${check}: ${happened}`,
          `    → ${remedy}`,
        ]),
  )
  const all = checked.flatMap(({ findings }) => findings)
  const stops = all.filter((finding) => finding.stops).length
  const end =
    all.length === 0 ? 'Nothing is wrong.' : `${counted(all.length, 'finding')}, of which ${stops} stop something.`
  return `${[...lines, '', end].join('\n')}\n`
}
