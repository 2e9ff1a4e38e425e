import { type Environment, readPastSettings, SettingsError } from '../config/settings.ts'
import { visible } from '../shared/untrusted.ts'
import type { MarkRecord } from '../store/alert-records.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import { openPast, type PastReader } from '../store/store.ts'
import type { ToolSurroundings } from './audit-command.ts'
import { PastError } from './past-files.ts'

/** What is known of a zone. */
export interface ZonePast {
  readonly label: string
  readonly pullZoneId: bigint
  /** Ascending, at least one. */
  readonly minutes: readonly MinuteCounts[]
  readonly marks: readonly MarkRecord[]
}

/** What the store has of the pull zone that people know by a name or an id. Throws `PastError`, `SettingsError` or `StoreError`. */
export async function pastOfZone(
  name: string,
  url: string | undefined,
  { environment: { variables, readFile }, clock, log }: ToolSurroundings,
): Promise<ZonePast> {
  const chosen = url === undefined ? variables : { ...variables, STORE_URL: url, STORE_URL_FILE: undefined }
  const environment: Environment = { variables: chosen, readFile }
  const { STORE_URL, CONFIG_FILE } = readPastSettings(environment)
  const configured = CONFIG_FILE === undefined ? [] : await namesIn(CONFIG_FILE, readFile)
  const store = await openPast({ url: STORE_URL, clock, log })
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
  const { readConfigFile } = await import('../config/file.ts')
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

async function storedPast({ minutes, marks }: PastReader, pullZoneId: bigint, label: string): Promise<ZonePast> {
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
