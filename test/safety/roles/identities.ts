/** Somebody as Slack tells of them, and what a delivery says beside. */
export interface Identity {
  readonly id: string
  /** What differs from a full member of our workspace in what Slack says of them; `unsaid` when it says nothing. */
  readonly profile?: Readonly<Record<string, unknown>> | 'unsaid'
  /** The workspace that deliveries give for them; ours when absent. */
  readonly deliveredTeam?: string
  /** User groups have not been said for longer than they are trusted. */
  readonly stale?: true
  /** Every full member is a viewer. */
  readonly everybody?: true
  /** They have approved the change before, and it takes two. */
  readonly approvedBefore?: true
}

export const OUR_TEAM = 'T1'
/** Whoever asked for the change that buttons are about. */
export const REQUESTER = 'UOLGA'
export const OPERATORS_GROUP = 'SOPERATE'
export const ADMINS_GROUP = 'SADMINS'

/** Everybody who could be at the other end of a delivery. All but three are on a list, some on one they should not be. */
export const IDENTITIES = {
  requester: { id: REQUESTER },
  'admin by list': { id: 'UADA' },
  'admin by group': { id: 'UGABI' },
  'operator by list': { id: 'UOTTO' },
  'operator by group': { id: 'UGRETA' },
  'operator who approved before': { id: 'UOSKAR', approvedBefore: true },
  'operator by a group that Slack is silent about': { id: 'UGRETA', stale: true },
  'viewer by list': { id: 'UVERA' },
  'viewer as everybody is': { id: 'UNINA', everybody: true },
  nobody: { id: 'UNINA' },
  guest: { id: 'UGUS', profile: { is_restricted: true } },
  'guest of one channel': { id: 'UGUS', profile: { is_ultra_restricted: true } },
  stranger: { id: 'USAM', profile: { team_id: 'T9', is_stranger: true }, deliveredTeam: 'T9' },
  'member of another workspace': { id: 'USAM', profile: { team_id: 'T2' }, deliveredTeam: 'T2' },
  'member of another grid': {
    id: 'USAM',
    profile: { team_id: 'T2', enterprise_user: { enterprise_id: 'E9', teams: ['T2', OUR_TEAM] } },
    deliveredTeam: 'T2',
  },
  deactivated: { id: 'UDORA', profile: { deleted: true } },
  bot: { id: 'UBOT', profile: { is_bot: true } },
  workflow: { id: 'UBOT', profile: { is_workflow_bot: true } },
  'somebody of whom Slack leaves out what they are': { id: 'UGUS', profile: { is_restricted: undefined } },
  'somebody with another workspace than Slack names': { id: 'UADA', deliveredTeam: 'T9' },
  'somebody of whom Slack says nothing': { id: 'UMUTE', profile: 'unsaid' },
} as const satisfies Readonly<Record<string, Identity>>

export type IdentityName = keyof typeof IDENTITIES
export const IDENTITY_NAMES = Object.keys(IDENTITIES) as readonly IdentityName[] // its keys are those

/** The lists of the settings: what they give to guests, bots and strangers has to count for nothing. */
export const LISTS = {
  admins: new Set(['UADA', 'UGUS', 'UBOT', 'USAM', 'UDORA']),
  operators: new Set([REQUESTER, 'UOTTO', 'UOSKAR', 'UGUS', 'UDORA', 'UMUTE']),
  viewers: new Set(['UVERA']),
}
