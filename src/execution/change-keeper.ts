import { findOperation } from '../operations/find-operation.ts'
import type { CheckContext, Operation } from '../operations/operation.ts'
import { PROGRAM } from '../store/audit-entry.ts'
import type { Change } from '../store/change.ts'
import type { ApprovalDesk } from './approval-desk.ts'
import { changeEntry } from './audit-words.ts'
import type { ChangeAnnouncer } from './change-announcer.ts'
import { noticeOf, unknownNotices, valuesToKeep } from './change-ending.ts'
import { endedMessage } from './change-message.ts'
import type { ChangeSender } from './change-sender.ts'
import type { Executor } from './executor.ts'

/** Somebody may still be taking back a confirmation that Slack did not hear of in time. */
const SETTLED_AFTER_MS = 10_000
const MAX_IN_A_ROUND = 100

interface KeeperParts {
  readonly executor: Executor
  readonly approvals: ApprovalDesk
  readonly sender: ChangeSender
  readonly announcer: ChangeAnnouncer
  readonly holder: string
}

/**
 * Takes changes on that nobody is at any more: after a crash, an outage, or when time or a role has ended. Called now and
 * then; each step is safe to repeat and to interrupt.
 */
export class ChangeKeeper {
  readonly #parts: KeeperParts

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /**
   * One round, until the bot stops. Never throws: a step that fails is logged, and the next round tries it again.
   */
  async keep(stopping?: AbortSignal): Promise<void> {
    const { executor, holder, announcer } = this.#parts
    await this.#step('recover what was being sent', () => recoverUnknown(executor, holder), stopping)
    await this.#step('expire what waited too long', () => expireUnsent(executor), stopping)
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
    const { approvals } = this.#parts
    for (const change of await this.#in('waiting')) {
      if (stopping?.aborted === true) return
      await this.#step('look at a change that waits', async () => {
        const approved = await approvals.meetQuorum(change, { fresh: false })
        if (approved !== undefined) await this.#parts.sender.send(approved)
      })
    }
  }

  /** What was confirmed or approved is owed: it is sent, once, unless its time is over or somebody may not any more. */
  async #approved(stopping: AbortSignal | undefined): Promise<void> {
    const { executor, sender } = this.#parts
    const before = executor.options.clock.now().getTime() - SETTLED_AFTER_MS
    for (const change of await this.#in('approved')) {
      if (stopping?.aborted === true) return
      if (change.updatedAt.getTime() <= before) await sender.send(change)
    }
  }

  async #in(state: 'waiting' | 'approved'): Promise<readonly Change[]> {
    return this.#parts.executor.options.store.changes.list({
      states: [state],
      oldestFirst: true,
      limit: MAX_IN_A_ROUND,
    })
  }

  async #step(what: string, work: () => Promise<unknown>, stopping?: AbortSignal): Promise<void> {
    if (stopping?.aborted === true) return
    try {
      await work()
    } catch (error) {
      this.#parts.executor.options.log.error({ err: error, what }, 'a step of keeping changes failed')
    }
  }
}

/**
 * Settles what an earlier process was sending when it ended: whether it happened is unknown, so it is never sent again
 * but told, in the message about it and to whoever asked. Throws StoreError, and then nothing was settled.
 */
export async function recoverUnknown(executor: Executor, holder: string): Promise<readonly Change[]> {
  const { store, clock, operations } = executor.options
  const now = clock.now()
  const check = await executor.check({ timeZone: 'UTC' })
  return store.changes.recover(holder, now, (found) => {
    const { lookFor, panel } = whatToCheck(found, operations, { ...check, marker: executor.marker(found.id) })
    const { sentence = found.operation } = found
    const next = 'Look in the platform before asking again.'
    const ended = { outcome: UNKNOWN, lookFor }
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'unknown', now, detail: UNKNOWN }),
      set: {
        values: valuesToKeep(found, operations),
        outcome: UNKNOWN,
        answer: endedMessage({ sentence, outcome: 'unknown', happened: UNKNOWN, next, lookFor, panel }),
      },
      notices: [noticeOf(executor, found, 'unknown', ended), ...unknownNotices(executor, found, ended)],
    }
  })
}

/** Ends what waited for too long, for an approval or to be sent: nothing happened. Throws StoreError. */
export async function expireUnsent(executor: Executor): Promise<readonly Change[]> {
  const { store, clock, operations } = executor.options
  const now = clock.now()
  return store.changes.expire(now, (found) => {
    const outcome = found.state === 'waiting' ? NOT_APPROVED : NOT_SENT
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'expired', now, detail: outcome }),
      set: { values: valuesToKeep(found, operations), outcome },
      notices: [noticeOf(executor, found, 'expired', { outcome })],
    }
  })
}

const UNKNOWN = 'CDN Ops stopped while this was being sent, so no answer was read.'
const NOT_APPROVED = 'Nobody approved this in time. Nothing was sent. Ask again if it is still wanted.'
const NOT_SENT = 'This waited too long before it could be sent. Nothing was sent. Ask again if it is still wanted.'

/** Where it cannot be read any more, what was asked is all there is to look for. */
function whatToCheck(
  change: Change,
  operations: readonly Operation[],
  check: CheckContext,
): { readonly lookFor: string; readonly panel: URL | undefined } {
  const parsed = findOperation(operations, change.operation)?.parse(change.values, check)
  const asked = parsed?.ok === true ? parsed.invocation : undefined
  const lookFor = asked?.lookFor ?? `Whether this is there: ${change.sentence ?? change.operation}.`
  return { lookFor, panel: asked?.review?.panel }
}
