import type { Checked, Doctor, Finding } from '../../operations/declaration/examination.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { Log } from '../../shared/log.ts'
import { type Fetch, WebApi } from '../../slack/out/web-api.ts'
import { channelDirectory } from '../../slack/people/channel-directory.ts'
import { askIdentity, type Identity } from '../../slack/people/identity.ts'
import { NODE_VERSION } from '../exit.ts'
import { CDN_KEY_CHECK, LOG_CHECK } from './cdn-checks.ts'
import type { Check, Patient } from './check.ts'
import { CLOCK_CHECK, PROCESS_CHECKS, STORE_CHECKS } from './own-checks.ts'
import { SLACK_CHECKS } from './slack-checks.ts'
import * as z from 'zod'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, md } from '../../block-kit/mrkdwn.ts'
import { findingLines } from '../../operations/help/doctor.ts'
import type { Clock } from '../../shared/clock.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import type { Store } from '../../store/store.ts'

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

/** Looks over clients of its own: what Slack wants fewer calls of delays nobody else. */
export function createDoctor(options: DoctorOptions) {
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
    /** All but what has to be on record before it is looked at. */
    examineUnrecorded: among(CHECKS.filter((check) => check !== CDN_KEY_CHECK)),
    /** The checks that only this process can make, as within the last minute. */
    examineStore: () => {
      const known = recent.get('last')
      if (known !== undefined) return known
      const looked = ofBot(new AbortController().signal)
      recent.set('last', looked)
      return looked
    },
  }
}

function toPatient(options: DoctorOptions, signal: AbortSignal): Patient {
  const { settings, fetch, log, nodeVersion = NODE_VERSION } = options
  const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_TEAM_ID: team } = settings
  const slack = new WebApi({ apiUrl, token, fetch, log })
  let identity: Promise<Identity> | undefined
  return {
    ...options,
    nodeVersion,
    slack,
    slackApp: appToken && new WebApi({ apiUrl, token: appToken, fetch, log }),
    channels: channelDirectory(slack, log),
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

/** A bot that has just started has more urgent things to do, and may not ask for logs in its first ten seconds. */
const AFTER_MS = 30_000
const REMEMBERED = 'findings'

interface PreflightOptions {
  readonly doctor: ReturnType<typeof createDoctor>
  readonly store: Pick<Store, 'audit' | 'remembered'>
  readonly clock: Clock
  readonly log: Log
  readonly opsChannel: string | undefined
  readonly team: () => string | undefined
  readonly command: string
}

/** Tells what stops something, in the log and in the operations channel: once for each cause, however often the bot starts. */
export async function preflight(options: PreflightOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, store, doctor } = options
  try {
    await clock.sleep(AFTER_MS, signal)
    const isRecorded = await record(options)
    const checked = await (isRecorded ? doctor.examine(signal) : doctor.examineUnrecorded(signal))
    const stops = checked.flatMap(({ findings }) => findings).filter((finding) => finding.stops)
    const before = await store.remembered.get(REMEMBERED).catch(() => undefined)
    const known = z.array(z.string()).catch([]).parse(before?.value)
    const fresh = stops.filter(({ cause }) => !known.includes(cause))
    for (const { cause, happened, remedy } of fresh)
      log.error({ cause, happened, remedy }, 'something in how CDN Ops is set up stops something')
    const notices = noticesOf(fresh, options)
    // What was not looked at this time may be wrong still; what the channel was not told is told at another start.
    const isSure = checked.every(({ isUnknown }) => !isUnknown)
    const still = known.filter((cause) => !isSure || stops.some((finding) => finding.cause === cause))
    const causes = [...still, ...(notices.length === 0 ? [] : fresh.map(({ cause }) => cause))]
    if (notices.length === 0 && causes.length === known.length) return
    // Of two processes, one says it.
    const unlessSince = before?.at ?? new Date(0)
    await store.remembered.set(REMEMBERED, causes, { now: clock.now(), notices, unlessSince })
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'how CDN Ops is set up could not be checked, or not be told')
  }
}

/** False where it could not be put on record that the roles of keys are read. */
async function record({ store, clock, team }: PreflightOptions): Promise<boolean> {
  const summary = 'Check how CDN Ops is set up, the roles of its API key included'
  const entry = {
    at: clock.now(),
    actor: PROGRAM,
    team: team() ?? '',
    operation: 'doctor',
    event: 'read',
    summary,
  } as const
  return store.audit.append(entry).then(
    () => true,
    () => false,
  )
}

/** Nothing where it could not be seen. */
function noticesOf(fresh: readonly Finding[], { opsChannel, command }: PreflightOptions) {
  const isClosed = fresh.some(({ cause }) => cause.startsWith('ops-channel:'))
  if (fresh.length === 0 || opsChannel === undefined || isClosed) return []
  const told = wordsMessage([md`:warning: *CDN Ops has started, and something does not work:*`], {
    list: findingLines(fresh),
    small: [md`${code(`${command} doctor`)} looks again.`],
  })
  return [{ recipient: opsChannel, message: told }]
}
