import type { TrafficKind } from '../../../src/alerts/alert-kind.ts'
import type { MinuteSeries } from '../../../src/alerts/minute-series.ts'
import { parametersOf } from '../../../src/alerts/parameters.ts'
import type { Level } from '../../../src/alerts/reading.ts'
import type { TrafficTrust } from '../../../src/alerts/traffic-trust.ts'

interface Look {
  readonly atMs: number
  readonly bad: boolean
  readonly fast: boolean
}

const MINUTE_MS = 60_000
const NOT_BAD: ReadonlySet<Level> = new Set(['no data', 'clear', 'between'])
/** Looks further back than any definition asks for are forgotten. */
const MAX_LOOKS = 90
/** A look that is so much nearer than it should be still counts: minutes are whole, and so are distances. */
const SLACK_MS = 1_000

/**
 * Says when a definition holds, from a kind's own look at each minute and its timing alone: written a second time, so
 * that a mistake in the life of an alert does not excuse itself. It knows nothing of phases, silences and incidents.
 */
export class Oracle {
  readonly #kind: TrafficKind
  #looks: readonly Look[] = []

  constructor(kind: TrafficKind) {
    this.#kind = kind
  }

  /** Whether the definition holds at a minute, given all looks before. Asked for each minute in order. */
  holdsAt(series: MinuteSeries, at: number, trust: TrafficTrust): boolean {
    if (at % this.#kind.every !== 0) return false
    const parameters = parametersOf(this.#kind, {})
    const view = { series, at, trust, frozenBaseline: undefined, firing: false }
    const { level, fast = false } = this.#kind.rule(parameters).observe(view)
    if (level === 'no data' && !fast) return false
    const look = { atMs: at * MINUTE_MS, bad: !NOT_BAD.has(level), fast }
    this.#looks = [...this.#looks, look].slice(-MAX_LOOKS)
    return this.#isFast() || (look.bad && this.#isOften(this.#kind.timing(parameters)))
  }

  #isFast(): boolean {
    const [before, newest] = this.#looks.slice(-2)
    return newest?.fast === true && before?.fast === true && newest.atMs - before.atMs <= MINUTE_MS + SLACK_MS
  }

  /** Bad in so many of the last looks, going back from the newest by the distance the timing asks for. */
  #isOften({ times, of, apartMs }: { readonly times: number; readonly of: number; readonly apartMs: number }): boolean {
    const newest = this.#looks.at(-1)
    if (newest === undefined) return false
    let bad = 0
    for (let back = 0; back < of; back += 1) {
      const wanted = newest.atMs - back * apartMs
      const look = this.#looks.find(({ atMs }) => Math.abs(atMs - wanted) <= SLACK_MS)
      if (look?.bad === true) bad += 1
    }
    return bad >= times
  }
}
