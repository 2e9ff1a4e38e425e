import * as z from 'zod'
import type { AlertPost, DeadAlertPost } from './alert-records.ts'
import type { AlertPostsTable, DeadAlertPostsTable } from './alert-tables.ts'
import { Instant, Json, optional, readRow } from './rows.ts'

/** Throws `StoreError` when the row is not what this program writes. */
export function toPost(row: AlertPostsTable): AlertPost {
  return readRow('alert_posts', StoredPost, row)
}

/** Throws `StoreError` when the row is not what this program writes. */
export function toDeadPost(row: DeadAlertPostsTable): DeadAlertPost {
  return readRow('dead_alert_posts', StoredDeadPost, row)
}

const StoredPost = z.object({
  id: z.string(),
  incidentId: z.string(),
  channelId: z.string(),
  what: z.enum(['card', 'reply', 'webhook']),
  body: optional(Json),
  createdAt: Instant,
  dueAt: Instant,
  attempts: z.int(),
})

const StoredDeadPost = StoredPost.extend({ deadAt: Instant, reason: z.string() })
