import { count } from '../../block-kit/amounts.ts'
import { UserError } from '../../shared/errors.ts'
import { type AlertRule, MAX_ALERT_RULES } from '../../store/alert-records.ts'
import type { AuditEntry, AuditEvent } from '../../store/audit-entry.ts'
import type { OperationContext } from '../operation.ts'
import { MAX_WATCHED_ZONES, type RuleKey, watchedZones } from './watch-set.ts'

type Adding = Pick<OperationContext, 'store' | 'actor' | 'now' | 'once' | 'command' | 'newId'>

/** Rules as they are asked for: what tells them apart, and what is set on them. */
export type WantedRule = RuleKey & Pick<AlertRule, 'parameters' | 'mention' | 'runbook'>

/** What became of rules that were asked for. */
export interface AddedRules {
  /** All of them, as they stand now. */
  readonly rules: readonly AlertRule[]
  /** Those that were not there before. */
  readonly added: readonly AlertRule[]
}

/**
 * Turns rules on, together with the entry in the record. Throws UserError `busy` where there is no room for them, and
 * then none is on.
 */
export async function addRules(
  wanted: readonly WantedRule[],
  existing: readonly AlertRule[],
  operation: string,
  summary: string,
  context: Adding,
): Promise<AddedRules> {
  if (wanted.length === 0) return { rules: [], added: [] }
  const { store, actor, now, once, newId, command } = context
  const zones = watchedZones([...existing, ...wanted])
  const known = watchedZones(existing).length
  if (zones.length > MAX_WATCHED_ZONES && zones.length > known) {
    throw new UserError(
      'busy',
      `${known} pull zones are watched already. With these it would be ${zones.length}, and CDN Ops reads at most ${MAX_WATCHED_ZONES} every minute. Nothing was turned on.`,
      `Name fewer, or take some off first: ${command} alerts remove …`,
    )
  }
  const rules = wanted.map((rule): AlertRule => ({ ...rule, id: newId(), createdBy: actor.id, createdAt: now }))
  const ids = new Set(rules.map(({ id }) => id))
  const stored = await store.alertRules.add(rules, () => alertEntry('alert_added', operation, summary, context), once)
  if (stored === 'full') {
    throw new UserError(
      'busy',
      `There are ${count(MAX_ALERT_RULES)} alert rules already, and no room for more. Nothing was turned on.`,
      `Take some off first: ${command} alerts list --all shows them.`,
    )
  }
  return { rules: stored, added: stored.filter(({ id }) => ids.has(id)) }
}

/** An entry for what a person did about alerts. */
export function alertEntry(
  event: AuditEvent,
  operation: string,
  summary: string,
  { actor, now }: Pick<OperationContext, 'actor' | 'now'>,
): AuditEntry {
  return { at: now, actor: actor.id, team: actor.team, operation, event, summary }
}
