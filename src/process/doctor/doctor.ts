import type { Checked, Doctor } from '../../operations/declaration/examination.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { Log } from '../../shared/log.ts'
import { type Fetch, WebApi } from '../../slack/out/web-api.ts'
import { ChannelDirectory } from '../../slack/people/channel-directory.ts'
import { askIdentity, type Identity } from '../../slack/people/identity.ts'
import { NODE_VERSION } from '../exit.ts'
import { CDN_KEY_CHECK, LOG_CHECK } from './cdn-checks.ts'
import type { Check, Patient } from './check.ts'
import { CLOCK_CHECK, PROCESS_CHECKS, STORE_CHECKS } from './own-checks.ts'
import { SLACK_CHECKS } from './slack-checks.ts'

/** All there is to look at, in the order in which it is. */
const CHECKS: readonly Check[] = [
  ...PROCESS_CHECKS,
  ...SLACK_CHECKS,
  CDN_KEY_CHECK,
  ...STORE_CHECKS,
  LOG_CHECK,
  CLOCK_CHECK,
]

export interface DoctorOptions extends Pick<
  Patient,
  'settings' | 'configuration' | 'clock' | 'cdn' | 'store' | 'secondsAhead' | 'standing' | 'blockRefusals'
> {
  readonly fetch: Fetch
  readonly log: Log
  readonly nodeVersion?: string | undefined
  /** What another process says of the checks that only it can make. */
  readonly elsewhere?: readonly Checked[] | undefined
}

export interface Examiner extends Doctor {
  /** The checks that only this process can make, as within the last minute. */
  readonly examineStore: () => Promise<readonly Checked[]>
  /** All but what has to be on record before it is looked at. */
  readonly examineUnrecorded: Doctor['examine']
}

/** Looks over clients of its own: what Slack wants fewer calls of delays nobody else. */
export function createDoctor(options: DoctorOptions): Examiner {
  const among =
    (checks: readonly Check[]): Doctor['examine'] =>
    async (signal, onCheck) => {
      const patient = toPatient(options, signal)
      const all: Checked[] = []
      for (const { name, ofBot, look } of checks) {
        signal.throwIfAborted()
        onCheck?.(name)
        const told = ofBot === true ? options.elsewhere?.find(({ check }) => check === name) : undefined
        all.push(told ?? { check: name, ...(await look(patient).catch(failed(options.log, name, signal))) })
      }
      return all
    }
  const ofBot = among(CHECKS.filter((check) => check.ofBot))
  const recent = new TtlMap<Promise<readonly Checked[]>>(options.clock, { lifeMs: MINUTE_MS, most: 1 })
  return {
    examine: among(CHECKS),
    examineUnrecorded: among(CHECKS.filter((check) => check !== CDN_KEY_CHECK)),
    examineStore() {
      const known = recent.get(LAST)
      if (known !== undefined) return known
      const looked = ofBot(new AbortController().signal)
      recent.set(LAST, looked)
      return looked
    },
  }
}

const LAST = 'last'

function toPatient(options: DoctorOptions, signal: AbortSignal): Patient {
  const { settings, fetch, clock, log, nodeVersion = NODE_VERSION } = options
  const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_TEAM_ID: team } = settings
  const slack = new WebApi({ apiUrl, token, fetch, log })
  let identity: Promise<Identity> | undefined
  return {
    ...options,
    nodeVersion,
    slack,
    slackApp: appToken && new WebApi({ apiUrl, token: appToken, fetch, log }),
    channels: new ChannelDirectory({ api: slack, clock, log }),
    get identity() {
      identity ??= askIdentity(slack, team)
      return identity
    },
    signal,
  }
}

/** A mistake in one check is no reason not to make the others. */
function failed(log: Log, check: string, signal: AbortSignal) {
  return (error: unknown) => {
    signal.throwIfAborted()
    log.error({ err: error, check }, 'a check of the set-up failed')
    return { seen: 'the check itself failed: the log says more', isUnknown: true, findings: [] }
  }
}
