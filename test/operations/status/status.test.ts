import { describe, expect, it } from 'vitest'
import type { Cdn, LogResult } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { status } from '../../../src/operations/status/status.ts'
import { NOW } from '../../support/operation-context.ts'
import { idleDesk } from '../../support/alert-desk.ts'
import { createAlertsBench, deskWith, NOW_MINUTE, ordinaryMinute } from '../alerts/alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
/** In the last 10 minutes half of what was fresh is stale, and a tenth fails. */
const failing = deskWith((minute) =>
  minute < NOW_MINUTE - 12
    ? ordinaryMinute(minute)
    : ordinaryMinute(minute, { hit: 45, stale: 45, c2xx: 90, c5xx: 10 }),
)

const lines = (count: number, truncated: boolean): LogResult => ({
  entries: Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(NOW.getTime() - 121_000 - index * 1_000),
    cacheStatus: index % 10 === 0 ? 'STALE' : 'HIT',
    statusCode: 200,
  })),
  truncated,
  next: undefined,
  pages: 1,
  appliedFrom: undefined,
  appliedTo: undefined,
  duplicates: 0,
  skipped: 0,
  pageRows: 2_000,
})
const asking = (result: LogResult, asked: unknown[] = []) => ({
  alerts: idleDesk(),
  cdn: {
    queryLogs: async (...given: unknown[]) => {
      asked.push(given)
      return result
    },
  } as unknown as Cdn, // It has the one method that is called.
})

describe('the status of a zone that is watched', () => {
  it('holds the last minutes and the last hour against what is usual', async () => {
    const { text, message } = await bench.ask(status, { pullZone: 'shop' }, { alerts: failing })
    expect(text.split('\n')[0]).toBe('🟠 shop: 10.0 % 5xx (0.0 % yesterday) in the last 5 min')
    expect(text).toContain('Pull zone shop (301) · as of 2026-11-20 11:58 UTC')
    expect(text).toContain('What STALE, Last 5 min 45.0 %, Last hour 7.5 %, Usual 0.0 %')
    expect(text).toContain('What 5xx, Last 5 min 10.0 %, Last hour 1.7 %, Usual 0.0 %')
    expect(text).toContain('What Requests a minute, Last 5 min 100, Last hour 100, Usual 100')
    expect(text).toContain('Usual is the median of 15-minute windows.')
    expect(message.blocks.map(({ type }) => type)).toContain('data_visualization')
  })

  it('names what fires, since when, and who looks after it', async () => {
    await bench.incident(
      '0123abcd'.padEnd(32, '0'),
      [{ kind: 'origin-failing' }, { kind: 'traffic-surge', endedMs: 1 }],
      { openedAt: new Date(NOW.getTime() - 18_000_000) },
    )
    const { text, message } = await bench.ask(status, { pullZone: '301' }, { alerts: failing })
    expect(text).toMatch(/^🔴 .*shop.*: origin failing(.|\n)*Firing: 🔴 origin failing[^\n]* \(0123abcd\)/)
    // It fires since ten minutes ago; the incident, which has begun again, was opened hours before.
    const since = NOW.getTime() / 1_000 - 600
    expect(JSON.stringify(message.blocks)).toContain(`(0123abcd) since <!date^${since}^`)
    expect(JSON.stringify(message.blocks)).toMatch(/; nobody has acknowledged it/)
  })

  it('says since when the zone is known, until that is a week', async () => {
    await bench.rule({})
    const known = async (minute: number): Promise<readonly string[]> => {
      await bench.store.minutes.put('301', [ordinaryMinute(minute)])
      const asked = [{ pullZone: '301' }, {}].map((values) => bench.ask(status, values, { alerts: failing }))
      return (await Promise.all(asked)).map(({ text }) => text)
    }
    const [one, all] = await known(NOW_MINUTE - 1_440)
    expect(one).toContain('Known since 2026-11-19 12:00 UTC.')
    expect(all).toContain('Less than a week is known: until then, usual peaks may raise alerts.')
    for (const text of await known(NOW_MINUTE - 7 * 1_440)) expect(text).not.toMatch(/Known since|Less than a week/)
  })

  it('says of how much of the time it speaks, and guesses no rate from little', async () => {
    const sampled = deskWith((minute) => ordinaryMinute(minute, { coveredMs: 30_000 }))
    expect((await bench.ask(status, { pullZone: '301' }, { alerts: sampled })).text).toMatch(
      /Requests a minute, Last 5 min 200(.|\n)*Of the last 5 minutes 50\.0 % was read/,
    )
    const barely = deskWith((minute) => ordinaryMinute(minute, { coveredMs: 3_000 }))
    expect((await bench.ask(status, { pullZone: '301' }, { alerts: barely })).text).toContain(
      'Requests a minute, Last 5 min –',
    )
  })

  it('does not take a failure to read for silence', async () => {
    const failure = { cause: 'key refused or zone suspended', sinceMs: NOW.getTime() - 600_000 } as const
    const trust = async () => ({ lagMs: 120_000, behindMinutes: 8, covered: 0.7, failure })
    const { text } = await bench.ask(status, { pullZone: '301' }, { alerts: deskWith(() => undefined, { trust }) })
    expect(text).toContain(
      'Nothing is read since 2026-11-20 11:50 UTC: key refused or zone suspended. That is not the same as no traffic.',
    )
    expect(text).toContain('What Hit ratio, Last 5 min –')
    expect(text).not.toMatch(/behind/)
    const late = async () => ({ lagMs: 120_000, behindMinutes: 8, covered: 0.7 })
    const behind = await bench.ask(status, { pullZone: '301' }, { alerts: deskWith(() => undefined, { trust: late }) })
    expect(behind.text).not.toMatch(/behind/)
    expect(behind.text).toContain('Reading does not keep up; still to be read: 8 minutes.')
  })
})

describe('the status of a zone that nobody watches', () => {
  it('is read from its log just now, as a person’s question, and has no baseline', async () => {
    const asked: unknown[] = []
    const { text, buttons } = await bench.ask(status, { pullZone: '301' }, asking(lines(300, false), asked))
    const range = { from: new Date('2026-11-20T11:53:00Z'), to: new Date('2026-11-20T11:58:00Z') }
    const dayBefore = { from: new Date('2026-11-19T11:53:00Z'), to: new Date('2026-11-19T11:58:00Z') }
    expect(asked).toMatchObject([
      [301n, { ...range, order: 'desc' }, { priority: 'person' }],
      [301n, { ...dayBefore, order: 'desc' }, { priority: 'person' }],
    ])
    expect(text).toContain('What STALE, Last 5 min 10.0 %')
    expect(text).toContain('What Requests a minute, Last 5 min 60')
    expect(text).toContain('Nobody watches this zone, so these 300 lines were read just now and there is no baseline.')
    expect(buttons?.map(({ label }) => label)).toContain('Watch it')
  })

  it('counts only the time of which all lines were read', async () => {
    const { text } = await bench.ask(status, { pullZone: '301' }, asking(lines(150, true)))
    expect(text).toContain('What Requests a minute, Last 5 min 60')
    expect(text).toContain('Of the last 5 minutes 50.0 % was read')
  })
})

describe('the status of all zones', () => {
  it('is a line for each that is watched', async () => {
    await bench.rule({})
    await bench.rule({ channelId: 'C2' })
    await bench.rule({ subject: 'pull/302' })
    await bench.rule({ kind: 'storage-change', subject: 'storage/*' })
    await bench.incident('a'.repeat(32), [{}])
    const trust = async (id: bigint) => (id === 302n ? undefined : { lagMs: 120_000, behindMinutes: 0, covered: 1 })
    const { text } = await bench.ask(status, {}, { alerts: { ...failing, trust } })
    expect(text).toMatch(/^🔴 1 of 2 watched pull zones in trouble\n🔴 shop \(301\): origin failing/)
    expect(text).toContain(
      'Zone shop (301), Alerts 1 firing, Hit ratio 90.0 %, STALE 45.0 %, 5xx 10.0 %, Requests a minute 100, Reading fine',
    )
    expect(text).toContain(
      'Zone blog (302), Alerts –, Hit ratio –, STALE –, 5xx –, Requests a minute –, Reading begins within minutes',
    )
  })

  it('says until when no alert fires, which is when the one that is known least far is', async () => {
    await bench.rule({})
    await bench.rule({ subject: 'pull/302' })
    const trust = async (id: bigint) => ({ lagMs: 120_000, behindMinutes: id === 302n ? 3 : 0, covered: 1 })
    const { text } = await bench.ask(status, {}, { alerts: deskWith(() => undefined, { trust }) })
    expect(text).toMatch(/^🟢 No alerts for 2 watched pull zones as of 11:55\n/)
    const begun = await bench.ask(status, {}, { alerts: deskWith(() => undefined, { trust: async () => undefined }) })
    expect(begun.text).toMatch(/^🟢 No alerts for 2 watched pull zones\n/)
  })

  it('says how to begin where none is', async () => {
    const { text } = await bench.ask(status, {}, { zones: [] })
    expect(text).toContain('No pull zone is watched yet. /cdn alerts watch')
  })

  it('looks at the first that are named where none is watched, and says of which the log cannot be read', async () => {
    const { text } = await bench.ask(status, {}, asking(lines(300, false)))
    expect(text).toMatch(/^🟠 shop: 10.0 % STALE in the last 5 min\n🟠 blog: 10.0 % STALE/)
    const broken = asking(lines(300, false))
    broken.cdn.queryLogs = async () => Promise.reject(new CdnError('queryLogs', { kind: 'rejected', status: 404 }))
    expect((await bench.ask(status, {}, broken)).text).toMatch(/^⚪ shop: its log could not be read\n/)
  })

  it('name those that nobody watches, with the ways on, filled in', async () => {
    const zones = ['shop', 'media'].map((name, index) => ({ kind: 'pull', name, zoneId: `${301 + index}` }) as const)
    const form = { kind: 'form', label: 'Watch …', operation: 'alerts watch' }
    const watch = (pullZone: readonly string[]) => ({ ...form, values: { pullZone } })
    const none = await bench.ask(status, {}, { zones, ...asking(lines(300, false)) })
    expect(none.text).toContain('Not watched: 2 named pull zones, shop (301), media (302).')
    const looks = zones.map(({ name, zoneId: pullZone }) => {
      return { kind: 'page', label: `Status of ${name}`, values: { pullZone }, beside: true }
    })
    expect(none.buttons).toEqual([watch(['shop', 'media']), ...looks])
    await bench.rule({})
    const one = await bench.ask(status, {}, { zones, alerts: failing })
    expect(one.text).toContain('Not watched: 1 named pull zone, media (302).')
    expect(one.buttons).toEqual([{ kind: 'page', label: 'Refresh', values: {} }, watch(['media'])])
    const all = await bench.ask(status, {}, { zones: zones.slice(0, 1), alerts: failing })
    expect(all.text).not.toContain('Not watched')
    expect(all.buttons).toHaveLength(1)
  })
})
