import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import type { SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OLGA, OPERATORS_GROUP, OPS } from '../../../src/playground/slack/state/seed.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../src/shared/durations.ts'
import { type BotProcess, openBotStage, type ProcessOptions, type Variables } from '../../support/bot.ts'
import { eventually } from '../../support/eventually.ts'
import { type Accepted, NAME, type RequestFact } from './facts.ts'
import { createStore, type StoreKind, type StoreUnderTest } from './store-under-test.ts'

const FAULT_POINTS = new URL('fault-points.ts', import.meta.url).href
/** The shortest a lease may be, so that a dead process is given up soon. */
const LEASE_S = 2
/** Past the end of every lease that began before. */
export const LEASE_MS = LEASE_S * 1_000 + 300
export const DNS_ZONE = 201n
const FAILING_ZONE = 301n
/** Its log has to be read back, and to be known to come in time. */
const INCIDENT_WITHIN_MS = 120_000

/** Where the process itself stops, seen from inside: at the n-th commit of a transaction that writes this. */
export interface InsideFault {
  readonly tag: string
  readonly side: 'before' | 'after'
  readonly nth?: number
  readonly signal?: 'SIGKILL' | 'SIGSTOP'
}

/** Lets operators go without approval, with a reason. */
const CONFIGURATION = `breakGlass: { groups: [${OPERATORS_GROUP}] }\n`

/** A workspace, a platform and a store that outlive the bots which are started, and killed, between them. */
export interface KillStage {
  readonly slack: SlackEmulator
  readonly cdn: CdnEmulator
  readonly store: StoreUnderTest
  /** Writes as they reached the platform. */
  readonly requests: readonly RequestFact[]
  /** Clicks whose answer said that they counted; people add to it. */
  readonly accepted: Accepted[]
  /** Path of a configuration file that bots may be started with. */
  readonly configFile: string
  /** Starts the real bot, made to be killed, with the fault armed if there is one. */
  readonly start: (fault?: InsideFault, settings?: Variables, options?: ProcessOptions) => BotProcess
  /** Names of records and libraries that the platform has, each as often as it is there. */
  readonly created: () => readonly string[]
  readonly close: () => Promise<void>
}

export async function openStage(kind: StoreKind, server?: string): Promise<KillStage> {
  const bots = await openBotStage()
  const { slack, cdn } = bots
  const store = await createStore(kind, server)
  const configFile = join(bots.folder, 'config.yaml')
  await writeFile(configFile, CONFIGURATION)
  return {
    slack,
    cdn,
    store,
    configFile,
    accepted: [],
    get requests() {
      return cdn.requests
        .filter(({ endpoint }) => endpoint === 'addDnsRecord' || endpoint === 'createVideoLibrary')
        .map(({ body, at }) => ({ name: nameIn(body), atMs: at.getTime() }))
    },
    start(fault, settings = {}, options = {}) {
      const usual = { ...bots.settings, ...store.settings, CHANGE_LEASE: String(LEASE_S) }
      return bots.start({ ...usual, ...settings, ...(fault && armed(fault)) }, { ...options, preload: FAULT_POINTS })
    },
    created: () =>
      [...(cdn.world.dnsZone(DNS_ZONE)?.records ?? []), ...cdn.world.libraries]
        .map(({ name }) => NAME.exec(name)?.[0])
        .filter((name) => name !== undefined),
    async close() {
      await bots.close()
      await store.drop()
    },
  }
}

/** A bot watches a zone whose origin fails, until an alert says so; then it is killed. */
export async function beginIncident({ slack, cdn, store, start }: KillStage): Promise<void> {
  const now = systemClock.now().getTime()
  cdn.world.addIncident({
    pullZoneId: FAILING_ZONE,
    kind: 'origin outage',
    fromMs: now - HOUR_MS / 3,
    untilMs: now + DAY_MS,
  })
  const bot = start()
  await bot.linked
  await slack.person(OLGA).command(OPS, `/cdn alerts watch ${FAILING_ZONE}`)
  const isTold = async () =>
    (await store.rows('select message_ts from incidents')).some((row) => row['message_ts'] !== null)
  if ((await eventually(isTold, INCIDENT_WITHIN_MS)) === undefined) throw new Error('No alert was told')
  bot.kill('SIGKILL')
  await bot.ended
}

/** Whether the fault inside has struck. */
export function hasStruck(bot: BotProcess): boolean {
  return bot.errors().includes('fault point reached')
}

function armed({ tag, side, nth = 1, signal = 'SIGKILL' }: InsideFault): Variables {
  return { FAULT_POINT: `${tag}:${side}`, FAULT_NTH: String(nth), FAULT_SIGNAL: signal }
}

/** A request whose body was never read carries no name; it counts all the same. */
function nameIn(body: unknown): string {
  return (
    NAME.exec(
      JSON.stringify(body, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '',
    )?.[0] ?? ''
  )
}
