import { quorumsWords } from '../../operations/declaration/prompt-words.ts'
import type { Channels } from '../../operations/declaration/operation.ts'
import type { Actor, Decision, Quorum } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { People } from './people.ts'
import { missing } from './quorum.ts'

export const UNAPPROVABLE = 'Whoever runs CDN Ops can change who may approve, and where.'

/** Slack is asked about each; where so many may not approve, the lists are out of date. */
const MAX_LOOK_UPS = 40

type Requester = Pick<Actor, 'id' | 'unsure'>

/** A sentence each. */
interface OutOfReach {
  readonly why: string
  readonly next: string
}

/**
 * Why an approval cannot be had: nobody is asked for what nobody could give, or where nobody would see it. Undefined when
 * there are enough people besides the one who asks. Throws UserError when Slack cannot be asked, or is silent about user groups.
 */
export async function whyOutOfReach(
  {
    people,
    channels,
    opsChannel,
  }: { readonly people: People; readonly channels: Channels; readonly opsChannel: string | undefined },
  { reason, quorums = [] }: Decision,
  requester: Requester,
): Promise<OutOfReach | undefined> {
  const next = UNAPPROVABLE
  if (opsChannel === undefined)
    return { why: join(reason, 'no channel is configured in which it could be asked for: OPS_CHANNEL'), next }
  const closed = await whyClosed(channels, opsChannel)
  if (closed !== undefined) return { ...closed, why: join(reason, closed.why) }
  const short = await shortage(people, quorums, requester)
  if (short === undefined) return undefined
  const it = `it takes ${quorumsWords(short)}`
  return { why: join(reason, `besides you there are not enough people who could give it: ${it}`), next }
}

/** One sentence of what it takes and why that cannot be had. */
function join(reason: string, but: string): string {
  return `${reason.replace(/\.$/, '')}, but ${but}.`
}

/** Why approvals cannot be asked for in this channel; undefined where they can, or where Slack does not say. */
export async function whyClosed(channels: Channels, id: string): Promise<OutOfReach | undefined> {
  const info = await channels.info(id)
  if (info === 'unknown') return undefined
  const invite = 'Invite CDN Ops there with /invite'
  if (info === 'absent') {
    const why = 'Slack shows CDN Ops no such channel as OPS_CHANNEL names, where approvals are asked for'
    return { why, next: `${invite} if it is private; else correct OPS_CHANNEL.` }
  }
  const next = 'Unarchive it, or name another one in OPS_CHANNEL.'
  if (info.isArchived) return { why: 'OPS_CHANNEL, where approvals are asked for, is archived', next }
  if (info.isMember) return undefined
  return { why: 'CDN Ops is not in OPS_CHANNEL, where approvals are asked for', next: `${invite}.` }
}

/**
 * The first quorum for which there are not enough people besides whoever asked, or all where there are not enough for them
 * together, as roles were within the last minute. Throws UserError when Slack cannot be asked, or is silent about user
 * groups: then there may be enough.
 */
export async function shortage(
  people: People,
  quorums: readonly Quorum[],
  requester: Requester,
): Promise<readonly Quorum[] | undefined> {
  const found = new Map<string, Actor>()
  const stillMissing = (of = quorums) => missing(of, [...found.values()])
  for (const quorum of quorums) {
    const candidates = (await people.candidates(quorum)).filter((id) => id !== requester.id)
    for (const id of candidates.slice(0, MAX_LOOK_UPS)) {
      if (stillMissing().length === 0) return undefined
      found.set(id, await people.actor(id))
    }
  }
  if (stillMissing().length === 0) return undefined
  if (requester.unsure === undefined) {
    const alone = quorums.find((quorum) => stillMissing([quorum]).length > 0)
    return alone === undefined ? quorums : [alone]
  }
  const words = `${requester.unsure}. So nobody can tell whether enough people could approve this. Nothing was done.`
  throw new UserError('not_permitted', words, 'Ask again in a moment.')
}
