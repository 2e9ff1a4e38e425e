import { PROGRAM } from '../../store/schema/audit-entry.ts'
import type { Change } from '../../store/schema/change.ts'
import type { ApprovalService } from './approvals.ts'
import { changeEntry } from '../messages/audit-text.ts'
import type { ChangeAnnouncer } from './change-announcer.ts'
import { createEndNotice, maskEndedValues, unknownNotices, whatToLookFor } from './change-ending.ts'
import { endedMessage } from '../messages/error-messages.ts'
import type { ChangeSender } from './change-sender.ts'
import type { WithInputs, Parts } from '../requests/parts.ts'

/** Somebody may still be taking back a confirmation that Slack did not hear of in time. */
const SETTLED_AFTER_MS = 10_000
const MAX_IN_A_ROUND = 100

type ReconcilerParts = WithInputs & {
  readonly approvals: ApprovalService
  readonly sender: ChangeSender
  readonly announcer: ChangeAnnouncer
}

/**
 * Takes changes on that nobody is at any more: after a crash, an outage, or when time or a role has ended. Called now and
 * then; each step is safe to repeat and to interrupt.
 */
export class ChangeReconciler {
  readonly #options: ReconcilerParts

  constructor(options: ReconcilerParts) {
    this.#options = options
  }

  /**
   * One round, until the bot stops. Never throws: a step that fails is logged, and the next round tries it again.
   */
  async reconcile(stopping?: AbortSignal): Promise<void> {
    const { holder, announcer } = this.#options
    await this.#step('recover what was being sent', () => recoverUnknown(this.#options, holder), stopping)
    await this.#step('expire what waited too long', () => expireUnsent(this.#options), stopping)
    await this.#step('look at what waits', () => this.#waiting(stopping), stopping)
    await this.#step('send what was approved', () => this.#approved(stopping), stopping)
    await this.#step('bring messages up to date', () => announcer.announceAll(stopping), stopping)
    await this.#step(
      'look at what messages say of approvals',
      async () => announcer.lookAgain(await this.#in('waiting')),
      stopping,
    )
  }

  /** A person who lost their role has their requests cancelled; approvals that came before a crash count. */
  async #waiting(stopping: AbortSignal | undefined): Promise<void> {
    const { approvals } = this.#options
    for (const change of await this.#in('waiting')) {
      if (stopping?.aborted === true) return
      await this.#step('look at a change that waits', async () => {
        const approved = await approvals.meetQuorum(change, { fresh: false })
        if (approved !== undefined) await this.#options.sender.send(approved)
      })
    }
  }

  /** What was confirmed or approved is sent, once, unless its time is over or somebody may not any more. */
  async #approved(stopping: AbortSignal | undefined): Promise<void> {
    const { clock, sender } = this.#options
    const before = clock.now().getTime() - SETTLED_AFTER_MS
    for (const change of await this.#in('approved')) {
      if (stopping?.aborted === true) return
      if (change.updatedAt.getTime() <= before) await sender.send(change)
    }
  }

  async #in(state: 'waiting' | 'approved'): Promise<readonly Change[]> {
    return this.#options.store.changes.list({ states: [state], oldestFirst: true, limit: MAX_IN_A_ROUND })
  }

  async #step(what: string, work: () => Promise<unknown>, stopping?: AbortSignal): Promise<void> {
    if (stopping?.aborted === true) return
    try {
      await work()
    } catch (error) {
      this.#options.log.error({ err: error, what }, 'a step of reconciling changes failed')
    }
  }
}

/**
 * Settles what a process was sending when it ended, or whose end it could not record: whether it happened is unknown, so it
 * is never sent again but told, in the message about it and to whoever asked. Throws StoreError, and then nothing was settled.
 */
export async function recoverUnknown(options: WithInputs, holder: string): Promise<readonly Change[]> {
  const { store, clock, operations, inputs, command } = options
  const now = clock.now()
  const check = await inputs.check({ timeZone: 'UTC' })
  return store.changes.recover(holder, now, (found) => {
    const asked = inputs.readAgainst({ ...check, marker: inputs.marker(found.id) }, found)
    const [lookFor, panel] = [whatToLookFor(asked, found), asked?.review?.panel]
    const { sentence = found.operation } = found
    const ended = { outcome: UNKNOWN, lookFor }
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'unknown', now, detail: UNKNOWN }),
      set: {
        values: maskEndedValues(found, operations),
        outcome: UNKNOWN,
        answer: endedMessage({ sentence, outcome: 'unknown', happened: UNKNOWN, next: '', lookFor, panel }),
      },
      notices: [createEndNotice(command, found, 'unknown', ended), ...unknownNotices(options, found, ended)],
    }
  })
}

/** Ends what waited for too long, for an approval or to be sent: nothing happened. Throws StoreError. */
export async function expireUnsent({ store, clock, operations, command }: Parts): Promise<readonly Change[]> {
  const now = clock.now()
  return store.changes.expire(now, (found) => {
    const outcome = found.state === 'waiting' ? NOT_APPROVED : NOT_SENT
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'expired', now, detail: outcome }),
      set: { values: maskEndedValues(found, operations), outcome },
      notices: [createEndNotice(command, found, 'expired', { outcome })],
    }
  })
}

const UNKNOWN = 'CDN Ops stopped while this was being sent, or could not write down how it ended.'
const NOT_APPROVED = 'Nobody approved this in time. Nothing was sent. Ask again if it is still wanted.'
const NOT_SENT = 'This waited too long before it could be sent. Nothing was sent. Ask again if it is still wanted.'
