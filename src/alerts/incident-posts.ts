import type { NewAlertPost } from '../store/alert-records.ts'
import { type AlertChange, replyKindOf } from './incident-changes.ts'
import type { ReplyBody, ReplyKind, WebhookBody } from './incident-reply.ts'
import { STALE_POST_MS } from './incident.ts'

/** What happens at once is shown by one edit: changes that can wait do so for this long. */
const EDIT_WAIT_MS = 30_000

/** What was changed in an incident, as far as somebody has to be told. */
export interface Telling {
  readonly id: string
  readonly channelId: string
  readonly at: Date
  readonly now: Date
  readonly changes: readonly AlertChange[]
  /** Nobody has acknowledged it for too long. */
  readonly nag: Pick<AlertChange, 'alert' | 'mention'> | undefined
  /** There is no message about it yet. */
  readonly isNew: boolean
  /** It had ended and begins once more. */
  readonly again: boolean
  /** All of it has ended. */
  readonly ended: boolean
  /** It begins, or is worse than before. */
  readonly tells: boolean
  readonly webhook: boolean
}

/**
 * The posts about an incident that was changed: its one message is brought up to date, at once where it ends or becomes worse,
 * after the group wait where it begins, and otherwise when more may have come together. Replies tell what an edit would not
 * be noticed for; of what is older than half an hour there are none.
 */
export function postsOf(telling: Telling): readonly NewAlertPost[] {
  const { id, channelId, changes, now, ended, tells } = telling
  const waits = telling.isNew || telling.again
  const begins = changes.filter(({ what }) => what === 'begins' || what === 'flapping')
  const groupWaitMs = Math.min(...begins.map(({ waitMs }) => waitMs))
  const waitMs = waits && begins.length > 0 ? groupWaitMs : tells || ended ? 0 : EDIT_WAIT_MS
  const dueAt = new Date(now.getTime() + waitMs)
  const card: NewAlertPost = { incidentId: id, channelId, what: 'card', body: undefined, dueAt }
  const isLate = now.getTime() - telling.at.getTime() > STALE_POST_MS
  const bodies = isLate || telling.isNew ? [] : repliesOf(telling)
  const replies = bodies.map((body): NewAlertPost => ({
    incidentId: id,
    channelId,
    what: 'reply',
    body,
    dueAt: waits ? dueAt : now,
  }))
  return [card, ...replies, ...webhooksOf(telling)]
}

function repliesOf({ changes, nag, again, ended, tells }: Telling): readonly ReplyBody[] {
  const said = changes.filter(({ aloud }) => aloud)
  const replies = said.flatMap(({ what, alert, mention }): ReplyBody[] => {
    const kind = replyKindOf(what, again, !ended)
    const rings = what === 'worse' || ((what === 'begins' || what === 'flapping') && tells)
    const told = rings && mention !== undefined ? { mention } : {}
    return kind === undefined ? [] : [{ kind, alert, ...told, broadcast: rings || what === 'reminder' }]
  })
  const nagKind: ReplyKind = 'nobody acknowledged'
  if (nag === undefined) return replies
  const told = nag.mention === undefined ? {} : { mention: nag.mention }
  return [...replies, { kind: nagKind, alert: nag.alert, ...told, broadcast: true }]
}

/** The configured address hears of each alert that begins, becomes worse, or ends; of what is held back it hears the end alone. */
function webhooksOf({ id, channelId, changes, now, webhook }: Telling): readonly NewAlertPost[] {
  if (!webhook) return []
  const firing = changes.filter(
    ({ what, alert, aloud }) => aloud && alert.endedMs === undefined && BEGINNINGS.has(what),
  )
  const resolved = changes.filter(({ what }) => what === 'ends')
  const bodies: readonly WebhookBody[] = [
    { status: 'firing', alerts: firing.map(({ alert }) => alert) },
    { status: 'resolved', alerts: resolved.map(({ alert }) => alert) },
  ]
  return bodies
    .filter(({ alerts }) => alerts.length > 0)
    .map((body) => ({ incidentId: id, channelId, what: 'webhook', body, dueAt: now }))
}

const BEGINNINGS: ReadonlySet<AlertChange['what']> = new Set(['begins', 'flapping', 'worse', 'eased'])
