import type { ReadBack } from '../../alerts/alert-desk.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import { StoreError } from '../../store/store-error.ts'
import type { ZoneReference } from '../field.ts'
import type { OperationContext } from '../operation.ts'
import { zoneLabel } from '../zone-field.ts'
import type { Replay } from './replay.ts'
import { addRules, type WantedRule } from './rule-adding.ts'
import { accountSet, isManaged, isSameRule, type RuleKey, watchSet } from './watch-set.ts'

/** What watching a zone has brought about. */
export interface Watched {
  readonly channelId: string
  /** Those that were not there before: what Undo takes back. */
  readonly added: readonly AlertRule[]
  /** Those that were on already, as they stand now. */
  readonly before: readonly AlertRule[]
  readonly read: ReadBack
  readonly replays: readonly Replay[]
  /** Whether lines carry status codes, without which nothing can be said of 5xx. */
  readonly coded: boolean
}

/** Turns on what is not on yet. What is on already keeps its parameters, and is resumed if it was paused. */
export async function turnOn(
  pullZone: ZoneReference,
  channelId: string,
  mention: string | undefined,
  context: OperationContext,
): Promise<Pick<Watched, 'added' | 'before'>> {
  const existing = await context.store.alertRules.list()
  const keys = [...watchSet(pullZone.id, channelId, context.opsChannel), ...accountSet(channelId, existing)]
  const found = (key: RuleKey): AlertRule | undefined => existing.find((rule) => isSameRule(rule, key))
  const wanted = keys.flatMap((key): readonly WantedRule[] => {
    const rule = found(key)
    if (rule === undefined) return [{ ...key, mention }]
    const changes = rule.pausedWhy !== undefined || (mention !== undefined && mention !== rule.mention)
    return changes && !isManaged(rule)
      ? [{ ...key, parameters: rule.parameters, mention: mention ?? rule.mention }]
      : []
  })
  const summary = `Watch pull zone ${zoneLabel(pullZone)} in ${channelId}: ${wanted.map(({ kind }) => kind).join(', ')}`
  const { rules, added } = await addRules(wanted, existing, 'alerts watch', summary, context)
  const before = keys.flatMap((key) => {
    const rule = found(key)
    return rule === undefined ? [] : [rules.find((each) => isSameRule(each, key)) ?? rule]
  })
  return { added, before }
}

/** The rules are on whatever becomes of this, so what goes wrong here is told beside them. */
export async function readBack(pullZoneId: bigint, context: OperationContext): Promise<ReadBack> {
  const { alerts, signal } = context
  try {
    return await alerts.readBack(pullZoneId, { signal, progress: ({ sentence }) => context.progress(sentence) })
  } catch (error) {
    if (!signal.aborted && !(error instanceof StoreError)) throw error
    const why = signal.aborted ? 'it took too long' : 'they could not be kept'
    return {
      span: undefined,
      lines: 0,
      covered: 0,
      problems: [`The last days were not read: ${why}. What is usual is learnt as time goes on.`],
    }
  }
}
