/** Kinds of people and places that rules name together. */
export const ADMINS = ['admin by list', 'admin by group'] as const
export const OPERATORS = ['operator by list', 'operator by group', 'operator who approved before', 'requester'] as const
export const WRITERS = [...ADMINS, ...OPERATORS] as const
export const STALE = 'operator by a group that Slack is silent about'
export const VIEWERS = ['viewer by list', 'viewer as everybody is'] as const
export const READERS = [...WRITERS, ...VIEWERS, STALE] as const
/** Each on a list or not: none of them has a role. */
export const NO_ROLE = [
  'nobody',
  'guest',
  'guest of one channel',
  'stranger',
  'member of another workspace',
  'member of another grid',
  'deactivated',
  'bot',
  'workflow',
  'somebody of whom Slack leaves out what they are',
  'somebody with another workspace than Slack names',
] as const
export const UNSAID = 'somebody of whom Slack says nothing'
export const KNOWN = [...READERS, ...NO_ROLE] as const
/** Whose word counts for what the requester asked. */
export const DECIDERS = [...ADMINS, 'operator by list', 'operator by group'] as const
export const OTHERS = [STALE, ...VIEWERS, ...NO_ROLE] as const

export const OPS = 'the operations channel'
export const OTHER = 'another channel'
export const SHARED = 'a shared channel'
export const UNSHARED = [OPS, OTHER, 'a channel without the bot', 'direct messages'] as const
/** The policy of the matrix allows `dns add` in two channels only, and nothing in the shared one. */
export const NOT_FOR_DNS = ['a channel without the bot', 'direct messages', SHARED] as const
export const ELSEWHERE = [OTHER, 'a channel without the bot', 'direct messages', SHARED] as const
