import type { NewNotice } from '../../src/store/outbox/outbox.ts'
import type { Store } from '../../src/store/store.ts'

/** Puts notices into the outbox with nothing on record. */
export async function putNotice(store: Store, notice: NewNotice): Promise<void> {
  await store.remembered.set('a test', 1, { now: new Date(0), notices: [notice] })
}

/** Takes all notices that wait, and are due, out of the outbox. */
export async function takeNotices(store: Store): Promise<readonly NewNotice[]> {
  const notices: NewNotice[] = []
  for (;;) {
    const claimed = await store.outbox.claim(100)
    if (claimed.length === 0) return notices
    for (const message of claimed.filter(({ what }) => what === 'notice')) {
      notices.push({ id: message.id, recipient: message.channelId, message: message.body })
      await store.outbox.delivered(message)
    }
  }
}
