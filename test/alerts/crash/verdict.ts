import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import type { Death } from './effects.ts'
import { NEXT, type Played, truthOf } from './rig.ts'

/** The card, once, resolved; and the one thing that may come twice, when the process ended before Slack's answer came. */
const CARDS = 1
/** After so many, every line of a minute is there and was read. */
const LATE_MINUTES = 5

/** What of the promises a play broke, as sentences; empty when none. `usual` is the play in which no process ended. */
export function brokenPromises(played: Played, usual: Played, death?: Death): readonly string[] {
  const step = death === undefined ? 'no end' : `${death.when} step ${death.step} (${played.steps.at(-1)})`
  const answerLost = isAnswerLost(played.steps, death)
  const cards = played.board.posted.filter(({ thread }) => thread === undefined)
  const replies = played.board.posted.filter(({ thread }) => thread !== undefined)
  const usualReplies = usual.board.posted.filter(({ thread }) => thread !== undefined)
  const repeated = Math.max(0, cards.length - CARDS) + Math.max(0, replies.length - usualReplies.length)
  const open = played.incidents.filter(({ endedAt }) => endedAt === undefined)
  const unshown = played.incidents.filter(({ revision, shownRevision }) => revision > shownRevision)
  const newest = played.minutes.at(-1)?.minute ?? 0
  const miscounted = played.minutes.filter((minute) => {
    const known = countsOf(minute)
    const all = countsOf(truthOf(minute.minute))
    const isOver = newest - minute.minute > LATE_MINUTES
    return known.some((count, at) => count > (all[at] ?? 0) || (isOver && count !== all[at]))
  })
  const uncounted = usual.minutes.length - played.minutes.length
  return [
    ...(played.incidents.length === 1 ? [] : [`${step}: ${played.incidents.length} incidents instead of one`]),
    ...(cards.length === 0 ? [`${step}: the incident was lost`] : []),
    ...(repeated > (answerLost ? 1 : 0) ? [`${step}: ${repeated} posts were repeated`] : []),
    ...(open.length > 0 ? [`${step}: it did not end`] : []),
    ...(unshown.length > 0 ? [`${step}: the message does not show the present state`] : []),
    ...(cards.length > 0 && !cards.at(-1)!.texts.at(-1)!.startsWith('✅')
      ? [`${step}: the message does not say that it is over`]
      : []),
    ...(replies.some(({ texts }) => texts[0]?.includes('Resolved after') === true)
      ? []
      : [`${step}: nobody was told of the end`]),
    ...(replies.some(({ message }) => JSON.stringify(message.blocks).includes(NEXT))
      ? []
      : [`${step}: nobody else was called`]),
    ...(miscounted.length > 0
      ? [`${step}: lines of ${miscounted.length} minutes were counted twice or not at all`]
      : []),
    ...(uncounted > 0 ? [`${step}: ${uncounted} minutes were not counted`] : []),
    ...(played.left > 0 ? [`${step}: ${played.left} posts are left`] : []),
  ]
}

/** Slack had it, and the process ended before that was noted: nobody can know then whether it had. */
function isAnswerLost(steps: readonly string[], death: Death | undefined): boolean {
  const [before = '', last = ''] = steps.slice(-2)
  if (death?.when === 'after') return last.startsWith('notifier.')
  return last === 'outbox.delivered' && before.startsWith('notifier.')
}

function countsOf({ hit, stale, miss, c5xx }: MinuteCounts): readonly number[] {
  return [hit, stale, miss, c5xx]
}
