import * as z from 'zod'
import { counted } from '../../block-kit/amounts.ts'
import type { Role } from '../../operations/declaration/role.ts'
import type { Clock } from '../../shared/clock.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import { SlackError, type WebApi } from '../out/web-api.ts'

/** Slack allows these calls twenty times a minute; changes come as events besides. */
const MAX_AGE_MS = 60_000
/** Before what cannot be undone. */
const FRESH_AGE_MS = 15_000
/** More groups than this, asked for one by one every fifteen seconds, would be more calls than Slack allows. */
const MOST_ONE_BY_ONE = 5
/** After a failure Slack is left alone for a while; the last answer serves on. */
const RETRY_AFTER_MS = 5_000
/** Without an answer of Slack for longer than this, what rests on user groups is read-only. */
export const STALE_MS = 10 * 60_000
/** An event may come while an answer is on its way; nobody waits for ever for the newest. */
const MAX_ROUNDS = 3

export interface KnownGroups {
  /** Of each group its members; a group that Slack does not have, or has disabled, has none. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>
  /** The groups it was asked about; of others nothing is known. */
  readonly named: ReadonlySet<string>
  /** How long ago Slack answered; undefined when it never did. */
  readonly ageMs: number | undefined
  /** Slack's code of the last failure, if it has not answered since. */
  readonly error: string | undefined
}

interface Answer extends Pick<KnownGroups, 'members' | 'named'> {
  readonly atMs: number
  /** It includes this many events. */
  readonly events: number
}

export const UserGroups = z.object({
  usergroups: z.array(
    z.object({ id: z.string(), date_delete: z.number().default(0), users: z.array(z.string()).default([]) }),
  ),
})

const GroupUsers = z.object({ users: z.array(z.string()) })

/** Who is in the user groups that the configuration names, cached for a minute. */
export class GroupMembers {
  readonly #api: WebApi
  readonly #clock: Clock
  readonly #teamId: () => string | undefined
  #answer: Answer | undefined
  #loading: { readonly done: Promise<void>; readonly events: number } | undefined
  #failure: { readonly code: string; readonly untilMs: number } | undefined
  #events = 0

  /** `teamId` is given where Slack has to be told which workspace is meant. */
  constructor(api: WebApi, clock: Clock, teamId: () => string | undefined) {
    this.#api = api
    this.#clock = clock
    this.#teamId = teamId
  }

  /** Members as Slack said within a minute, `fresh` within seconds; older where it does not answer. Never throws. */
  async current(named: ReadonlySet<string>, fresh = false): Promise<KnownGroups> {
    const maxAgeMs = fresh ? FRESH_AGE_MS : MAX_AGE_MS
    for (let round = 0; round < MAX_ROUNDS && named.size > 0 && this.#isOutdated(named, maxAgeMs); round += 1) {
      if (this.#loading?.events !== this.#events) this.#startLoading(named)
      await this.#loading?.done
    }
    return this.known
  }

  get known(): KnownGroups {
    const answer = this.#answer
    return {
      members: answer?.members ?? new Map(),
      named: answer?.named ?? new Set(),
      ageMs: answer && this.#clock.monotonicMs() - answer.atMs,
      error: this.#failure?.code,
    }
  }

  /** Slack sent an event about a group: whoever asks next waits for a new answer. */
  invalidate(): void {
    this.#events += 1
  }

  #isOutdated(named: ReadonlySet<string>, maxAgeMs: number): boolean {
    const now = this.#clock.monotonicMs()
    if (this.#failure !== undefined && now < this.#failure.untilMs) return false
    const answer = this.#answer
    if (answer === undefined || answer.events !== this.#events || now - answer.atMs >= maxAgeMs) return true
    return [...named].some((group) => !answer.named.has(group))
  }

  #startLoading(named: ReadonlySet<string>): void {
    const events = this.#events
    const done = this.#load(named, events).finally(() => {
      if (this.#loading?.done === done) this.#loading = undefined
    })
    this.#loading = { done, events }
  }

  /** Never throws. Ignores a result, answer or failure, that is older than the latest answer. */
  async #load(named: ReadonlySet<string>, events: number): Promise<void> {
    const atMs = this.#clock.monotonicMs()
    const isStale = (): boolean => this.#answer !== undefined && this.#answer.events > events
    try {
      const groups = [...named]
      const lists =
        groups.length > MOST_ONE_BY_ONE
          ? await this.#listAll(named)
          : await Promise.all(groups.map(async (id) => [id, await this.#usersOf(id)] as const))
      if (isStale()) return
      this.#answer = { members: new Map(lists.map(([id, users]) => [id, new Set(users)])), atMs, named, events }
      this.#failure = undefined
    } catch (error) {
      if (isStale()) return
      const { code, retryAfterMs = 0 } =
        error instanceof SlackError ? error : new SlackError('usergroups', 'unreadable_answer')
      this.#failure = { code, untilMs: this.#clock.monotonicMs() + Math.max(RETRY_AFTER_MS, retryAfterMs) }
    }
  }

  /** Nobody, where Slack has no such group or has disabled it. */
  async #usersOf(group: string): Promise<readonly string[]> {
    try {
      const asked = { usergroup: group, team_id: this.#teamId() }
      return GroupUsers.parse(await this.#api.call('lookup', 'usergroups.users.list', asked)).users
    } catch (error) {
      if (error instanceof SlackError && error.code === 'no_such_subteam') return []
      throw error
    }
  }

  /** One call, slow where a workspace has many groups. */
  async #listAll(named: ReadonlySet<string>): Promise<readonly (readonly [string, readonly string[]])[]> {
    const asked = { include_users: true, team_id: this.#teamId() }
    const reply = await this.#api.call('lookup', 'usergroups.list', asked)
    const active = UserGroups.parse(reply).usergroups.filter((each) => named.has(each.id) && each.date_delete === 0)
    return active.map(({ id, users }) => [id, users])
  }
}

/** Why a role that rests on a user group lets one only read, as sentences. */
export function describeBarred(role: Role, { ageMs = 0, error }: KnownGroups): string {
  const minutes = counted(Math.floor(ageMs / MINUTE_MS), 'minute')
  return (
    `Slack has not said for ${minutes} who is in its user groups, and the role ${role} rests on one here. ` +
    `Until it does, nothing but reading goes. The reason: ${describeError(error)}.`
  )
}

/** That user groups could not be counted at all, and why, as a sentence part. */
export function describeUnknown({ error }: KnownGroups): string {
  return `Slack has not said who is in its user groups: ${describeError(error)}`
}

function describeError(code: string | undefined): string {
  switch (code) {
    case undefined:
      return 'it has not been asked yet'
    case 'missing_scope':
      return 'the Slack app lacks the scope usergroups:read; who manages the app can add it and install it again, or who runs CDN Ops lists people by id instead'
    case 'plan_upgrade_required':
      return 'this workspace’s plan has no user groups; who runs CDN Ops can list people by id instead'
    case 'no_answer':
    case 'http_error':
      return 'it does not answer'
    case 'ratelimited':
      return 'it asks to wait'
    default:
      return `it answers ${code}`
  }
}
