import type { Told } from './alert-book.ts'
import { type Day, TEAM_CHANNEL } from './day.ts'
import type { STATIC_RULE, Z_RULE } from './rivals.ts'
import type { Scripted } from './script.ts'
import { subjectOf } from './sites.ts'

const MINUTE_MS = 60_000
/** What began while something was wrong, and is said after it has ended, is about that all the same. */
const AFTERWARDS_MS = 10 * MINUTE_MS
/** From a definition's first minute past the lag to the message. */
export const TOLD_WITHIN_MS = 90_000
/** From the start of an outage to the message, beside the lag. */
export const FAST_WITHIN_MS = 3 * MINUTE_MS
/** Smaller sites do not have enough lines a minute to be sure so soon. */
export const FAST_FROM_REQUESTS = 200

/** How one of the things that go wrong was told. Times in milliseconds. */
export interface Case {
  readonly scripted: Scripted
  /** First messages in the team's channel. */
  readonly cards: number
  /** Times at which the message came to say that it is over. */
  readonly resolutions: number
  readonly kinds: readonly string[]
  /** From its start. */
  readonly afterStartMs: number | undefined
  /** From the first minute past the lag in which a definition held. */
  readonly afterHeldMs: number | undefined
}

export interface Verdict {
  readonly cases: readonly Case[]
  /** Messages about nothing that went wrong, and messages about what somebody had marked. */
  readonly falseAlarms: readonly Told[]
}

/** Sets what was told against what happened. */
export function judge(day: Day): Verdict {
  const cards = day.told.filter(({ what }) => what === 'post')
  const due = day.script.filter(({ what }) => what !== 'marked purge')
  const cases = due.map((scripted): Case => {
    const own = cards.filter((card) => card.channelId === TEAM_CHANNEL && isAbout(card, scripted))
    const lines = day.told.filter(({ incidentId }) => own.some((card) => card.incidentId === incidentId))
    const heldMs = day.held.find((held) => held.channelId === TEAM_CHANNEL && isAbout(held, scripted))?.atMs
    const toldMs = own[0]?.atMs
    return {
      scripted,
      cards: own.length,
      resolutions: resolutions(lines),
      kinds: [...new Set(lines.flatMap(({ doc }) => doc.alerts.map(({ kind }) => kind)))],
      afterStartMs: toldMs === undefined ? undefined : toldMs - scripted.fromMs,
      afterHeldMs: toldMs === undefined || heldMs === undefined ? undefined : toldMs - heldMs,
    }
  })
  return { cases, falseAlarms: cards.filter((card) => !due.some((scripted) => isAbout(card, scripted))) }
}

/** The same for the rules of others: what they told, how late, and how often they were wrong. */
export function judgeRival(day: Day, rival: typeof STATIC_RULE | typeof Z_RULE) {
  const alarms = day.rivalAlarms.filter((alarm) => alarm.rival === rival)
  const due = day.script.filter(({ what }) => what !== 'marked purge')
  const delays = due.flatMap((scripted) => {
    const first = alarms.find((alarm) => isAbout(alarm, scripted))
    return first === undefined ? [] : [first.atMs - scripted.fromMs]
  })
  return { delays, falseAlarms: alarms.filter((alarm) => !due.some((scripted) => isAbout(alarm, scripted))).length }
}

function isAbout(
  { subject, atMs }: { readonly subject: string; readonly atMs: number },
  { site, fromMs, untilMs }: Scripted,
): boolean {
  return subject === subjectOf(site) && atMs >= fromMs && atMs <= untilMs + site.lagMs + AFTERWARDS_MS
}

/** How often a message went from going on to over. */
function resolutions(told: readonly Told[]): number {
  const states = told.filter(({ what }) => what !== 'reply').map(({ ended }) => ended)
  return states.filter((ended, at) => ended && states[at - 1] !== true).length
}
