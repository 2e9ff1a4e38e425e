import { context, section } from '../block-kit/sections.ts'
import { code, md, plainOf } from '../block-kit/mrkdwn.ts'
import { message } from '../block-kit/message.ts'
import type { ChangeKeeper } from '../execution/change-keeper.ts'
import type { NoticeCourier } from '../execution/notice-courier.ts'
import type { Configuration } from '../config/configuration.ts'
import type { Clock } from '../shared/clock.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import type { Log } from '../shared/log.ts'
import { Roster, rosterChanges, rosterText } from '../slack/roster.ts'
import type { Workspace } from '../slack/workspace.ts'
import { type AuditEntry, PROGRAM } from '../store/audit-entry.ts'
import type { Store } from '../store/store.ts'

/** How often deadlines and messages of changes are looked at. Short, since somebody may be waiting for either. */
const ROUND_MS = 15_000
const PRUNE_MS = MINUTE_MS
/** How often the head of the audit log is posted, so that entries cut off its end would show. */
const HEAD_MS = DAY_MS

/** More changes than this are counted in the record, and not named. */
const MAX_NAMED_CHANGES = 20

const FIRST_NOTED = 'Who has which role is noted from now on'

export interface MaintenanceParts {
  readonly keeper: ChangeKeeper
  readonly courier: NoticeCourier
  readonly configuration: Pick<Configuration, 'policy' | 'alertRules'>
  readonly workspace: Pick<Workspace, 'directory' | 'identity' | 'tryToken'>
  readonly store: Store
  /** Called when there may be something else to look at. */
  readonly onAlertRules: () => void
  readonly opsChannel: string | undefined
  readonly clock: Clock
  readonly log: Log
}

/** What has to be done now and then while the bot runs: take changes on, tell what waits, note who has which role. */
export class Maintenance {
  readonly #parts: MaintenanceParts
  #prunedMs = Number.NEGATIVE_INFINITY
  #wake = Promise.withResolvers<void>()
  /** The alert rules of the configuration file that the store was brought to. */
  #keptRules: string | undefined

  constructor(parts: MaintenanceParts) {
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
    const { keeper, courier, workspace, store, clock } = this.#parts
    const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['keep changes', () => keeper.keep(stopping)],
      ['keep the alert rules of the configuration file', () => this.#keepAlertRules()],
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

  /** Brings the store to the alert rules that the configuration file asks for, unless it is there. */
  async #keepAlertRules(): Promise<void> {
    const { configuration, store, onAlertRules } = this.#parts
    const rules = configuration.alertRules
    const asked = JSON.stringify(rules)
    if (asked === this.#keptRules) return
    await store.alertRules.manage(rules, (changes) => {
      const left = changes.length - MAX_NAMED_CHANGES
      const named = changes.slice(0, MAX_NAMED_CHANGES).join('; ')
      const detail = left > 0 ? `${named}; and ${left} more` : named
      return this.#entry('policy_changed', `Alert rules of the configuration file: ${changes.length} changed`, detail)
    })
    this.#keptRules = asked
    onAlertRules()
  }

  #entry(event: AuditEntry['event'], summary: string, detail: string | undefined): AuditEntry {
    const { clock, workspace } = this.#parts
    const team = workspace.identity?.teamId ?? ''
    return { at: clock.now(), actor: PROGRAM, team, operation: 'configuration', event, summary, detail }
  }

  /** Who has which role is on record whenever it changes, whether the bot ran then or not. */
  async #noteRoster(): Promise<void> {
    const { workspace, store, configuration, clock } = this.#parts
    const roster = await workspace.directory.roster(configuration.policy.version)
    if (roster === undefined) return
    const remembered = await store.remembered.get('roster')
    const before = Roster.safeParse(remembered?.value).data
    const changes = before === undefined ? [FIRST_NOTED] : rosterChanges(before, roster)
    const detail = before === undefined ? rosterText(roster) : undefined
    if (changes.length === 0) return
    const entries = changes.map((summary) =>
      this.#entry(summary.startsWith('The policy') ? 'policy_changed' : 'roles_changed', summary, detail),
    )
    const unlessSince = remembered?.at ?? new Date(0)
    await store.remembered.set('roster', roster, { now: clock.now(), entries, unlessSince })
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
      this.#parts.log.error({ err: error, what }, 'a step of maintenance failed')
    }
  }
}

function headMessage(seq: number, hash: string): unknown {
  const line = md`The audit log ends at entry ${seq} today: ${code(`${seq}:${hash}`)}`
  const why = md`Whoever checks it later with ${code('--expect')} and this value sees whether its end was cut off.`
  return message({ text: [line, why].map(plainOf).join(' '), blocks: [section(line), context(why)] })
}
