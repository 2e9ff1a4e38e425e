import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { bytes } from '../../block-kit/amounts.ts'
import { MAX_REPLICAS } from '../../store/replicas.ts'
import { StoreError, type StoreErrorKind } from '../../store/schema/store-error.ts'
import { storeFile } from '../../store/store.ts'
import { SKEW_MS, type TimeSource } from '../clock-watch.ts'
import { broken, type Check, type Look, minor, named, type Patient, sound, unknown } from './check.ts'

/** As package.json has it; a test compares the two. */
export const LEAST_NODE = '24.11.0'

async function lookAtNode({ nodeVersion }: Patient): Promise<Look> {
  if (nodeVersion.localeCompare(LEAST_NODE, 'en', { numeric: true }) >= 0) return sound(nodeVersion)
  const happened = `Node is ${nodeVersion}, and CDN Ops is made for ${LEAST_NODE} and later, so it may fail at any place.`
  return broken('node', happened, 'Install a later one, or use the container.')
}

async function lookAtConfiguration({ settings, configuration }: Patient): Promise<Look> {
  if (settings.CONFIG_FILE === undefined) return sound('settings are right; there is no configuration file')
  const [problem] = configuration.problems()
  if (problem === undefined) return sound('settings and configuration file are right')
  const happened = `The configuration file cannot be used as it is now, so what was read before is in force: ${problem}`
  return broken('configuration', happened, 'Correct it, then send SIGHUP.')
}

async function lookAtStore({ store, settings }: Patient): Promise<Look> {
  if (typeof store === 'string') return unknown(store)
  try {
    if (store instanceof Error) throw store
    await store.prove()
    if (!(await store.keepsCommits()))
      return minor(
        'store:commits',
        'PostgreSQL may lose what it has committed when it crashes (fsync or synchronous_commit is off): a write could then be sent twice.',
        'Turn both on for the database of CDN Ops.',
      )
    return sound(
      `${storeFile(settings.STORE_URL) === undefined ? 'PostgreSQL' : 'SQLite'}, its tables are right, and it takes writes`,
    )
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // Where it says what to do, that is its second sentence.
    const [what = '', next] = error.message.split(/\.(?: |$)/)
    const happened = `${what}, so nothing can be recorded: writes and key reads are refused.`
    return broken(`store:${error.kind}`, happened, next ? `${next}.` : REMEDIES[error.kind])
  }
}

const REMEDIES: Readonly<Record<StoreErrorKind, string>> = {
  locked: 'End what holds it, such as a backup.',
  busy: 'Look again in a minute.',
  full: 'Make room on its disk.',
  read_only: 'Give CDN Ops the right to write to it, and to its folder.',
  corrupt: 'Restore it from a backup.',
  in_use: 'End the other process, or name another store in STORE_URL.',
  unreachable: 'See to the disk or the database server, and to STORE_URL.',
  unanswered: 'See to the database server.',
  other: 'See to STORE_URL, AUDIT_KEY and the log.',
}

async function lookAtReplicas({ settings, standing }: Patient): Promise<Look> {
  if (storeFile(settings.STORE_URL) !== undefined) return sound('one process has the store for itself')
  const { holder, since, replicas = [] } = standing?.() ?? {}
  if (since === undefined) return unknown('no bot runs here that shares the store')
  const working = replicas.find(({ id }) => id === holder)
  const others = replicas.filter((each) => each !== working)
  const odd = others.filter(({ configuration }) => configuration !== working?.configuration)
  const names = (of: typeof odd): string => named(of.map(({ name, version }) => `${name} (${version})`))
  const isTooMany = settings.SLACK_APP_TOKEN !== undefined && replicas.length > MAX_REPLICAS
  if (working === undefined)
    return broken(
      'replicas:nobody',
      'No replica works in the background, so nothing is watched.',
      'Look again in a minute.',
    )
  if (odd.length > 0)
    return broken(
      `replicas:configuration:${odd.map(({ name }) => name).join(' ')}`,
      `${names(odd)} ${odd.length === 1 ? 'runs' : 'run'} with another configuration than ${working.name}, so CDN Ops only reads there.`,
      'Give all the same settings and configuration file.',
    )
  if (isTooMany)
    return minor(
      'replicas:many',
      `${replicas.length} replicas are linked to Slack, which takes the links of ${MAX_REPLICAS}.`,
      `Stop ${replicas.length - MAX_REPLICAS}.`,
    )
  const beside = others.length === 0 ? 'alone' : `${names(others)} on standby`
  return sound(`${names([working])} works since ${since.toISOString()}, ${beside}`)
}

/** Weeks of a busy bot. */
const LEAST_FREE_BYTES = 100_000_000n

async function lookAtSpace({ settings }: Patient): Promise<Look> {
  const file = storeFile(settings.STORE_URL)
  if (file === undefined) return sound('the database server’s own')
  let folder = dirname(resolve(file))
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder, { bigint: true })
  const free = bavail * bsize
  if (free >= LEAST_FREE_BYTES) return sound(`${bytes(free)} free`)
  const happened = `The disk of the store has ${bytes(free)} free; when it is full, writes are refused.`
  return minor('space', happened, `Make room: at least ${bytes(LEAST_FREE_BYTES)}.`)
}

const SOURCES: Readonly<Record<TimeSource, string>> = { slack: 'Slack', platform: 'the CDN', database: 'the database' }

/** The last of all: it goes by what the answers to the others said. */
async function lookAtClock({ secondsAhead }: Patient): Promise<Look> {
  const known = [...secondsAhead]
  if (known.length === 0) return unknown('nobody who answered said what time it is')
  const wrong = known.filter(([, seconds]) => Math.abs(seconds) * 1_000 > SKEW_MS)
  const names = (of: typeof known): string => of.map(([source]) => SOURCES[source]).join(' and ')
  const [first] = wrong
  if (first === undefined) return sound(`as that of ${names(known)}`)
  const seconds = Math.round(first[1])
  const happened = `This machine’s clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${names(wrong)}, so alerts look at the wrong minutes and people read wrong times.`
  return broken(`clock:${seconds > 0 ? 'ahead' : 'behind'}`, happened, 'Have both set by NTP.')
}

export const PROCESS_CHECKS: readonly Check[] = [
  { name: 'Node', look: lookAtNode },
  { name: 'configuration', look: lookAtConfiguration },
]
export const STORE_CHECKS: readonly Check[] = [
  { name: 'store', ofBot: true, look: lookAtStore },
  { name: 'replicas', ofBot: true, look: lookAtReplicas },
  { name: 'space', look: lookAtSpace },
]
export const CLOCK_CHECK: Check = { name: 'clock', look: lookAtClock }
