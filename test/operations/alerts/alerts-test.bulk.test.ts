import { describe, expect, it, test, vi } from 'vitest'
import { HELD_MINUTES } from '../../../src/alerts/series/minute-series.ts'
import { alertsTest } from '../../../src/operations/alerts/alerts-test.ts'
import { checkContext, problemsOf } from '../../support/operation-context.ts'
import { createAlertsBench, deskWith, NOW_MINUTE, ordinaryMinute, withOutage, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'

const bench = forEachTest(createAlertsBench)
const STALE = { kind: 'origin-failing', pullZone: 'shop' }

describe('trying an alert on the past', () => {
  const SINCE = 'since: Since lies more than 7 days back, which is too far: take --since 7d.'
  it('says when it would have fired, how long, how often a week, and how much is known', async () => {
    const { message, text, buttons } = await bench.ask(alertsTest, STALE, { alerts: deskWith(withOutage) })
    const lines = text.split('\n')
    expect([...lines.slice(0, 4), ...lines.slice(5)]).toEqual([
      'Origin failing, tried on pull zone shop (301)',
      'Would have fired once in 3 d. 100.0 % of that time is known. Default limits.',
      'From 2026-11-20 10:32, To 2026-11-20 10:58, For 26 min, Severity 🔴 Critical, Worst 63 %',
      'Times are in UTC.',
      '/cdn alerts add origin-failing 301',
    ])
    expect(lines[4]).toMatch(/^Origin failing: 11-17 12:00 0, 11-17 16:00 0, .*, 11-20 04:00 0, 11-20 08:00 25$/)
    const chart = message.blocks.find(({ type }) => type === 'data_visualization')
    const axes = ['Time (UTC), worst 10 min of each 4 h', '"%"'].filter((words) =>
      JSON.stringify(chart).includes(words),
    )
    expect(axes).toHaveLength(2)
    const values = { kind: 'origin-failing', pullZone: '301' }
    expect(buttons).toEqual([
      { kind: 'form', label: 'Change it', operation: 'alerts test', values },
      { kind: 'form', label: 'Turn it on', operation: 'alerts add', values },
    ])
  })

  it.each([
    ['cache-not-working', 40],
    ['origin-failing', 30],
  ])('draws of %s the worst ten minutes of each step, whichever way that is', async (kind, worst) => {
    const { text } = await asked(kind, (minute) => {
      const ago = NOW_MINUTE - minute
      if (ago > 50 && ago <= 60) return ordinaryMinute(minute, { hit: 40, miss: 60, c2xx: 70, c5xx: 30 })
      return ago <= 40 ? ordinaryMinute(minute, { hit: 100, miss: 0, c2xx: 100, c5xx: 0 }) : ordinaryMinute(minute)
    })
    expect(text).toMatch(new RegExp(`, 11-20 08:00 ${worst}$`, 'm'))
  })

  it.each([
    ['190m', '10 min'],
    ['191m', '20 min'],
    ['6840m', '6 h'],
    ['7d', '12 h'],
  ])('draws what happened since %s in steps of %s', async (since, step) => {
    const { message } = await bench.ask(alertsTest, { ...STALE, since }, { alerts: deskWith(ordinaryMinute) })
    expect(JSON.stringify(message.blocks)).toContain(`Time (UTC), worst 10 min of each ${step}"`)
  })

  it('says of an alert that goes on that it does, of the newest fifty, and of counts by their unit', async () => {
    const gone = (minute: number) =>
      (NOW_MINUTE - minute) % 120 < 25 ? ordinaryMinute(minute, { hit: 1, miss: 0, c2xx: 1 }) : ordinaryMinute(minute)
    const { text } = await asked('traffic-gone', gone, { since: '7d' })
    const lines = text.split('\n')
    expect([...lines.slice(0, 4), ...lines.slice(12, 15)]).toEqual([
      'Traffic gone, tried on pull zone shop (301)',
      'Would have fired 169 times in 7 d, about 169.0 a week. 100.0 % of that time is known. Default limits.',
      'From 2026-11-20 11:54, To not yet, For –, Severity 🔴 Critical, Worst 1 lines a minute',
      'From 2026-11-20 11:39, To 2026-11-20 11:44, For 5 min, Severity 🔴 Critical, Worst 1 lines a minute',
      'and 40 more',
      'Times are in UTC.',
      '119 earlier times are not listed.',
    ])
  })

  it('says what other parameters would have done', async () => {
    const limits = { warning: '60', critical: '80' }
    const { text, buttons } = await bench.ask(alertsTest, { ...STALE, ...limits }, { alerts: deskWith(withOutage) })
    expect(text).toMatch(
      /\nWould not have fired in 3 d\. 100\.0 % of that time is known\. Set: warning 60 %, critical 80 %\.\nOrigin failing: /,
    )
    expect(text).toMatch(/\n\/cdn alerts add origin-failing 301 --warning 60 --critical 80$/)
    const values = { kind: 'origin-failing', pullZone: '301', warning: '60', critical: '80' }
    expect(buttons).toEqual([
      { kind: 'form', label: 'Change it', operation: 'alerts test', values },
      { kind: 'form', label: 'Turn it on', operation: 'alerts add', values },
    ])
  })

  it('says since when the zone is known, until that is a week', async () => {
    const since = (minutes: number) =>
      deskWith((minute) => (minute < NOW_MINUTE - minutes ? undefined : ordinaryMinute(minute)))
    const { text } = await bench.ask(alertsTest, STALE, { alerts: since(1_440) })
    expect(text).toContain('Known since 2026-11-19 12:00 UTC.')
    expect((await bench.ask(alertsTest, STALE, { alerts: since(7 * 1_440) })).text).not.toContain('Known since')
  })

  it('says how often a week from one known day on', async () => {
    const noisy = every((minute) => stale(minute, 3))
    const day = await asked('origin-failing', noisy, { since: '1d' })
    expect(day.text).toContain('Would have fired 4 times in 24 h, about 28.0 a week.')
    const less = await asked('origin-failing', noisy, { since: '22h' })
    expect(less.text).toContain('Would have fired 3 times in 22 h. ')
    const known = [
      'origin-failing',
      (minute: number) => (minute < NOW_MINUTE - 1_440 ? undefined : noisy(minute)),
    ] as const
    const { text } = await asked(...known, { since: '2d' })
    expect(text).toContain('Would have fired 4 times in 2 d, about 28.0 a week. 50.0 % of that time is known.')
  })

  it('reads back first where nothing is known, and tells how far it has come', async () => {
    let known = false
    const said: string[] = []
    const alerts = deskWith((minute) => (known ? ordinaryMinute(minute) : undefined), {
      backfill: async (_, { progress }) => {
        known = true
        progress('Read the file of 19 November')
        return { covered: 1, problems: ['One day was refused.'] }
      },
    })
    const { text } = await bench.ask(alertsTest, STALE, { alerts, progress: (sentence) => said.push(sentence) })
    expect(said).toEqual(['Read the file of 19 November'])
    expect(text).toMatch(/\nWould not have fired in 3 d\.[^]*\n:?\S* ?One day was refused\.\n\/cdn alerts add/)
  })

  it('says that nothing is known, and not that nothing happened', async () => {
    const problems = ['Logging is off for this zone.']
    const backfill = async () => ({ covered: 0, problems })
    const { text, buttons } = await bench.ask(alertsTest, STALE, { alerts: deskWith(() => undefined, { backfill }) })
    expect(text).toBe(
      'Nothing is known of pull zone shop (301) in that time, so nothing was tried.\nLogging is off for this zone.',
    )
    const values = { kind: 'origin-failing', pullZone: '301' }
    expect(buttons).toEqual([{ kind: 'form', label: 'Change it', operation: 'alerts test', values }])
  })

  it('looks as far back as is asked for', async () => {
    const asked: number[] = []
    const alerts = deskWith(ordinaryMinute, {
      minutes: async (_, from, until) => {
        asked.push(until - from)
        return [ordinaryMinute(NOW_MINUTE - 1)]
      },
    })
    for (const since of [{ since: '2h' }, {}]) await bench.ask(alertsTest, { ...STALE, ...since }, { alerts })
    expect(asked).toEqual([120 + HELD_MINUTES, 4_320 + HELD_MINUTES])
    const [page] = alertsTest.form ?? []
    expect(page?.fields({ kind: 'traffic-surge' })).toEqual(['kind', 'pullZone', 'since', 'warning'])
    expect(page?.wording?.({ kind: 'traffic-surge' })).toHaveProperty('warning.label', 'Warning')
    const positionals = [{}, { kind: '5xx' }, { kind: 'my-shop' }].map((values) => alertsTest.positionals(values))
    const all = ['kind', 'pullZone', 'since']
    expect(positionals).toEqual([all, all, ['pullZone']])
  })

  test.each([
    [{ since: '8d' }, SINCE],
    [{ since: '10082m' }, SINCE],
    [{ since: '2026-11-20T12:00:00Z' }, 'since: Since lies in the future.'],
    [{ quota: '1' }, 'quota: origin-failing has no parameter quota.'],
    [{ kind: 'storage-change' }, 'kind: Kind cannot be storage-change.'],
    [{ kind: 'cannot-look' }, 'kind: Kind cannot be cannot-look.'],
    [{ kind: 'poller-health' }, 'kind: Kind cannot be poller-health.'],
  ])('refuses what cannot be tried: %o', (values, said) => {
    const [first] = problemsOf(alertsTest, { ...STALE, ...values }, checkContext({ zones: ZONES }))
    expect(first).toContain(said)
    expect(problemsOf(alertsTest, { ...STALE, since: '7d' }, checkContext({ zones: ZONES }))).toEqual([])
  })
})

const HOUR = 60
const stale = (minute: number, share: number): MinuteCounts =>
  ordinaryMinute(minute, { hit: 900 - share * 10, miss: 100, stale: share * 10, c2xx: 1_000 })
/** A thousand lines a minute. Every seven hours of the last three days something for 15 minutes; `ago` counts them back. */
const every =
  (what: (minute: number, ago: number) => MinuteCounts) =>
  (minute: number): MinuteCounts => {
    const minutesAgo = NOW_MINUTE - minute
    const ago = Math.floor(minutesAgo / (7 * HOUR))
    const isIt =
      minutesAgo < 3 * 24 * HOUR - 30 && minutesAgo % (7 * HOUR) >= 2 * HOUR && minutesAgo % (7 * HOUR) < 2 * HOUR + 15
    return isIt ? what(minute, ago) : stale(minute, 0)
  }
/** An hour of little, and a quarter of an hour of more, `graver` times seven hours back. */
const longest =
  (graver: number) =>
  (minute: number): MinuteCounts => {
    const hoursAgo = (NOW_MINUTE - minute) / HOUR - 4 * 7
    if (hoursAgo >= 2 && hoursAgo < 3) return stale(minute, 2.5)
    return every((at, ago) => stale(at, ago === graver ? 4.5 : 0))(minute)
  }
const asked = async (kind: string, minutes: (minute: number) => MinuteCounts | undefined, values: RawValues = {}) => {
  const { text, buttons } = await bench.ask(
    alertsTest,
    { kind, pullZone: 'shop', ...values },
    { alerts: deskWith(minutes) },
  )
  const use = buttons.find((each) => each.kind === 'form' && each.operation === 'alerts add')
  return { text, use: use?.kind === 'form' ? use : undefined }
}

describe('a limit that would have told less', () => {
  it('is offered, filled in, and does what is said of it', async () => {
    const noisy = every((minute, ago) => stale(minute, ago === 3 ? 30 : 3))
    const before = vi.spyOn(bench.store.marks, 'list')
    const { text, use } = await asked('origin-failing', noisy)
    expect(text).toMatch(/Would have fired (9|10) times in 3 d, about 2[1-3]\.\d a week\./)
    expect(text).toMatch(/[\d.]+ % would have fired once instead of (9|10) times\. What was critical is still told\./)
    expect(use?.label).toMatch(/^Use [\d.]+ %$/)
    // Each look at the past reads the marks.
    expect(before.mock.calls.length).toBeLessThanOrEqual(9)
    const { kind: _, pullZone: __, ...limits } = use?.values ?? {}
    const again = await asked('origin-failing', noisy, limits)
    expect(again.text).toContain('Would have fired once')
    expect(again.use?.label).toBe('Turn it on')
  })

  it('never lies beyond what is critical', async () => {
    const noisy = every((minute, ago) => stale(minute, ago === 3 ? 30 : 2.9))
    const { use } = await asked('origin-failing', noisy, { critical: '2.95' })
    expect(Number(use?.values['warning'])).toBeGreaterThan(2.95)
    expect(use?.values['critical']).toBe(use?.values['warning'])
  })

  it('is not looked for where what was bad happened too often', async () => {
    const looks = vi.spyOn(bench.store.marks, 'list')
    const { text, use } = await asked(
      'origin-failing',
      every((minute, ago) => stale(minute, ago > 2 ? 30 : 3)),
    )
    expect([text.includes('instead of'), use?.label, looks.mock.calls.length]).toEqual([false, 'Turn it on', 1])
  })

  it('keeps what lasted longest, where nothing was critical', async () => {
    const { text } = await asked(
      'origin-failing',
      every((minute, ago) => stale(minute, ago === 3 ? 4.5 : 2.5)),
    )
    expect(text).toContain('The longest is still told.')
  })

  it('keeps what was critical and goes on', async () => {
    const noisy = every((minute) => stale(minute, 3))
    const { text } = await asked('origin-failing', (minute) =>
      NOW_MINUTE - minute < 15 ? stale(minute, 30) : noisy(minute),
    )
    expect(text).toMatch(/would have fired once instead of \d+ times\. What was critical is still told\./)
  })

  it.each<[string, (minute: number) => MinuteCounts]>([
    ['it fires once', every((minute, ago) => (ago === 3 ? stale(minute, 30) : stale(minute, 0)))],
    ['all of it was alike', every((minute) => stale(minute, 3))],
    ['the longest was the mildest, before a graver one', longest(3)],
    ['the longest was the mildest, after a graver one', longest(5)],
  ])('is not offered where %s', async (_, minutes) => {
    const { text, use } = await asked('origin-failing', minutes)
    expect(text).not.toContain('instead of')
    expect(use?.label).toBe('Turn it on')
  })

  it('is lower for what falls', async () => {
    const part = (minute: number, of: number): MinuteCounts =>
      ordinaryMinute(minute, { hit: 900 * of, miss: 100 * of, c2xx: 1_000 * of })
    const { text, use } = await asked(
      'traffic-gone',
      every((minute, ago) => part(minute, ago === 3 ? 0.02 : 0.4)),
    )
    expect(text).toMatch(/% would have fired once instead of \d+ times/)
    expect(Number(use?.values['warning'])).toBeLessThan(40)
  })
})
