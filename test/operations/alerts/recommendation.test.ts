import { describe, expect, it, vi } from 'vitest'
import { alertsTest } from '../../../src/operations/alerts/alerts-test.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { MinuteCounts } from '../../../src/store/schema/minute-counts.ts'
import { createAlertsBench, deskWith, NOW_MINUTE, ordinaryMinute } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)

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
    expect(text).toMatch(/Would have fired (9|10) times/)
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
