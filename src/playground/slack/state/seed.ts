/** The workspace everything is played in: who is there, which channels there are, and the app with its bot. */

export const TEAM = { id: 'T0CDNTEAM1', name: 'Northwind', domain: 'northwind' } as const
/** The workspace of people who are here through a shared channel. */
export const OTHER_TEAM_ID = 'T0PARTNER1'
export const APP_ID = 'A0CDNOPS01'
/** The bot as the author of messages; not the id of its user. */
export const BOT_ID = 'B0CDNOPS01'
export const BOT_USER_ID = 'U0CDNOPS01'

export const VERA = 'U0VERA0001'
export const OLGA = 'U0OLGA0001'
export const OTTO = 'U0OTTO0001'
export const ADA = 'U0ADA00001'
export const GUS = 'U0GUS00001'
/** A person of another workspace, here through a shared channel: `is_stranger`. */
export const SAM = 'U0SAM00001'
/** A full member whom no list and no group names. */
export const NORA = 'U0NORA0001'

/** Public, with everybody and the bot in it: where the work is done. */
export const OPS = 'C0OPS00001'
/** Public, with the members and the bot in it, but neither guest nor stranger. */
export const GENERAL = 'C0GENERAL1'
/** Private, with the bot in it. */
export const CDN_PRIVATE = 'C0PRIVATE1'
/** Public, without the bot. */
export const RANDOM = 'C0RANDOM01'
/** Private, without the bot: to the bot it does not exist. */
export const SECRET = 'C0SECRET01'
/** Archived, with the bot still in it. */
export const ATTIC = 'C0ATTIC001'

export const OPERATORS_GROUP = 'S0OPERATOR'
export const ADMINS_GROUP = 'S0ADMINS01'

export interface Member {
  readonly id: string
  readonly teamId: string
  readonly name: string
  readonly realName: string
  readonly timeZone: string
  readonly kind: 'member' | 'admin' | 'guest' | 'stranger' | 'deactivated' | 'bot'
}

export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'im'
  readonly archived: boolean
  readonly members: ReadonlySet<string>
}

export interface UserGroup {
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly users: readonly string[]
  /** When it was disabled, in seconds since 1970; 0 for one in use. It keeps its people. */
  readonly disabledAtS: number
}

const member = (id: string, name: string, realName: string, timeZone: string, kind: Member['kind']): Member => ({
  id,
  teamId: kind === 'stranger' ? OTHER_TEAM_ID : TEAM.id,
  name,
  realName,
  timeZone,
  kind,
})

/** Everybody, at the start. No two have the same initials, which stand for them beside what they write. */
export const MEMBERS: readonly Member[] = [
  member(VERA, 'vera', 'Vera Hribar', 'Europe/Ljubljana', 'member'),
  member(OLGA, 'olga', 'Olga Novak', 'America/New_York', 'member'),
  member(OTTO, 'otto', 'Otto Kimura', 'Asia/Tokyo', 'member'),
  member(ADA, 'ada', 'Ada Clarke', 'Europe/London', 'admin'),
  member(GUS, 'gus', 'Gus Weber', 'Europe/Berlin', 'guest'),
  member(SAM, 'sam', 'Sam Rivera', 'America/Los_Angeles', 'stranger'),
  member(NORA, 'nora', 'Nora Vidal', 'Europe/Madrid', 'member'),
  member(BOT_USER_ID, 'cdn-ops', 'CDN Ops', 'UTC', 'bot'),
]

const everyone = [VERA, OLGA, OTTO, ADA]

const channel = (
  id: string,
  name: string,
  kind: 'public' | 'private',
  members: readonly string[],
  archived = false,
): Channel => ({ id, name, kind, archived, members: new Set(members) })

export const CHANNELS: readonly Channel[] = [
  channel(OPS, 'ops', 'public', [...everyone, NORA, GUS, SAM, BOT_USER_ID]),
  channel(GENERAL, 'general', 'public', [...everyone, BOT_USER_ID]),
  channel(CDN_PRIVATE, 'cdn-private', 'private', [OLGA, OTTO, ADA, BOT_USER_ID]),
  channel(RANDOM, 'random', 'public', everyone),
  channel(SECRET, 'secret', 'private', [ADA]),
  channel(ATTIC, 'attic', 'public', [...everyone, BOT_USER_ID], true),
]

export const USER_GROUPS: readonly UserGroup[] = [
  { id: OPERATORS_GROUP, handle: 'cdn-operators', name: 'CDN operators', users: [OLGA, OTTO], disabledAtS: 0 },
  { id: ADMINS_GROUP, handle: 'cdn-admins', name: 'CDN admins', users: [ADA], disabledAtS: 0 },
]
