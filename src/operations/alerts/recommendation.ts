import { type Parameters, withGiven } from '../../alerts/kinds/alert-kind.ts'
import type { IncidentAlert } from '../../alerts/state/incident.ts'
import { md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { turnOfTheLoop } from '../../shared/clock.ts'
import { WEEK_MINUTES } from '../../shared/durations.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { type KnownPast, type Replay, replay, timesWords } from './replay.ts'

/** Each plays the whole past through; by then the limit is known well enough. */
const MAX_TRIES = 8

/**
 * The limit of a warning nearest to the one there is, in two digits, that would have fired at most once a week of the known
 * past, and at all that was bad. Undefined where it fires no more often as it is, or where no limit does that.
 */
export async function recommendThreshold(
  { kind, firings }: Replay,
  of: { readonly parameters: Parameters; readonly pullZoneId: bigint; readonly past: KnownPast },
  context: Pick<OperationContext, 'store' | 'now'>,
) {
  const { parameters, pullZoneId, past } = of
  const most = Math.max(1, Math.floor((past.until - past.from) / WEEK_MINUTES))
  const critical = firings.filter(({ severity }) => severity === 'critical')
  const bad = critical.length > 0 ? critical : firings.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 1)
  const [warning, severe] = ['warning', 'critical'].map((name) => kind.parameters.find((each) => each.name === name))
  if (warning === undefined || firings.length <= most || bad.length > most) return undefined
  // What warns when little comes is stricter the lower it is.
  const isFalling = severe !== undefined && severe.default < warning.default
  const farEnd = isFalling ? Math.max(warning.min, 1) : warning.max
  let [often, seldom] = [parameters['warning'] ?? warning.default, farEnd]
  const kept = critical.length > 0 ? 'What was critical is still told.' : 'The longest is still told.'
  // `words`: how often it would have fired, how often it did, and what it still tells.
  let found: Readonly<{ parameters: Parameters; limit: string; words: Mrkdwn }> | undefined
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const limit = Number(Math.sqrt(often * seldom).toPrecision(2))
    if (limit === often || limit === seldom) break
    const tried = withGiven(kind, parameters, { warning: limit })
    const [again] = await replay([[kind, tried]], pullZoneId, past, context)
    const told = again?.firings ?? []
    if (told.length > most) {
      often = limit
    } else {
      seldom = limit
      const isBadTold = bad.every((each) => told.some((other) => overlap(each, other)))
      const shown = `${limit} ${warning.unit}`
      const words = md`*${shown} would have fired ${timesWords(told.length)}* instead of ${timesWords(firings.length)}. ${kept}`
      if (isBadTold) found = { parameters: tried, limit: shown, words }
    }
    await turnOfTheLoop()
  }
  return found
}

function lengthOf({ firedMs, endedMs = Number.POSITIVE_INFINITY }: IncidentAlert): number {
  return endedMs - firedMs
}

function overlap(one: IncidentAlert, other: IncidentAlert): boolean {
  const [ended, otherEnded] = [one.endedMs ?? Number.POSITIVE_INFINITY, other.endedMs ?? Number.POSITIVE_INFINITY]
  return one.firedMs <= otherEnded && other.firedMs <= ended
}
