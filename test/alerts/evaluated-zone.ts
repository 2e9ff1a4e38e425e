import { evaluateTraffic } from '../../src/alerts/incidents/evaluation.ts'
import { readIncidentDoc, type IncidentDoc } from '../../src/alerts/state/incident.ts'
import type { ReplyBody } from '../../src/alerts/incidents/incident-reply.ts'
import { MinuteSeries, emptyMinute } from '../../src/alerts/series/minute-series.ts'
import { WeeklyBaseline } from '../../src/alerts/series/baseline.ts'
import type {
  AlertRule,
  IncidentRecord,
  MarkRecord,
  NewAlertPost,
  SilenceRecord,
  SubjectView,
} from '../../src/store/schema/alert-records.ts'
import type { MinuteCounts } from '../../src/store/schema/minute-counts.ts'
import { AlertBook } from './alert-book.ts'

const MINUTE = 60_000
/** In minutes since 1970. */
export const NOON = Date.parse('2026-11-20T12:00:00Z') / MINUTE
/** Earlier minutes, as ordinary as can be: a day is known, and more. */
const PAST_MINUTES = 2_000
const LINES = 1_000

export const rule = (kind: string, more: Partial<AlertRule> = {}): AlertRule => ({
  id: `${kind}-${more.channelId ?? 'C1'}`,
  kind,
  subject: 'pull/301',
  channelId: 'C1',
  parameters: {},
  createdBy: 'U1',
  createdAt: new Date(0),
  ...more,
})

/** Shares of a minute's thousand lines, of which a tenth are misses; what is left are hits answered with 200. */
export interface Minute extends Readonly<Partial<Record<'stale' | 'miss' | 'c5xx' | 'bypass', number>>> {
  /** Nothing is known of it. */
  readonly unread?: boolean
  /** How many minutes reading is behind. */
  readonly behind?: number
}

/** A pull zone whose minutes are looked at one after the other, with a book in place of the store. */
export class EvaluatedZone {
  rules: readonly AlertRule[]
  silences: readonly SilenceRecord[] = []
  marks: readonly MarkRecord[] = []
  acknowledgedBy: string | undefined
  releasedAt: Date | undefined
  webhook = false
  readonly posts: (NewAlertPost & { readonly minute: number })[] = []
  /** The minutes at which something of a state was stored. */
  readonly stored: number[] = []
  readonly #book = new AlertBook()
  readonly #series = new MinuteSeries(NOON - PAST_MINUTES)
  readonly #baseline = new WeeklyBaseline(this.#series)
  #ids = 0
  #at = NOON

  constructor(...rules: readonly AlertRule[]) {
    this.rules = rules
    for (let ago = PAST_MINUTES; ago > 0; ago -= 1) this.#series.put(countsOf(NOON - ago, {}))
  }

  /** Minutes since noon that have been looked at. */
  get minute(): number {
    return this.#at - NOON
  }

  look(minutes: number, what: Minute = {}, lateMs = 120_000): void {
    for (let count = 0; count < minutes; count += 1) {
      if (what.unread !== true) this.#series.put(countsOf(this.#at, what))
      this.#at += 1
      const at = this.#at
      const now = new Date(at * MINUTE + lateMs)
      const trust = { lagMs: 120_000, behindMinutes: what.behind ?? 0, covered: 1 }
      const view = this.view(now)
      const newId = (): string => `incident${(this.#ids += 1)}`
      const known = { series: this.#series, baseline: this.#baseline, trust, samples: SAMPLES }
      const evaluated = evaluateTraffic({ view, subject: 'pull/301', ...known, at, now, newId, webhook: this.webhook })
      if (evaluated.incidents.some(({ unacknowledge }) => unacknowledge === true)) this.acknowledgedBy = undefined
      this.#book.commit(evaluated)
      if (evaluated.changed.length > 0) this.stored.push(this.minute)
      this.posts.push(...evaluated.posts.map((post) => ({ ...post, minute: this.minute })))
    }
  }

  /** The clock is put back by so many minutes, which are looked at once more. */
  putBack(minutes: number): void {
    this.#at -= minutes
  }

  /** Somebody takes their acknowledgement back, two minutes after the minute that was looked at. */
  release(): void {
    this.acknowledgedBy = undefined
    this.releasedAt = new Date(this.#at * MINUTE + 120_000)
  }

  /** Somebody answers that what is open is not a problem. */
  dismiss(person = 'U4'): void {
    this.#book.dismiss(person, new Date(this.#at * MINUTE + 120_000))
  }

  view(now: Date): SubjectView {
    const { incidents, states } = this.#book.view('pull/301', now)
    const { rules, silences, marks, acknowledgedBy, releasedAt } = this
    const seen = incidents.map((each): IncidentRecord => ({ ...each, acknowledgedBy, releasedAt }))
    return { rules, states, incidents: seen, silences, marks, watch: undefined }
  }

  incidents(): readonly (IncidentRecord & { readonly doc: IncidentDoc })[] {
    const known = this.view(new Date(this.#at * MINUTE)).incidents
    return known.map((each) => ({ ...each, doc: readIncidentDoc(each.doc) }))
  }

  /** What was said in threads, and when. */
  replies() {
    return this.posts
      .filter(({ what }) => what === 'reply')
      .map(({ minute, body }) => ({ minute, ...(body as ReplyBody) }))
  }

  /** What people hear of, whom it calls, and whether in the channel: replies, and cards that do not wait; then what is shown. */
  heard(): string {
    const heard = this.posts.flatMap(({ minute, what, body, dueAt }) => {
      if (what === 'card') return dueAt.getTime() % MINUTE === 0 ? [`${minute} card`] : []
      // Written by the evaluation itself.
      const { kind, mention = '', escalate = '', broadcast, silencedUntilMs } = body as ReplyBody
      const still = silencedUntilMs === undefined ? '' : `silenced until ${silencedUntilMs / MINUTE - NOON}`
      return [
        [minute, kind, escalate, mention, still, broadcast ? 'aloud' : ''].filter((each) => each !== '').join(' '),
      ]
    })
    const shown = this.incidents().map(({ doc, endedAt, acknowledgedBy }) => {
      const alerts = doc.alerts.map(({ severity, endedMs, unwatched }) => {
        return endedMs === undefined ? severity : unwatched === true ? 'unwatched' : 'over'
      })
      const held = acknowledgedBy === undefined ? [] : [acknowledgedBy]
      return [endedAt === undefined ? 'open' : 'ended', ...held, doc.cycle, ...alerts].join(' ')
    })
    return [...heard, ...shown].join(', ')
  }

  /** What was posted, as `minute what`: a reply by its kind, a card by how many seconds it waits. */
  told(): readonly string[] {
    return this.posts.map(({ minute, what, body, dueAt }) => {
      // Written by the evaluation itself, directly above.
      if (what === 'reply') return `${minute} ${(body as ReplyBody).kind}`
      return `${minute} ${what} ${(dueAt.getTime() - (NOON + minute) * MINUTE) / 1_000 - 120}`
    })
  }
}

const SAMPLES = ['STALE', 'MISS', 'STALE'].map((cacheStatus, index) => ({
  atMs: NOON * MINUTE - index,
  cacheStatus,
  path: `/${index}`,
}))

export function countsOf(
  minute: number,
  { stale = 0, miss = 0.1, c5xx = 0, bypass = 0, unread = false }: Minute,
): MinuteCounts {
  const lines = unread ? 0 : LINES
  const of = (share: number): number => Math.round(share * lines)
  return {
    ...emptyMinute(minute, unread ? 0 : MINUTE),
    stale: of(stale),
    miss: of(miss),
    bypass: of(bypass),
    hit: lines - of(stale) - of(miss) - of(bypass),
    c5xx: of(c5xx),
    c2xx: lines - of(c5xx),
  }
}
