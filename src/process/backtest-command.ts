import { parseArgs } from 'node:util'
import { backtest } from '../alerts/backtest.ts'
import { alertKind } from '../alerts/kinds.ts'
import { FIRST_LAG_MS } from '../alerts/lag.ts'
import { parameterProblems } from '../alerts/parameters.ts'
import { readPastSettings, SettingsError } from '../config/settings.ts'
import { WATCHED_KINDS, watchSet } from '../operations/alerts/watch-set.ts'
import { visible } from '../shared/untrusted.ts'
import type { AlertRule, MarkRecord } from '../store/alert-records.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import { readConfigFile } from '../config/file.ts'
import { StoreError } from '../store/store-error.ts'
import { openForReading, type StoreReader } from '../store/store.ts'
import { storeAt, type ToolSurroundings, typedTime, UsageError } from './audit-command.ts'
import { jsonLines, report } from './backtest-report.ts'
import { EXIT_CONFIGURATION } from './exit.ts'
import { PastError, readDayFiles, readMinutesFile } from './past-files.ts'

const EXIT_DONE = 0
const EXIT_UNUSABLE = 2
const MAX_LAG_SECONDS = 600

const USAGE = `Tells what \`alerts watch\` would have told about the past of a pull zone, without Slack.

  npm run --silent backtest -- --minutes file.jsonl    minutes, one JSON object a line; .gz too
  npm run --silent backtest -- --log file…             day files of the CDN's log, one a day; .gz too
  npm run --silent backtest -- --zone name             what the bot's store has of a zone, by name or id

  --json                      One JSON object a line instead of a table.
  --lag seconds               How long after its end a minute is looked at: 0 to ${MAX_LAG_SECONDS}, else ${FIRST_LAG_MS / 1_000}.
  --purge time                Somebody marked a purge then: 2026-03-17T01:20Z. May be repeated.
  --set kind.parameter=value  As with \`alerts add\`: cache-not-working.warning=10. May be repeated.
  --store path|postgres://…   Which store for --zone; else STORE_URL, as for the bot.

Ends with 0, with 2 when what was typed or a file cannot be taken, with 78 when the store cannot be read.`

/** A file is of no zone that anybody could name, and what is told of it depends on nothing but the file. */
const ZONE_OF_A_FILE = 0n

/** Plays a past through what the bot does live, prints what would have been told, and returns the exit code. */
export async function runBacktest(args: readonly string[], surroundings: ToolSurroundings): Promise<number> {
  const { print, complain } = surroundings
  if (['--help', '-h', 'help'].includes(args[0] ?? '')) {
    await print(`${USAGE}\n`)
    return EXIT_DONE
  }
  try {
    const asked = read(args)
    const { label, pullZoneId, minutes, marks } = await asked.known(surroundings)
    const [from, until] = [minutes[0]?.minute ?? 0, (minutes.at(-1)?.minute ?? -1) + 1]
    const own = asked.purges.map((at, index) => purge(at, index, pullZoneId))
    const rules = rulesFor(pullZoneId, asked.settings)
    const result = await backtest({ rules, minutes, from, until, lagMs: asked.lagMs, marks: [...marks, ...own] })
    await print(asked.json ? jsonLines(result) : report({ label, from, until, result }))
    return EXIT_DONE
  } catch (error) {
    if (error instanceof UsageError) complain(`${error.message}\n\n${USAGE}`)
    else if (error instanceof PastError || error instanceof SettingsError) complain(error.problems.join('\n'))
    else if (error instanceof StoreError) complain(`The store could not be read: ${error.message}`)
    else throw error
    return error instanceof SettingsError || error instanceof StoreError ? EXIT_CONFIGURATION : EXIT_UNUSABLE
  }
}

interface Asked {
  readonly json: boolean
  readonly lagMs: number
  readonly purges: readonly Date[]
  readonly settings: Settings
  readonly known: (surroundings: ToolSurroundings) => Promise<ZonePast>
}

/** Parameters by kind. */
type Settings = ReadonlyMap<string, Readonly<Record<string, number>>>

function read(args: readonly string[]): Asked {
  const { minutes, log, zone, json, lag, purge, set, store } = options(args)
  if ([minutes, log, zone].filter((source) => source.length > 0).length !== 1)
    throw new UsageError('Say what to look at: --minutes, --log or --zone, and one of these alone.')
  if (store.length > 0 && zone.length === 0) throw new UsageError('--store goes with --zone.')
  const [seconds = String(FIRST_LAG_MS / 1_000)] = once('--lag', lag)
  if (!/^\d{1,3}$/.test(seconds) || Number(seconds) > MAX_LAG_SECONDS)
    throw new UsageError(`--lag is a whole number of seconds from 0 to ${MAX_LAG_SECONDS}.`)
  const [file] = once('--minutes', minutes)
  const [name] = once('--zone', zone)
  const [url] = once('--store', store)
  return {
    json,
    lagMs: Number(seconds) * 1_000,
    purges: purge.map(timeOf),
    settings: settingsOf(set),
    known: (surroundings) =>
      file !== undefined
        ? filed('The file', readMinutesFile(file))
        : name !== undefined
          ? pastOfZone(name, url, surroundings)
          : filed('The log', readDayFiles(log, surroundings.complain)),
  }
}

const MANY = { type: 'string', multiple: true, default: [] as string[] } as const

function options(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        minutes: MANY,
        log: MANY,
        zone: MANY,
        lag: MANY,
        purge: MANY,
        set: MANY,
        store: MANY,
        json: { type: 'boolean', default: false },
      },
    })
    // What a shell makes of `--log *.log`.
    if (positionals.length > 0 && values.log.length === 0) throw new TypeError('nothing that takes several')
    return { ...values, log: [...values.log, ...positionals] }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('That cannot be taken: these are the options, each but --json with a value.')
  }
}

function once(option: string, values: readonly string[]): readonly string[] {
  if (values.length <= 1) return values
  throw new UsageError(`${option} is given more than once.`)
}

function timeOf(text: string): Date {
  const time = typedTime(text)
  if (time !== undefined) return time
  throw new UsageError('--purge is a time such as 2026-03-17T01:20Z.')
}

function settingsOf(given: readonly string[]): Settings {
  const settings = new Map<string, Readonly<Record<string, number>>>()
  for (const text of given) {
    const [, name = '', parameter = '', value = ''] =
      /^([\w-]+)\.([\w-]+)=(-?\d{1,15}(?:\.\d{1,15})?)$/.exec(text) ?? []
    const kind = alertKind(name)?.name
    if (kind === undefined || !WATCHED_KINDS.some((watched) => watched === kind))
      throw new UsageError(
        `--set is kind.parameter=value, such as cache-not-working.warning=10. Kinds: ${WATCHED_KINDS.join(', ')}.`,
      )
    settings.set(kind, { ...settings.get(kind), [parameter]: Number(value) })
  }
  const problems = [...settings].flatMap(([name, values]) => {
    const kind = alertKind(name)
    return kind === undefined ? [] : parameterProblems(kind, values)
  })
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return settings
}

/** What somebody gets who says no more than that the zone shall be watched, in the one channel there is. */
function rulesFor(pullZoneId: bigint, settings: Settings): readonly AlertRule[] {
  return watchSet(pullZoneId, '').map(({ kind, parameters, ...rule }) => ({
    ...rule,
    id: kind,
    kind,
    parameters: { ...parameters, ...settings.get(kind) },
    createdBy: '',
    createdAt: new Date(0),
  }))
}

function purge(at: Date, index: number, pullZoneId: bigint): MarkRecord {
  return { id: `purge ${index}`, pullZoneId: String(pullZoneId), at, text: 'purge', by: '' }
}

async function filed(label: string, reading: Promise<ZonePast['minutes']>): Promise<ZonePast> {
  return { label, pullZoneId: ZONE_OF_A_FILE, minutes: await reading, marks: [] }
}

interface ZonePast {
  readonly label: string
  readonly pullZoneId: bigint
  /** Ascending, at least one. */
  readonly minutes: readonly MinuteCounts[]
  readonly marks: readonly MarkRecord[]
}

/** What the store has of the pull zone that people know by a name or an id. Throws `PastError`, `SettingsError` or `StoreError`. */
async function pastOfZone(
  name: string,
  url: string | undefined,
  { environment, clock, log }: ToolSurroundings,
): Promise<ZonePast> {
  const { STORE_URL, CONFIG_FILE } = readPastSettings(storeAt(url, environment))
  const configured = CONFIG_FILE === undefined ? [] : await namesIn(CONFIG_FILE, environment.readFile)
  const store = await openForReading({ url: STORE_URL, clock, log })
  try {
    const names = [...configured, ...(await store.zones.list())].filter(({ kind }) => kind === 'pull')
    const named = names.find((zone) => zone.name.toLowerCase() === name.toLowerCase())
    const id = named?.zoneId ?? (/^\d{1,18}$/.test(name) ? name : undefined)
    if (id === undefined) throw new PastError([`No pull zone is called ${visible(name, 100)}.`])
    const label = named?.name ?? names.find(({ zoneId }) => zoneId === id)?.name
    return await storedPast(store, BigInt(id), label === undefined ? `Pull zone ${id}` : `${visible(label)} (${id})`)
  } finally {
    await store.close()
  }
}

async function namesIn(path: string, readFile: (path: string) => string) {
  let text
  try {
    text = readFile(path)
  } catch {
    throw new SettingsError([`CONFIG_FILE names ${path}, which cannot be read.`], false)
  }
  const config = readConfigFile(text)
  if (!config.ok) throw new SettingsError(config.problems, false)
  return config.config.zones
}

async function storedPast({ minutes, marks }: StoreReader, pullZoneId: bigint, label: string): Promise<ZonePast> {
  const id = String(pullZoneId)
  const span = await minutes.span(id)
  if (span === undefined) throw new PastError([`The store knows nothing of the traffic of pull zone ${id}.`])
  return {
    label,
    pullZoneId,
    minutes: await minutes.read(id, span.from, span.until),
    marks: await marks.list(id, new Date(0)),
  }
}
