import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { backtest, type PastMinute, type Told } from '../../../src/alerts/backtest.ts'
import { watchSet } from '../../../src/operations/alerts/watch-set.ts'
import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'
import { begins, clumps, gaps, late, type Plain } from './harder.ts'

/** `node test/alerts/judged/figures.ts DIR [every]`: plays every so manieth of a judge's lives, and what makes them harder. */
const [dir = '', every = '4'] = process.argv.slice(2)
const [DAY, MONTH] = [1_440, 30 * 1_440]

interface Stretch {
  readonly from: number
  readonly until: number
}

/** What a judge says of a life. Minutes since `t0`; `lag` in seconds. */
interface Labels {
  readonly mode: 'quiet' | 'problems'
  readonly lag: number
  readonly warm: number
  readonly t0: number
  readonly evs: readonly (Stretch & { readonly type: string })[]
  readonly probs: readonly (Stretch & { readonly lam: number; readonly touched?: number; readonly p: object })[]
}

/** What the channel would have seen: `minute` as above. */
type Seen = Pick<Told, 'event' | 'aloud'> & { readonly minute: number; readonly kind: string }

const RULES = watchSet(1n, 'C0').map((key) => ({ ...key, id: key.kind, createdBy: '', createdAt: new Date(0) }))

async function play(minutes: readonly PastMinute[], { t0, lag, warm }: Labels, alone = ''): Promise<readonly Seen[]> {
  const rules = RULES.filter(({ kind }) => alone === '' || kind === alone)
  const span = { from: t0 + warm, until: t0 + warm + MONTH }
  const { told } = await backtest({ rules, minutes, ...span, lagMs: lag * 1_000, marks: [] })
  return told.map(({ atMs, event, aloud, alert }) => ({ minute: atMs / 60_000 - t0, event, aloud, kind: alert.kind }))
}

const OURS = ['as they are', 'late lines', 'gaps', '5xx in clumps'] as const
const ALONE = 'origin-failing alone'
const PLAIN: readonly (readonly [name: string, holds: (seen: Plain) => boolean])[] = [
  ['5 % of 5xx + STALE in 5 min', ({ lines, share }) => lines(5) >= 50 && share(5) > 0.05],
  [
    'burn rates of 99.9 %',
    ({ share }) => (share(60) > 0.0144 && share(5) > 0.0144) || (share(360) > 0.006 && share(30) > 0.006),
  ],
]
const HEARD: ReadonlySet<string> = new Set(['begin', 'worse', 'joined'])

class Row {
  zones = 0
  readonly false = new Map<string, number>()
  readonly large = { heard: 0, all: 0 }
  readonly all = { heard: 0, all: 0 }

  count({ mode, probs, lag, warm }: Labels, seen: readonly Seen[], ofOrigin = false): void {
    if (mode === 'quiet') {
      this.zones += 1
      for (const { event, kind, minute } of seen)
        if (event === 'begin' && minute >= warm) this.false.set(kind, (this.false.get(kind) ?? 0) + 1)
    }
    for (const { from, until, lam, touched = Infinity, p } of probs) {
      if (touched < 20 || (ofOrigin && !('stale' in p || 'e' in p || 'eo' in p))) continue
      const isHeard = seen.some(
        ({ event, aloud, minute }) => HEARD.has(event) && aloud && minute > from && minute <= until + 5 + lag / 60,
      )
      for (const sum of lam >= 30 ? [this.large, this.all] : [this.all]) {
        sum.all += 1
        sum.heard += Number(isHeard)
      }
    }
  }

  /** That a log could not be read is true of a gap. */
  get falseAZone(): number {
    const begun = [...this.false].filter(([kind]) => kind !== 'cannot-look')
    return begun.reduce((all, [, count]) => all + count, 0) / this.zones
  }

  line(name: string): string {
    const kinds = [...this.false].map(([kind, count]) => `${kind} ${count}`).join(', ')
    const share = ({ heard, all }: Row['all']): string => `${heard}/${all} (${((100 * heard) / all).toFixed(1)} %)`
    return `| ${name} | ${this.falseAZone.toFixed(2)} | ${kinds} | ${share(this.large)} | ${share(this.all)} |`
  }
}

const rows = new Map([...OURS, ALONE, ...PLAIN.map(([name]) => name)].map((name) => [name, new Row()]))
const FIRST_DAYS = [
  [0, 1],
  [1, 4],
  [4, 8],
  [8, 15],
].map(([from = 0, until = 0]) => ({ from, until, begins: 0 }))
let newZones = 0
const files = readdirSync(dir)
  .filter((name) => name.endsWith('.labels.json'))
  .toSorted()
for (const file of files.filter((_, place) => place % Number(every) === 0)) {
  const labels = JSON.parse(readFileSync(`${dir}/${file}`, 'utf8')) as Labels
  const { t0, warm, lag, mode, evs, probs } = labels
  const text = readFileSync(`${dir}/${file.replace('.labels.json', '.jsonl')}`, 'utf8')
  const minutes = text.split('\n').filter(Boolean).map(countsOf)
  const random = seededRandom(file)
  const labelled = [...probs, ...evs.filter(({ type }) => type.includes('5xx'))]
  const keeps = (minute: number): boolean =>
    labelled.some(({ from, until }) => minute - t0 >= from && minute - t0 < until)
  const lives = [minutes, late(minutes, random), gaps(minutes, random), clumps(minutes, random, keeps)]
  for (const [place, name] of OURS.entries()) rows.get(name)?.count(labels, await play(lives[place] ?? [], labels))
  rows.get(ALONE)?.count(labels, await play(minutes, labels, 'origin-failing'), true)
  for (const [name, holds] of PLAIN) {
    const at = begins(minutes, warm, holds).map((minute) => minute + lag / 60)
    rows.get(name)?.count(
      labels,
      at.map((minute) => ({ minute, event: 'begin', aloud: true, kind: 'rule' })),
      true,
    )
  }
  if (mode === 'quiet') {
    newZones += 1
    const days = (await play(minutes.slice(warm, warm + 15 * DAY), labels)).filter(({ event }) => event === 'begin')
    for (const span of FIRST_DAYS)
      span.begins += days.filter(
        ({ minute }) => minute >= warm + span.from * DAY && minute < warm + span.until * DAY,
      ).length
  }
  process.stderr.write(`${file}\n`)
}

function countsOf(row: string): MinuteCounts {
  const { minute, '1xx': c1xx, '2xx': c2xx, '3xx': c3xx, '4xx': c4xx, '5xx': c5xx, ...counts } = JSON.parse(row)
  return { ...counts, c1xx, c2xx, c3xx, c4xx, c5xx, uncoded: 0, minute: Date.parse(minute) / 60_000, coveredMs: 60_000 }
}

const missed = OURS.flatMap((name) => {
  const { falseAZone = Infinity, large = { heard: 0, all: 1 } } = rows.get(name) ?? {}
  return falseAZone <= 1.5 && large.heard / large.all >= 0.93 ? [] : [name]
})
const table = `# What alerts make of made-up lives

| life | false a zone-month | which, in all | heard, from 30 lines a minute | heard, of all |
| --- | --- | --- | --- | --- |
${[...rows].map(([name, row]) => row.line(name)).join('\n')}

Asked for: at most 1.5 false a zone-month, which cannot-look does not count in, and 93 % heard. Missed: ${missed.join(', ') || 'nowhere'}.

| days of a new zone | false | as a zone-month |
| --- | --- | --- |
${FIRST_DAYS.map((each) => `| ${each.from} to ${each.until - 1} | ${each.begins} in ${newZones} zones | ${((each.begins * 30) / newZones / (each.until - each.from)).toFixed(1)} |`).join('\n')}
`
writeFileSync(new URL('figures.md', import.meta.url), table)
