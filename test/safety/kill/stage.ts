import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CdnEmulator, startCdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OPERATORS_GROUP } from '../../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { settingsFor, type Variables } from '../../support/bot-process.ts'
import type { Accepted, RequestFact } from './facts.ts'
import { NAME } from './facts.ts'
import { createStore, type StoreKind, type StoreUnderTest } from './store-under-test.ts'
import { type InsideFault, startVictim, type Victim } from './victim.ts'

const MAIN = new URL('../../../src/main.ts', import.meta.url).pathname
/** The shortest a lease may be, so that a dead process is given up soon. */
const LEASE_S = 2
/** Past the end of every lease that began before. */
export const LEASE_MS = LEASE_S * 1_000 + 300
export const DNS_ZONE = 201n

export interface StageOptions {
  readonly kind: StoreKind
  /** The bot's `main.ts`; the repository's own unless given. */
  readonly main?: string
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
  readonly start: (fault?: InsideFault, settings?: Variables) => Victim
  /** Names of records and libraries that the platform has, each as often as it is there. */
  readonly created: () => readonly string[]
  readonly close: () => Promise<void>
}

export async function openStage({ kind, main = MAIN }: StageOptions): Promise<KillStage> {
  const slack = await startSlackEmulator()
  const cdn = await startCdnEmulator({ clock })
  const store = await createStore(kind)
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-kill-stage-'))
  const configFile = join(folder, 'config.yaml')
  await writeFile(configFile, CONFIGURATION)
  const victims: Victim[] = []
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
    start(fault, settings = {}) {
      const variables = {
        ...settingsFor(slack, cdn, ''),
        ...store.settings,
        CHANGE_LEASE: String(LEASE_S),
        ...settings,
      }
      const victim = startVictim(main, variables, fault)
      victims.push(victim)
      return victim
    },
    created: () =>
      [...(cdn.world.dnsZone(DNS_ZONE)?.records ?? []), ...cdn.world.libraries]
        .map(({ name }) => NAME.exec(name)?.[0])
        .filter((name) => name !== undefined),
    async close() {
      for (const victim of victims) victim.kill('SIGKILL')
      await Promise.all(victims.map(({ ended }) => ended))
      await Promise.all([slack.close(), cdn.close()])
      await store.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A request whose body was never read carries no name; it counts all the same. */
function nameIn(body: unknown): string {
  return (
    NAME.exec(
      JSON.stringify(body, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '',
    )?.[0] ?? ''
  )
}
