import * as z from 'zod'
import { channelId, groupId, listOf, strict, zoneId } from './config-file-parts.ts'

/** Each may stand for several rules. */
const MAX_ALERT_RULES_WRITTEN = 1_000

/** One entry of the list of alert rules: a zone to watch, or one kind with its parameters. */
const AlertRuleShape = strict({
  watch: zoneId.optional(),
  kind: z.string().optional(),
  zone: zoneId.optional(),
  storageZone: z.union([z.literal('all'), zoneId], 'is neither the id of a storage zone nor all').optional(),
  channel: channelId,
  parameters: z.record(z.string(), z.number('is not a number')).optional(),
  mention: groupId.optional(),
})
export type AlertRuleShape = Readonly<z.output<typeof AlertRuleShape>>

/** Alerts as the file asks for them: rules that no command changes, shared channels in which there may be any, who acknowledges. */
export const AlertsShape = strict({
  sharedChannels: listOf(channelId).default([]),
  acknowledge: z.enum(['viewer', 'operator']).default('operator'),
  rules: z
    .array(AlertRuleShape)
    .max(MAX_ALERT_RULES_WRITTEN, `has more than ${MAX_ALERT_RULES_WRITTEN} rules`)
    .default([]),
})
export type AlertsShape = Readonly<z.output<typeof AlertsShape>>

const LooseAlerts = z.object({ rules: z.array(AlertRuleShape.optional().catch(undefined)).catch([]) })

/** The rules whose form is right, each where it stands, whatever is wrong with the others. */
export function shapedAlertRules(alerts: unknown): readonly (AlertRuleShape | undefined)[] {
  return LooseAlerts.catch({ rules: [] }).parse(alerts).rules.slice(0, MAX_ALERT_RULES_WRITTEN)
}
