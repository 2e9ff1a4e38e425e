import type { Actor, Quorum } from '../operations/role.ts'
import type { Approval } from '../store/approvals.ts'
import type { Change } from '../store/change.ts'
import { shortage, type Shortage } from './approvable.ts'
import type { CardFacts } from './change-card.ts'
import type { Executor } from './executor.ts'
import { countsFor, lapsed, missing } from './quorum.ts'

/** Of these, as many as are eligible are named in the message that asks for approval. */
const MAX_CANDIDATES = 5

/** What the message about a waiting change says of those who decide, as roles were within the last minute. */
export interface Asking extends Pick<CardFacts, 'invocation' | 'quorums' | 'candidates' | 'open' | 'lapsed' | 'short'> {
  /** Differs whenever what is said of approvals does; undefined when that is not known. */
  readonly standing: string | undefined
}

/** What others have to know to decide. Where Slack cannot say who may, the message says what is asked for alone. */
export async function askingOf(executor: Executor, change: Change, approvals: readonly Approval[]): Promise<Asking> {
  const { people, log } = executor.options
  const invocation = await executor.readChange(change, 'UTC')
  const unknown: Asking = { invocation, quorums: [], candidates: [], standing: undefined }
  if (invocation === undefined) return unknown
  try {
    const requester = await people.actor(change.requestedBy)
    const { quorums = [] } = executor.decide(requester, invocation, change.channelId)
    const candidates = await candidatesFor(executor, quorums, change)
    const approvers = await Promise.all(approvals.map(({ person }) => people.actor(person)))
    const open = missing(quorums, approvers)
    const gone = lapsed(quorums, approvers)
    const short = await shortageIfKnown(executor, quorums, requester)
    const isSure = [requester, ...approvers].every(({ unsure }) => unsure === undefined)
    const standing = isSure ? JSON.stringify([open, gone, short]) : undefined
    return { invocation, quorums, candidates, open, lapsed: gone, short, standing }
  } catch (error) {
    log.warn({ err: error, change: change.id }, 'who may approve could not be found out')
    return unknown
  }
}

async function candidatesFor(
  { options: { people } }: Executor,
  quorums: readonly Quorum[],
  change: Change,
): Promise<readonly string[]> {
  const candidates: string[] = []
  for (const quorum of quorums.filter(({ groups }) => groups.length === 0)) {
    for (const id of (await people.candidates(quorum)).slice(0, 2 * MAX_CANDIDATES)) {
      const isOther = id !== change.requestedBy && !candidates.includes(id)
      if (isOther && candidates.length < MAX_CANDIDATES && countsFor(quorum, await people.actor(id)))
        candidates.push(id)
    }
  }
  return candidates
}

async function shortageIfKnown(
  executor: Executor,
  quorums: readonly Quorum[],
  requester: Actor,
): Promise<Shortage | undefined> {
  return requester.unsure === undefined ? shortage(executor, quorums, requester) : undefined
}
