import * as z from 'zod'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, md } from '../../block-kit/mrkdwn.ts'
import { findingLines } from '../../operations/help/doctor.ts'
import type { Finding } from '../../operations/declaration/examination.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import type { Store } from '../../store/store.ts'
import type { Examiner } from './doctor.ts'

/** A bot that has just started has more urgent things to do, and may not ask for logs in its first ten seconds. */
const AFTER_MS = 30_000
const REMEMBERED = 'findings'
const Causes = z.array(z.string()).catch([])

export interface PreflightOptions {
  readonly doctor: Examiner
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
    const known = Causes.parse(before?.value)
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
