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
  it('says when it would have fired, how long, how often a week, and how much is known', async () => {
    const { message, text } = await bench.ask(alertsTest, STALE, { alerts: deskWith(withOutage) })
    expect(text).toMatch(/Would have fired once in 3 d\./)
    expect(text).toContain('100.0 % of that time is known.')
    expect(text).toMatch(/From 2026-11-20 10:3\d, To 2026-11-20 1\d:\d\d, For \d+ min, Severity 🔴 Critical, Worst/)
    expect(message.blocks.map(({ type }) => type)).toContain('data_visualization')
  })

  it('says what other parameters would have done', async () => {
    const limits = { warning: '60', critical: '80' }
    const { text, buttons } = await bench.ask(alertsTest, { ...STALE, ...limits }, { alerts: deskWith(withOutage) })
    expect(text).toContain('Would not have fired')
    expect(text).toContain('Set: warning 60 %, critical 80 %.')
    expect(text).toContain('/cdn alerts add origin-failing 301 --warning 60 --critical 80')
    const values = { kind: 'origin-failing', pullZone: '301', warning: '60', critical: '80' }
    expect(buttons?.at(-1)).toEqual({ kind: 'form', label: 'Turn it on', operation: 'alerts add', values })
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
  })

  it('reads back first where nothing is known, and tells how far it has come', async () => {
    let known = false
    const said: string[] = []
    const alerts = deskWith((minute) => (known ? ordinaryMinute(minute) : undefined), {
      readBack: async (_, { progress }) => {
        known = true
        progress('Read the file of 19 November')
        return { span: undefined, lines: 1, covered: 1, problems: ['One day was refused.'] }
      },
    })
    const { text } = await bench.ask(alertsTest, STALE, { alerts, progress: (sentence) => said.push(sentence) })
    expect(said).toEqual(['Read the file of 19 November'])
    expect(text).toContain('One day was refused.')
    expect(text).toContain('Would not have fired')
  })

  it('says that nothing is known, and not that nothing happened', async () => {
    const problems = ['Logging is off for this zone.']
    const readBack = async () => ({ span: undefined, lines: 0, covered: 0, problems })
    const { text } = await bench.ask(alertsTest, STALE, { alerts: deskWith(() => undefined, { readBack }) })
    expect(text).toContain('Nothing is known of pull zone shop (301) in that time, so nothing was tried.')
    expect(text).toContain('Logging is off')
  })

  it('looks as far back as is asked for', async () => {
    const asked: number[] = []
    const alerts = deskWith(ordinaryMinute, {
      minutes: async (_, from, until) => {
        asked.push(until - from)
        return [ordinaryMinute(NOW_MINUTE - 1)]
      },
    })
    await bench.ask(alertsTest, { ...STALE, since: '2h' }, { alerts })
    expect(asked).toEqual([120 + HELD_MINUTES])
  })

  test.each([
    [{ since: '8d' }, 'since: Since lies more than 7 days back.'],
    [{ since: '2026-11-20T12:01Z' }, 'since: Since lies in the future.'],
    [{ quota: '1' }, 'quota: origin-failing has no --quota.'],
    [{ kind: 'storage-change' }, 'kind: Kind cannot be storage-change.'],
    [{ kind: 'cannot-look' }, 'kind: Kind cannot be cannot-look.'],
    [{ kind: 'poller-health' }, 'kind: Kind cannot be poller-health.'],
  ])('refuses what cannot be tried: %o', (values, said) => {
    const [first] = problemsOf(alertsTest, { ...STALE, ...values }, checkContext({ zones: ZONES }))
    expect(first).toContain(said)
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
const asked = async (kind: string, minutes: (minute: number) => MinuteCounts, values: RawValues = {}) => {
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
