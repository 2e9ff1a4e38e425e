import * as z from 'zod'
import { IncidentAlertShape } from './incident-doc.ts'
import { REPLY_KINDS, type ReplyBody, type WebhookBody } from './incident-reply.ts'
import { MAX_INCIDENT_ALERTS } from './incident.ts'

const Reply: z.ZodType<ReplyBody> = z.object({
  kind: z.enum(REPLY_KINDS),
  alert: IncidentAlertShape,
  mention: z.string().optional(),
  broadcast: z.boolean(),
})

const Webhook: z.ZodType<WebhookBody> = z.object({
  status: z.enum(['firing', 'resolved']),
  alerts: z.array(IncidentAlertShape).min(1).max(MAX_INCIDENT_ALERTS),
})

/** The body of a post that is a `reply`, as the store kept it. Throws `z.ZodError` for anything else: a bug. */
export function readReplyBody(body: unknown): ReplyBody {
  return Reply.parse(body)
}

/** The body of a post that is a `webhook`, as the store kept it. Throws `z.ZodError` for anything else: a bug. */
export function readWebhookBody(body: unknown): WebhookBody {
  return Webhook.parse(body)
}
