import { alignedLines } from '../block-kit/table.ts'
import { parseArgs } from 'node:util'
import { backtest, type Backtest, type BacktestEvent } from '../alerts/watch/backtest.ts'
import { findAlertKind, getKindTitle } from '../alerts/kinds/kinds.ts'
import { FIRST_LAG_MS } from '../alerts/log/lag.ts'
import { type AlertKind, parameterProblems } from '../alerts/kinds/alert-kind.ts'
import { loadConfigFile } from '../config/config-file.ts'
import { WATCHED_KINDS, watchSet } from '../operations/alerts/watch-set.ts'
import { visible } from '../shared/untrusted.ts'
import type { AlertRule } from '../store/schema/alert-records.ts'
import { EXIT_CONFIGURATION } from './exit.ts'
import { HistoryError, readDayFiles, readMinutesFile } from './history-files.ts'
import {
  complaintOf,
  parseOptions,
  parseTime,
  printHelp,
  type ToolContext,
  UsageError,
  withStore,
} from './command-line.ts'
import { durationWords, severityWords } from '../alerts/incidents/incident-words.ts'
import { shortId } from '../shared/short-id.ts'
import { counted, percent } from '../block-kit/amounts.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'

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

/** Replays history through what the bot does live, prints what would have been told, and returns the exit code. */
export async function runBacktest(args: readonly string[], context: ToolContext): Promise<number> {
  const { print, complain } = context
  if (await printHelp(args[0], USAGE, context)) return EXIT_DONE
  try {
    await print(await replay(args, context))
    return EXIT_DONE
  } catch (error) {
    complain(error instanceof HistoryError ? error.message : complaintOf(error, USAGE))
    return error instanceof HistoryError || error instanceof UsageError ? EXIT_UNUSABLE : EXIT_CONFIGURATION
  }
}

async function replay(args: readonly string[], context: ToolContext): Promise<string> {
  const { minutes: path, log, zone, json, lag, purge, set, store } = parse(args)
  if ([path, log[0], zone].filter((source) => source !== undefined).length !== 1)
    throw new UsageError('Say what to look at: --minutes, --log or --zone, and one of these alone.')
  if (store !== undefined && zone === undefined) throw new UsageError('--store goes with --zone.')
  if (!/^\d{1,3}$/.test(lag) || Number(lag) > MAX_LAG_SECONDS)
    throw new UsageError(`--lag is a whole number of seconds from 0 to ${MAX_LAG_SECONDS}.`)
  const purges = purge.map((text) => parseTime('--purge', text))
  const parameters = parseParameters(set)
  const history =
    zone !== undefined
      ? await readStoredHistory(zone, store, context)
      : path !== undefined
        ? { ...OF_A_FILE, label: 'The file', minutes: await readMinutesFile(path) }
        : { ...OF_A_FILE, label: 'The log', minutes: await readDayFiles(log, context.complain) }
  const { label, pullZoneId, minutes } = history
  const purged = { pullZoneId: String(pullZoneId), text: 'purge', by: '' }
  const marks = [...history.marks, ...purges.map((at, index) => ({ ...purged, id: `purge ${index}`, at }))]
  const [from, until] = [minutes[0]?.minute ?? 0, (minutes.at(-1)?.minute ?? -1) + 1]
  const rules = rulesFor(pullZoneId, parameters)
  const result = await backtest({ rules, minutes, from, until, lagMs: Number(lag) * 1_000, marks })
  return json ? jsonLines(result) : report(label, from, until, result)
}

const TEXT = { type: 'string' } as const
const TEXTS = { ...TEXT, multiple: true, default: [] as string[] } as const

function parse(args: readonly string[]) {
  const { values, positionals } = parseOptions(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        minutes: TEXT,
        log: TEXTS,
        zone: TEXT,
        lag: { ...TEXT, default: String(FIRST_LAG_MS / 1_000) },
        purge: TEXTS,
        set: TEXTS,
        store: TEXT,
        json: { type: 'boolean', default: false },
      },
    }),
  )
  // A shell expands `--log *.log` to one option and several words.
  if (positionals.length > 0 && values.log.length === 0) throw new UsageError('Only --log takes several files.')
  return { ...values, log: [...values.log, ...positionals] }
}

type Parameters = ReadonlyMap<string, Readonly<Record<string, number>>>

function parseParameters(texts: readonly string[]): Parameters {
  const parameters = new Map<AlertKind, Readonly<Record<string, number>>>()
  for (const text of texts) {
    const [, name = '', parameter = '', value = ''] =
      /^([\w-]+)\.([\w-]+)=(-?\d{1,15}(?:\.\d{1,15})?)$/.exec(text) ?? []
    const kind = findAlertKind(name)
    if (kind === undefined || !WATCHED_KINDS.some((watched) => watched === kind.name))
      throw new UsageError(
        `--set is kind.parameter=value, such as cache-not-working.warning=10. Kinds: ${WATCHED_KINDS.join(', ')}.`,
      )
    parameters.set(kind, { ...parameters.get(kind), [parameter]: Number(value) })
  }
  const problems = [...parameters].flatMap(([kind, values]) => parameterProblems(kind, values))
  if (problems.length > 0) throw new UsageError(problems.map(({ problem }) => problem).join('\n'))
  return new Map([...parameters].map(([{ name }, values]) => [name, values]))
}

function rulesFor(pullZoneId: bigint, settings: Parameters): readonly AlertRule[] {
  return watchSet(pullZoneId, '').map(({ kind, parameters, ...rule }) => ({
    ...rule,
    id: kind,
    kind,
    parameters: { ...parameters, ...settings.get(kind) },
    createdBy: '',
    createdAt: new Date(0),
  }))
}

/** A file is of no zone that anybody could name. */
const OF_A_FILE = { pullZoneId: 0n, marks: [] } as const

/** What the store has of the pull zone with this name or id. Throws `HistoryError`, `SettingsError`, `ConfigurationError` or `StoreError`. */
function readStoredHistory(name: string, url: string | undefined, context: ToolContext) {
  return withStore(url, context, async (store, { CONFIG_FILE }) => {
    const configured = loadConfigFile(CONFIG_FILE, context.environment.readFile).zones
    const names = [...configured, ...(await store.zones.list())].filter(({ kind }) => kind === 'pull')
    const named = names.find((zone) => zone.name.toLowerCase() === name.toLowerCase())
    const id = named?.zoneId ?? (/^\d{1,18}$/.test(name) ? name : undefined)
    if (id === undefined) throw new HistoryError(`No pull zone is called ${visible(name, 100)}.`)
    const span = await store.minutes.span(id)
    if (span === undefined) throw new HistoryError(`The store knows nothing of the traffic of pull zone ${id}.`)
    const label = named?.name ?? names.find(({ zoneId }) => zoneId === id)?.name
    return {
      label: label === undefined ? `Pull zone ${id}` : `${visible(label)} (${id})`,
      pullZoneId: BigInt(id),
      /** Ascending, at least one. */
      minutes: await store.minutes.read(id, span.from, span.until),
      marks: await store.marks.list(id, new Date(0)),
    }
  })
}

const WEEK_DAYS = 7
const MINUTE_END = '2026-03-17T01:25'.length
const SECOND_END = '2026-03-17T01:25:17'.length

function jsonLines({ events }: Backtest): string {
  return events
    .map(({ atMs, event, incidentId: incident, alert: { kind, severity }, notify }) => {
      const at = `${instant(atMs)}Z`
      return `${JSON.stringify({ at, event, incident, kind, severity, aloud: notify, title: getKindTitle(kind) })}\n`
    })
    .join('')
}

function report(label: string, from: number, until: number, result: Backtest): string {
  const rows = rowsOf(result.events)
  const table =
    rows.length === 0 ? [] : [...alignedLines([['Time (UTC)', 'What', 'Incident', 'After', 'Alert'], ...rows], []), '']
  return [...table, ...summary(label, from, until, result)].map((line) => `${line}\n`).join('')
}

function rowsOf(events: readonly BacktestEvent[]): readonly (readonly string[])[] {
  const began = new Map<string, number>()
  return events.map(({ atMs, event, incidentId, alert, notify }) => {
    if (event === 'begin') began.set(incidentId, atMs)
    const sinceMs = atMs - (began.get(incidentId) ?? atMs)
    const after = event === 'begin' ? '' : durationWords(sinceMs)
    const quietly = notify || event === 'end' ? '' : ' (in the thread)'
    const title =
      event === 'end' ? getKindTitle(alert.kind) : `${severityWords(alert.severity)}: ${getKindTitle(alert.kind)}`
    const words = `${title}. ${alert.facts.sentence}`
    return [instant(atMs).replace('T', ' '), `${event}${quietly}`, shortId(incidentId), after, words]
  })
}

function summary(label: string, from: number, until: number, result: Backtest): readonly string[] {
  const { events, firings, covered } = result
  const lengthMs = (until - from) * MINUTE_MS
  const incidents = new Set(events.map(({ incidentId }) => incidentId)).size
  const days = (lengthMs * covered) / DAY_MS
  const perWeek = days < 1 ? '' : `, ${((incidents * WEEK_DAYS) / days).toFixed(1)} a week`
  const openMs = openTime(events, until * MINUTE_MS)
  const kinds = Map.groupBy(firings, ({ ruleId }) => ruleId)
  const byKind = [...kinds].map(([kind, { length }]) => `${kind} ${length}`).toSorted()
  const week = from + (WEEK_DAYS * DAY_MS) / MINUTE_MS
  return [
    `${label}: ${minuteText(from)} to ${minuteText(until)} UTC, ${durationWords(lengthMs)}, of which ${percent(covered)} was read.`,
    `${counted(incidents, 'incident')}${perWeek}${openMs > 0 ? `, open for ${durationWords(openMs)}, ${percent(openMs / lengthMs)} of the time` : ''}.`,
    ...(byKind.length === 0 ? [] : [`Alerts by kind: ${byKind.join(', ')}.`]),
    `The week before is what is usual. It is known whole from ${minuteText(week)} UTC on.`,
  ]
}

/** From the first word about each incident to its end; what does not end is open until the end of all. */
function openTime(events: readonly BacktestEvent[], untilMs: number): number {
  const open = new Map<string, number>()
  let sumMs = 0
  for (const { atMs, event, incidentId } of events) {
    const sinceMs = open.get(incidentId)
    if (event === 'begin' && sinceMs === undefined) open.set(incidentId, atMs)
    if (event !== 'end' || sinceMs === undefined) continue
    sumMs += atMs - sinceMs
    open.delete(incidentId)
  }
  for (const sinceMs of open.values()) sumMs += Math.max(0, untilMs - sinceMs)
  return sumMs
}

function minuteText(minute: number): string {
  return instant(minute * MINUTE_MS).replace('T', ' ')
}

/** To the minute where it is a whole one, else to the second. */
function instant(atMs: number): string {
  const text = new Date(atMs).toISOString()
  return text.slice(0, Math.floor(atMs / 1_000) % 60 === 0 ? MINUTE_END : SECOND_END)
}
