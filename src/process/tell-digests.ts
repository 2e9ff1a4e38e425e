import { type ButtonTools, withButtons } from '../execution/requests/answer-buttons.ts'
import { alertsDigest, nextDigestAt } from '../operations/alerts/alerts-digest.ts'
import { type DigestContext, readDigest } from '../operations/history/digest-message.ts'
import { DAY_MS } from '../shared/durations.ts'
import type { DigestRecord } from '../store/schema/alert-records.ts'
import { PROGRAM } from '../store/schema/audit-entry.ts'
import { StoreError } from '../store/schema/store-error.ts'

/** What is later than this is left to the next one, which tells of that time, too. */
const MAX_LATE_MS = DAY_MS
/** Until the next weekly one. */
const BUTTON_MS = 7 * DAY_MS

/** Tells the digest that is due for longest, if one is. Throws StoreError: then it is due still. */
export async function tellDigests({
  context,
  ...tools
}: ButtonTools & { readonly context: () => Promise<DigestContext> }) {
  const running = await context()
  const { digests } = running.store
  // One a round: each may try limits on a week, and others want to be heard in between.
  const { now, digest } = await digests.firstDue()
  if (digest === undefined) return
  try {
    const told = await drawDigest(digest, now, { ...running, now }, tools)
    await digests.tell(digest, { nextAt: nextDigestAt(now, digest), ...told })
  } catch (error) {
    if (error instanceof StoreError) throw error
    tools.log.error({ err: error, channel: digest.channelId }, 'a digest could not be made: it is tried again tomorrow')
    await digests.tell(digest, { nextAt: new Date(now.getTime() + DAY_MS) })
  }
}

/** Nothing where it is too late or too early, or nothing is watched. Of several that were missed the last is told. */
async function drawDigest(digest: DigestRecord, now: Date, context: DigestContext, tools: ButtonTools) {
  const { channelId, toldUntil: from } = digest
  let until = digest.nextAt
  // By a clock that was ahead: what it said of the time before is not known any more.
  if (until > now) return { toldUntil: now }
  for (let next = nextDigestAt(until, digest); next <= now; next = nextDigestAt(until, digest)) until = next
  if (now.getTime() - until.getTime() > MAX_LATE_MS) return {}
  const answer = await readDigest(channelId, { from, until }, context)
  if (answer === undefined) return { toldUntil: until }
  const actor = { id: PROGRAM, team: PROGRAM, role: 'none', roleSource: '', groups: [], timeZone: 'UTC' } as const
  const expiresAt = new Date(now.getTime() + BUTTON_MS)
  const place = { invocation: { operation: alertsDigest, values: {} }, actor, channelId, expiresAt }
  return { toldUntil: until, message: await withButtons(answer, place, tools) }
}
