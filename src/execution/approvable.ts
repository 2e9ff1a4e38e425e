import { quorumsWords } from '../operations/prompt-words.ts'
import type { Actor, Decision, Quorum } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Executor } from './executor.ts'
import { countsFor, missing } from './quorum.ts'

export const UNAPPROVABLE = 'Whoever runs CDN Ops can change who may approve, and where.'

/** Slack is asked about each; where so many may not approve, the lists are out of date. */
const MAX_LOOK_UPS = 40

export interface Shortage {
  readonly quorums: readonly Quorum[]
  readonly found: number
}

type Requester = Pick<Actor, 'id' | 'unsure'>

/**
 * Why an approval cannot be had, as a sentence: nobody is asked for what nobody could give. Undefined when there are
 * enough people besides the one who asks. Throws UserError when Slack cannot be asked, or is silent about user groups.
 */
export async function whyOutOfReach(
  executor: Executor,
  { reason, quorums = [] }: Decision,
  requester: Requester,
  opsChannel: string | undefined,
): Promise<string | undefined> {
  if (opsChannel === undefined) {
    return `${reason} No channel is configured in which it could be asked for: OPS_CHANNEL.`
  }
  const short = await shortage(executor, quorums, requester)
  if (short === undefined) return undefined
  return `${reason} Besides you there are not enough people who could give it: it takes ${quorumsWords(short.quorums)}.`
}

/**
 * The first quorum for which there are not enough people besides whoever asked, or all where there are not enough for them
 * together, as roles were within the last minute. Throws UserError when Slack cannot be asked, or is silent about user
 * groups: then there may be enough.
 */
export async function shortage(
  executor: Executor,
  quorums: readonly Quorum[],
  requester: Requester,
): Promise<Shortage | undefined> {
  const people = await foundFor(executor, quorums, requester)
  if (missing(quorums, people).length === 0) return undefined
  if (requester.unsure === undefined) {
    const alone = quorums.find((quorum) => missing([quorum], people).length > 0)
    const short = alone === undefined ? quorums : [alone]
    return { quorums: short, found: people.filter((each) => short.some((quorum) => countsFor(quorum, each))).length }
  }
  const words = `${requester.unsure}. So nobody can tell whether enough people could approve this. Nothing was done.`
  throw new UserError('not_permitted', words, 'Ask again in a moment.')
}

async function foundFor(
  { options: { people } }: Executor,
  quorums: readonly Quorum[],
  requester: Pick<Actor, 'id'>,
): Promise<readonly Actor[]> {
  const found = new Map<string, Actor>()
  for (const quorum of quorums) {
    const candidates = (await people.candidates(quorum)).filter((id) => id !== requester.id)
    for (const id of candidates.slice(0, MAX_LOOK_UPS)) {
      if (missing(quorums, [...found.values()]).length === 0) break
      found.set(id, await people.actor(id))
    }
  }
  return [...found.values()]
}
