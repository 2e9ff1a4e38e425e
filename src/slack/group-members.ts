import * as z from 'zod'
import { counted } from '../block-kit/amounts.ts'
import type { Role } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import { SlackError, type WebApi } from './web-api.ts'

/** Slack allows this call twenty times a minute; changes come as events besides. */
const FRESH_MS = 60_000
/** Where somebody is about to do what cannot be taken back. */
const VERY_FRESH_MS = 15_000
/** After a failure Slack is left alone for a while; what was known serves on. */
const PAUSE_MS = 5_000
/** Longer than this Slack must not be silent about its user groups before what rests on them is read-only. */
export const STALE_MS = 10 * 60_000
/** News may come while an answer is on its way; nobody waits for ever for the newest. */
const MAX_ROUNDS = 3

export interface KnownGroups {
  /** Of each group its members; a group that Slack does not have, or has disabled, has none. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>
  /** The groups it was asked about; of others nothing is known. */
  readonly named: ReadonlySet<string>
  /** How long ago Slack said so; undefined when it never did. */
  readonly ageMs: number | undefined
  /** Slack's own word for why it did not say anything newer. */
  readonly trouble: string | undefined
}

interface Said {
  readonly members: ReadonlyMap<string, ReadonlySet<string>>
  readonly atMs: number
  /** Which groups were named then; of others nothing was kept. */
  readonly named: ReadonlySet<string>
  /** Events up to then are in it. */
  readonly events: number
}

const UserGroups = z.object({
  usergroups: z.array(
    z.object({ id: z.string(), date_delete: z.number().default(0), users: z.array(z.string()).default([]) }),
  ),
})

/** Who is in the user groups that the configuration names: one call for all of them, remembered for a minute. */
export class GroupMembers {
  readonly #api: WebApi
  readonly #clock: Clock
  #said: Said | undefined
  #loading: { readonly done: Promise<void>; readonly events: number } | undefined
  #failed: { readonly code: string; readonly untilMs: number } | undefined
  #events = 0

  constructor({ api, clock }: { readonly api: WebApi; readonly clock: Clock }) {
    this.#api = api
    this.#clock = clock
  }

  /** Members as Slack said within a minute, `fresh` within seconds; older where it does not answer. Never throws. */
  async current(named: ReadonlySet<string>, fresh = false): Promise<KnownGroups> {
    const maxAgeMs = fresh ? VERY_FRESH_MS : FRESH_MS
    for (let round = 0; round < MAX_ROUNDS && named.size > 0 && this.#outdated(named, maxAgeMs); round += 1) {
      if (this.#loading?.events !== this.#events) this.#load(named)
      await this.#loading?.done
    }
    return this.known
  }

  get known(): KnownGroups {
    const ageMs = this.#said === undefined ? undefined : this.#clock.monotonicMs() - this.#said.atMs
    const { members, named } = this.#said ?? { members: new Map(), named: new Set<string>() }
    return { members, named, ageMs, trouble: this.#failed?.code }
  }

  /** Slack told that somebody joined or left a group, or that a group changed: whoever asks next waits for the news. */
  outdate(): void {
    this.#events += 1
  }

  #outdated(named: ReadonlySet<string>, maxAgeMs: number): boolean {
    const now = this.#clock.monotonicMs()
    if (this.#failed !== undefined && now < this.#failed.untilMs) return false
    const said = this.#said
    if (said === undefined || said.events !== this.#events || now - said.atMs >= maxAgeMs) return true
    return [...named].some((group) => !said.named.has(group))
  }

  #load(named: ReadonlySet<string>): void {
    const events = this.#events
    const done = this.#take(named, events).finally(() => {
      if (this.#loading?.done === done) this.#loading = undefined
    })
    this.#loading = { done, events }
  }

  /** Never throws. What is overtaken by a newer question is dropped, answer or failure. */
  async #take(named: ReadonlySet<string>, events: number): Promise<void> {
    const atMs = this.#clock.monotonicMs()
    const overtaken = (): boolean => this.#said !== undefined && this.#said.events > events
    try {
      const members = await this.#ask(named)
      if (overtaken()) return
      this.#said = { members, atMs, named, events }
      this.#failed = undefined
    } catch (error) {
      if (overtaken()) return
      const { code, retryAfterMs = 0 } = toSlackError(error)
      this.#failed = { code, untilMs: this.#clock.monotonicMs() + Math.max(PAUSE_MS, retryAfterMs) }
    }
  }

  async #ask(named: ReadonlySet<string>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { usergroups } = UserGroups.parse(await this.#api.call('lookup', 'usergroups.list', { include_users: true }))
    const active = usergroups.filter(({ id, date_delete: deleted }) => named.has(id) && deleted === 0)
    return new Map(active.map(({ id, users }) => [id, new Set(users)]))
  }
}

function toSlackError(error: unknown): SlackError {
  return error instanceof SlackError ? error : new SlackError('usergroups.list', 'unreadable_answer')
}

type Silence = Pick<KnownGroups, 'ageMs' | 'trouble'>

/** Why a role that rests on a user group lets one only read, as sentences. */
export function groupsBarred(role: Role, { ageMs = 0, trouble }: Silence): string {
  const minutes = counted(Math.floor(ageMs / MINUTE_MS), 'minute')
  return (
    `Slack has not said for ${minutes} who is in its user groups, and the role ${role} rests on one here. ` +
    `Until it does, nothing but reading goes. The reason: ${why(trouble)}.`
  )
}

/** That user groups could not be counted at all, and why, as a sentence part. */
export function groupsUnknown({ trouble }: Silence): string {
  return `Slack has not said who is in its user groups: ${why(trouble)}`
}

/** What stands in the way of knowing user groups, with whom to ask where somebody can do something about it. */
function why(trouble: string | undefined): string {
  switch (trouble) {
    case undefined:
      return 'it has not been asked yet'
    case 'missing_scope':
      return 'the Slack app lacks the scope usergroups:read; who manages the app can add it and install it again'
    case 'plan_upgrade_required':
      return 'this workspace’s plan has no user groups; who runs CDN Ops can list people by id instead'
    case 'no_answer':
    case 'http_error':
      return 'it does not answer'
    case 'ratelimited':
      return 'it asks to wait'
    default:
      return `it answers ${trouble}`
  }
}
