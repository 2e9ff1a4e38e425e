import { code, md } from '../block-kit/mrkdwn.ts'
import { wordsMessage } from '../block-kit/message.ts'
import type { ChangeReconciler } from '../execution/changes/change-reconciler.ts'
import type { FileConfig } from '../config/config-file.ts'
import type { Clock } from '../shared/clock.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import type { Log } from '../shared/log.ts'
import { Roster, rosterChanges, rosterText } from '../slack/people/roster.ts'
import type { Workspace } from '../slack/workspace.ts'
import { type AuditEntry, PROGRAM } from '../store/schema/audit-entry.ts'
import type { Store } from '../store/store.ts'

/** Short, since somebody may be waiting for a deadline or a message. */
const ROUND_MS = 15_000
const PRUNE_MS = MINUTE_MS
/** How often the head of the audit log is posted, so that entries cut off its end would show. */
const HEAD_MS = DAY_MS

/** More changes than this are counted in the record, and not named. */
const MAX_NAMED_CHANGES = 20

export interface MaintenanceOptions {
  readonly reconciler: ChangeReconciler
  readonly configuration: { readonly file: Pick<FileConfig, 'policy' | 'alertRules'> }
  readonly workspace: Pick<Workspace, 'directory' | 'identity' | 'tryToken'>
  readonly store: Store
  readonly onAlertRules: () => void
  readonly digests: () => Promise<void>
  readonly opsChannel: string | undefined
  readonly clock: Clock
  readonly log: Log
}

export function createMaintenance(options: MaintenanceOptions) {
  const { reconciler, configuration, workspace, store, onAlertRules, digests, opsChannel, clock, log } = options
  let prunedMs = Number.NEGATIVE_INFINITY
  let wake = new AbortController()
  let appliedRules: string | undefined

  const runAll = async (
    tasks: Readonly<Record<string, () => Promise<unknown>>>,
    stopping?: AbortSignal,
  ): Promise<void> => {
    for (const [task, run] of Object.entries(tasks)) {
      if (stopping?.aborted === true) return
      await run().catch((error: unknown) => log.error({ err: error, task }, 'maintenance task failed'))
    }
  }

  const entry = (event: AuditEntry['event'], summary: string, detail: string | undefined): AuditEntry => {
    const team = workspace.identity?.teamId ?? ''
    return { at: clock.now(), actor: PROGRAM, team, operation: 'configuration', event, summary, detail }
  }

  /** Brings the store to the alert rules that the configuration file asks for, unless it is there. */
  const applyAlertRules = async (): Promise<void> => {
    const rules = configuration.file.alertRules
    const asked = JSON.stringify(rules)
    if (asked === appliedRules) return
    await store.alertRules.manage(rules, (changes) => {
      const left = changes.length - MAX_NAMED_CHANGES
      const named = changes.slice(0, MAX_NAMED_CHANGES).join('; ')
      const detail = left > 0 ? `${named}; and ${left} more` : named
      return entry('policy_changed', `Alert rules of the configuration file: ${changes.length} changed`, detail)
    })
    appliedRules = asked
    onAlertRules()
  }

  /** Who has which role is on record whenever it changes, whether the bot ran then or not. */
  const auditRoster = async (): Promise<void> => {
    const roster = await workspace.directory.roster(configuration.file.policy.version)
    if (roster === undefined) return
    const remembered = await store.remembered.get('roster')
    const before = Roster.safeParse(remembered?.value).data
    const changes = before === undefined ? ['Who has which role is noted from now on'] : rosterChanges(before, roster)
    const detail = before === undefined ? rosterText(roster) : undefined
    if (changes.length === 0) return
    const entries = changes.map((summary) =>
      entry(summary.startsWith('The policy') ? 'policy_changed' : 'roles_changed', summary, detail),
    )
    const unlessSince = remembered?.at ?? new Date(0)
    await store.remembered.set('roster', roster, { now: clock.now(), entries, unlessSince, asHolder: true })
  }

  const postHead = async (): Promise<void> => {
    if (opsChannel === undefined) return
    const now = clock.now()
    const posted = await store.remembered.get('audit_head')
    // One that was posted in the future was posted before the clock was put back.
    const agoMs = posted === undefined ? HEAD_MS : now.getTime() - posted.at.getTime()
    if (agoMs >= 0 && agoMs < HEAD_MS) return
    const { seq, hash } = await store.audit.head()
    if (seq === 0) return
    // A bot that has just come into a channel does not begin with this: the first one comes after a day.
    const notices = posted === undefined ? [] : [{ recipient: opsChannel, message: headMessage(seq, hash) }]
    const unlessSince = posted?.at ?? new Date(0)
    await store.remembered.set('audit_head', { seq, hash }, { now, notices, unlessSince, asHolder: true })
  }

  /** Every task once, whether or not others fail; what is left when the bot stops waits for the next start. */
  const round = (stopping?: AbortSignal): Promise<void> =>
    runAll(
      {
        'reconcile changes': () => reconciler.reconcile(stopping),
        'apply the alert rules of the configuration file': applyAlertRules,
        'audit who has which role': auditRoster,
        'post the head of the audit log': postHead,
        'tell digests': digests,
        prune: async () => {
          if (clock.monotonicMs() - prunedMs < PRUNE_MS) return
          await store.prune(clock.now()).finally(() => (prunedMs = clock.monotonicMs()))
        },
      },
      stopping,
    )

  return {
    round,
    /** Round after round of what is done once for all who share the store. Never rejects. */
    async run(stopping: AbortSignal): Promise<void> {
      appliedRules = undefined
      while (!stopping.aborted) {
        wake = new AbortController()
        await round(stopping)
        await clock.sleep(ROUND_MS, AbortSignal.any([stopping, wake.signal])).catch(() => undefined)
      }
    },
    /** The next round begins at once: roles or rules may have changed. */
    soon: () => wake.abort(),
    /** What each process has to find out for itself, until it stops. Never rejects. */
    async watchSelf(stopping: AbortSignal): Promise<void> {
      const tasks = { 'probe the store': () => store.probe(), 'check the Slack token': () => workspace.tryToken() }
      while (!stopping.aborted) {
        await runAll(tasks, stopping)
        await clock.sleep(ROUND_MS, stopping).catch(() => undefined)
      }
    },
  }
}

function headMessage(seq: number, hash: string): unknown {
  const line = md`The audit log ends at entry ${seq} today: ${code(`${seq}:${hash}`)}`
  const why = md`Whoever checks it later with ${code('--expect')} and this value sees whether its end was cut off.`
  return wordsMessage([line], { small: [why] })
}
