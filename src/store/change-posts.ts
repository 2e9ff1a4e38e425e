import { CHANGE_STATES, type Change, isFinal } from './change.ts'
import type { Database } from './database.ts'

/** What a message about a change shows, and where the message is; no place where nobody takes a message about it. */
export interface ShownAt {
  readonly revision: number
  readonly channel?: string | undefined
  readonly ts?: string | undefined
}

/** Longer than it may take to post: one place after the other, and Slack has ten seconds to answer. */
const POSTING_MS = 45_000

/** See `Changes.shown`. */
export async function noteShown(database: Database, id: string, { revision, channel, ts }: ShownAt): Promise<void> {
  await database.write((rows) =>
    rows
      .updateTable('changes')
      .set((eb) => ({
        shownRevision: revision,
        announcingUntil: null,
        ...(channel !== undefined && ts !== undefined && { messageChannel: channel, messageTs: ts }),
        answer: eb
          .case()
          .when(eb.and([eb('revision', '=', revision), eb('state', 'in', CHANGE_STATES.filter(isFinal))]))
          .then(null)
          .else(eb.ref('answer'))
          .end(),
      }))
      .where('id', '=', id)
      .where('shownRevision', '<=', revision)
      .execute(),
  )
}

/** See `Changes.claimPost`. */
export async function claimPost(
  database: Database,
  id: string,
  { messageTs }: Pick<Change, 'messageTs'>,
): Promise<(() => Promise<void>) | undefined> {
  const { engine } = database
  // A process that has the file has it alone, and does one thing after the other for each change.
  if (engine.name === 'sqlite') return async () => undefined
  const until = await database.write(async (rows) => {
    const now = await engine.nowMs(rows)
    const row = await rows
      .updateTable('changes')
      .set({ announcingUntil: now + POSTING_MS })
      .where('id', '=', id)
      .where('messageTs', 'is not distinct from', messageTs ?? null)
      .where((eb) => eb.or([eb('announcingUntil', 'is', null), eb('announcingUntil', '<=', now)]))
      .returning('announcingUntil')
      .executeTakeFirst()
    return row?.announcingUntil ?? undefined
  })
  if (until === undefined) return undefined
  return async () => {
    await database.write((rows) =>
      rows
        .updateTable('changes')
        .set({ announcingUntil: null })
        .where('id', '=', id)
        .where('announcingUntil', '=', until)
        .execute(),
    )
  }
}
