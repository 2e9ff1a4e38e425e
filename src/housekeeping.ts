import { context, section } from './block-kit/sections.ts'
import { code, md, plainOf } from './block-kit/mrkdwn.ts'
import { message } from './block-kit/message.ts'
import type { ChangeKeeper } from './execution/change-keeper.ts'
import type { NoticeCourier } from './execution/notice-courier.ts'
import type { Policy } from './execution/policy.ts'
import type { ManagedRules } from './managed-rules.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import { Roster, rosterChanges, rosterText } from './slack/roster.ts'
import type { Workspace } from './slack/workspace.ts'
import { type AuditEntry, PROGRAM } from './store/audit-entry.ts'
import type { Store } from './store/store.ts'

/** How often deadlines and messages of changes are looked at. Short, since somebody may be waiting for either. */
const ROUND_MS = 15_000
const PRUNE_MS = 60_000
/** How often the head of the audit log is posted, so that entries cut off its end would show. */
const HEAD_MS = 24 * 3_600_000

const FIRST_NOTED = 'Who has which role is noted from now on'

export interface HouseParts {
  readonly keeper: ChangeKeeper
  readonly courier: NoticeCourier
  readonly managedRules: Pick<ManagedRules, 'keep'>
  readonly workspace: Pick<Workspace, 'directory' | 'identity' | 'tryToken'>
  readonly store: Store
  readonly policy: () => Policy
  readonly opsChannel: string | undefined
  readonly clock: Clock
  readonly log: Log
}

/** What has to be done now and then while the bot runs: take changes on, tell what waits, note who has which role. */
export class Housekeeping {
  readonly #parts: HouseParts
  #prunedMs = Number.NEGATIVE_INFINITY
  #wake = Promise.withResolvers<void>()

  constructor(parts: HouseParts) {
    this.#parts = parts
  }

  /** Round after round until the bot stops. Never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    while (!stopping.aborted) {
      this.#wake = Promise.withResolvers<void>()
      await this.round(stopping)
      const rested = new AbortController()
      const rest = clock.sleep(ROUND_MS, AbortSignal.any([stopping, rested.signal])).catch(() => undefined)
      await Promise.race([rest, this.#wake.promise])
      rested.abort()
    }
  }

  /** The next round begins at once: roles or rules may have changed. */
  soon(): void {
    this.#wake.resolve()
  }

  /** Everything once, each part whatever becomes of the others; what is left when the bot stops waits for the next one. */
  async round(stopping?: AbortSignal): Promise<void> {
    const { keeper, courier, managedRules, workspace, store, clock } = this.#parts
    const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['keep changes', () => keeper.keep(stopping)],
      ['keep the alert rules of the configuration file', () => managedRules.keep()],
      ['note who has which role', () => this.#noteRoster()],
      ['post the head of the audit log', () => this.#postHead()],
      ['tell what waits', () => courier.deliver(stopping)],
      ['find out whether Slack takes the token', () => workspace.tryToken()],
    ]
    for (const [what, work] of parts) {
      if (stopping?.aborted === true) return
      await this.#step(what, work)
    }
    if (stopping?.aborted === true || clock.monotonicMs() - this.#prunedMs < PRUNE_MS) return
    await this.#step('delete what has outlived its time', () => store.prune(clock.now()))
    this.#prunedMs = clock.monotonicMs()
  }

  /** Who has which role is on record whenever it changes, whether the bot ran then or not. */
  async #noteRoster(): Promise<void> {
    const { workspace, store, policy, clock } = this.#parts
    const roster = await workspace.directory.roster(policy().version)
    if (roster === undefined) return
    const remembered = await store.remembered.get('roster')
    const before = Roster.safeParse(remembered?.value).data
    const changes = before === undefined ? [FIRST_NOTED] : rosterChanges(before, roster)
    const detail = before === undefined ? rosterText(roster) : undefined
    if (changes.length === 0) return
    const now = clock.now()
    const team = workspace.identity?.teamId ?? ''
    const entries = changes.map((summary): AuditEntry => {
      const event = summary.startsWith('The policy') ? 'policy_changed' : 'roles_changed'
      return { at: now, actor: PROGRAM, team, operation: 'configuration', event, summary, detail }
    })
    await store.remembered.set('roster', roster, { now, entries, unlessSince: remembered?.at ?? new Date(0) })
  }

  async #postHead(): Promise<void> {
    const { store, opsChannel, clock } = this.#parts
    if (opsChannel === undefined) return
    const now = clock.now()
    const posted = await store.remembered.get('audit_head')
    if (posted !== undefined && now.getTime() - posted.at.getTime() < HEAD_MS) return
    const { seq, hash } = await store.audit.head()
    if (seq === 0) return
    // A bot that has just come into a channel does not begin with this: the first one comes after a day.
    const notices = posted === undefined ? [] : [{ recipient: opsChannel, message: headMessage(seq, hash) }]
    const unlessSince = posted?.at ?? new Date(0)
    await store.remembered.set('audit_head', { seq, hash }, { now, notices, unlessSince })
  }

  async #step(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#parts.log.error({ err: error, what }, 'a step of keeping house failed')
    }
  }
}

function headMessage(seq: number, hash: string): unknown {
  const line = md`The audit log ends at entry ${seq} today: ${code(`${seq}:${hash}`)}`
  const why = md`Whoever checks it later with ${code('--expect')} and this value sees whether its end was cut off.`
  return message({ text: [line, why].map(plainOf).join(' '), blocks: [section(line), context(why)] })
}
