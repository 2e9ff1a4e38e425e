import type { ReadBack } from '../../alerts/read-back.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { pullSubject } from '../../alerts/rule-subjects.ts'
import { COLUMN } from '../../alerts/minute-series.ts'
import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import { StoreError } from '../../store/store-error.ts'
import type { AnswerButton } from '../answer.ts'
import type { ZoneReference } from '../field.ts'
import type { OperationContext } from '../operation.ts'
import { firstKnown, pastOf, type Replay, replay } from './replay.ts'

export interface Watched {
  readonly channelId: string
  /** Those that were not there before: what Undo takes back. */
  readonly added: readonly AlertRule[]
  /** Those that were on already, as they stand now. */
  readonly before: readonly AlertRule[]
  /** One for each zone, in the order in which they were named. */
  readonly pasts: readonly WatchedPast[]
}

export interface WatchedPast {
  readonly pullZone: ZoneReference
  readonly read: ReadBack
  readonly replays: readonly Replay[]
  readonly knownFrom?: number | undefined
  /** Whether lines carry status codes, without which nothing can be said of 5xx. */
  readonly coded: boolean
}

/** The rules are on whatever becomes of this, so what goes wrong here is told beside them. */
export async function lookBack(
  pullZone: ZoneReference,
  rules: readonly AlertRule[],
  context: OperationContext,
): Promise<WatchedPast> {
  if (context.signal.aborted) return { pullZone, read: unread('it took too long'), replays: [], coded: true }
  const read = await readBack(pullZone.id, context)
  try {
    return { pullZone, read, ...(await replayed(pullZone.id, rules, context)) }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const problems = [...read.problems, 'What would have been told is not known: the store did not answer.']
    return { pullZone, read: { ...read, problems }, replays: [], coded: true }
  }
}

async function replayed(
  pullZoneId: bigint,
  rules: readonly AlertRule[],
  context: OperationContext,
): Promise<Pick<WatchedPast, 'replays' | 'coded' | 'knownFrom'>> {
  const past = await pastOf(pullZoneId, new Date(context.now.getTime() - LOG_RETENTION_MS), context)
  const kinds = rules.flatMap(({ kind: name, subject, parameters }) => {
    const kind = subject === pullSubject(pullZoneId) ? alertKind(name) : undefined
    return kind?.subject === 'pull' && kind.name !== 'cannot-look' ? [[kind, parameters] as const] : []
  })
  const replays = await replay(kinds, pullZoneId, past, context)
  const { series, from, until } = past
  const all = series.total(COLUMN.lines, from, until)
  return { replays, coded: all === 0 || series.isCoded, knownFrom: firstKnown(past) }
}

async function readBack(pullZoneId: bigint, context: OperationContext): Promise<ReadBack> {
  const { alerts, signal } = context
  try {
    return await alerts.readBack(pullZoneId, { signal, progress: (said) => context.progress(said) })
  } catch (error) {
    if (!signal.aborted && !(error instanceof StoreError)) throw error
    return unread(signal.aborted ? 'it took too long' : 'they could not be kept')
  }
}

function unread(why: string): ReadBack {
  return { span: undefined, lines: 0, covered: 0, problems: [`The last days were not read: ${why}.`] }
}

export function undoWatch({ added }: Watched): readonly AnswerButton[] {
  if (added.length === 0) return []
  const values = { what: added.map(({ id }) => id).join(',') }
  return [{ kind: 'page', label: 'Undo', operation: 'alerts remove', values }]
}
