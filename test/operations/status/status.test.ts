import { describe, expect, it, vi } from 'vitest'
import type { TrafficTrust } from '../../../src/alerts/log/zone-record.ts'
import type { Cdn, LogResult } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { readIncidentDoc } from '../../../src/alerts/state/incident.ts'
import { plainOf } from '../../../src/block-kit/mrkdwn.ts'
import { status } from '../../../src/operations/status/status.ts'
import { incidentLine } from '../../../src/operations/status/zone-status.ts'
import { NOW, operationContext } from '../../support/operation-context.ts'
import { idleDesk } from '../../support/alert-desk.ts'
import { createAlertsBench, deskWith, NOW_MINUTE, ordinaryMinute } from '../alerts/alerts-bench.ts'
import { logEntries, logEntry, logResult } from '../../support/log-entries.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
/** In the last 10 minutes half of what was fresh is stale, and a tenth fails. */
const failing = deskWith((minute) =>
  minute < NOW_MINUTE - 12
    ? ordinaryMinute(minute)
    : ordinaryMinute(minute, { hit: 45, stale: 45, c2xx: 90, c5xx: 10 }),
)

const AT = NOW_MINUTE - 2
const lines = (count: number, truncated: boolean): LogResult =>
  logResult(
    [
      ...logEntries(count, (step) => ({
        timestamp: new Date(NOW.getTime() - 121_000 - step * 1_000),
        cacheStatus: step % 10 === 0 ? 'STALE' : 'HIT',
      })),
      logEntry(0, { timestamp: undefined }),
    ],
    { truncated },
  )
/** The one method that is called. */
const reading = (queryLogs: Cdn['queryLogs']) => ({ alerts: idleDesk(), cdn: { queryLogs } as Cdn })
const asking = (result: LogResult) => reading(async () => result)
const broken = new CdnError('queryLogs', { kind: 'rejected', status: 404 })

/** The lines of an answer, without those of its chart. */
const linesOf = ({ text }: { readonly text: string }) =>
  text.split('\n').filter((line) => !/^\w+( \w+)?: \d\d:/.test(line))
const WHERE =
  'Pull zone shop (301) · as of 2026-11-20 11:58 UTC · Open in the panel (https://panel.example.com/pull-zone/301)'
const MEASURED = ['Hit ratio', 'STALE', 'MISS', '5xx', 'Requests a minute'] as const
const measured = (...rows: readonly string[]) =>
  rows.map((row, index) => {
    const [short, hour, usual] = row.split(' | ')
    const rest = hour === undefined ? '' : `, Last hour ${hour}, Usual ${usual}`
    return `What ${MEASURED[index]}, Last 5 min ${short}${rest}`
  })
const UNKNOWN = measured(...MEASURED.map(() => '– | – | –'))
const USUAL = 'Usual is the median of 15-minute windows.'
const page = (label: string, values: object, operation?: string) => ({
  kind: 'page',
  label,
  ...(operation !== undefined && { operation }),
  values,
})
const BUTTONS = [page('Refresh', { pullZone: '301' }), page('Show lines', { pullZone: '301', since: '10m' }, 'logs')]

describe('the status of a zone that is watched', () => {
  const FAILING = measured(
    '90.0 % | 90.0 % | 90.0 %',
    '45.0 % | 7.5 % | 0.0 %',
    '10.0 % | 10.0 % | 10.0 %',
    '10.0 % | 1.7 % | 0.0 %',
    '100 | 100 | 100',
  )

  it('holds the last minutes and the last hour against what is usual', async () => {
    const answer = await bench.ask(status, { pullZone: 'shop' }, { alerts: failing })
    const title = '🟠 shop: 10.0 % 5xx (0.0 % yesterday) in the last 5 min'
    expect(linesOf(answer)).toEqual([title, WHERE, ...FAILING, USUAL])
    expect(answer.buttons).toEqual(BUTTONS)
    const chart = answer.message.blocks.find((block) => block.type === 'data_visualization')
    expect(chart?.title).toBe('The last hour')
    expect(answer.text).toMatch(/windows\.\nHit ratio: 10:58 90, .*\nSTALE: .*\n5xx: .* 10$/)
    const axes = { x_label: 'Time (UTC)', y_label: '%', categories: { length: 20, 0: '10:58' } }
    expect(chart?.chart.axis_config).toMatchObject(axes)
    expect(chart?.chart.series.map(({ name, data }) => [name, data.slice(-5).map(({ value }) => value)])).toEqual([
      ['Hit ratio', [90, 90, 90, 90, 90]],
      ['STALE', [0, 15, 45, 45, 45]],
      ['5xx', [0, 3.3, 10, 10, 10]],
    ])
  })

  it('names what fires, since when, and who looks after it', async () => {
    const id = '0123abcd'.padEnd(32, '0')
    await bench.incident(
      id,
      [
        { kind: 'traffic-surge', endedMs: 1 },
        { kind: 'origin-failing', severity: 'warning' },
      ],
      {
        openedAt: new Date(NOW.getTime() - 18_000_000),
      },
    )
    const answer = await bench.ask(status, { pullZone: '301' }, { alerts: failing })
    const firing = 'Firing: 🔶 origin failing (0123abcd)'
    expect(linesOf(answer)).toEqual(['🔶 shop: origin failing', WHERE, firing, ...FAILING, USUAL])
    // It fires since ten minutes ago; the incident, which has begun again, was opened hours before.
    const since = `• 🔶 origin failing (0123abcd) since <!date^${NOW.getTime() / 1_000 - 600}^`
    const shown = JSON.stringify(answer.message.blocks)
    expect(shown).toContain(since)
    expect(shown).toContain('; nobody has acknowledged it')
    const { doc, ...record } = (await bench.store.alerts.incident(id))!
    const silenced = { ...record, doc: { ...readIncidentDoc(doc), silencedUntilMs: NOW.getTime() } }
    expect(plainOf(incidentLine(silenced))).toMatch(
      /; nobody has acknowledged it, silenced until 2026-11-20 12:00 UTC$/,
    )
    await bench.acknowledge(id, 'U0OLGA')
    const later = await bench.ask(status, { pullZone: '301' }, { alerts: failing })
    expect(JSON.stringify(later.message.blocks)).toContain('; looked after by <@U0OLGA>')
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

  it.each([
    [30_000, '200', 'Of the last 5 minutes 50.0 % was read; shares are of that.'],
    [6_000, '1,000', 'Of the last 5 minutes 10.0 % was read; shares are of that.'],
    [5_940, '–', 'Of the last 5 minutes 9.9 % was read; shares are of that.'],
  ])(
    'says of how much of the time it speaks, and guesses no rate from little: %d ms',
    async (coveredMs, rate, part) => {
      const alerts = deskWith((minute) => ordinaryMinute(minute, { coveredMs, miss: 5, bypass: 5 }))
      const shown = linesOf(await bench.ask(status, { pullZone: '301' }, { alerts }))
      expect([shown[2], shown[4]].join()).toMatch(/ 94\.7 %, Usual.* 5\.0 %, Usual/)
      expect(shown.slice(6)).toEqual([...measured('', '', '', '', `${rate} | ${rate} | ${rate}`).slice(4), USUAL, part])
    },
  )

  it.each([
    ['the four hours before', 240, '100.0 % | 100.0 % | 10.0 %'],
    ['two of them', 120, '100.0 % | 100.0 % | 0.0 %'],
    ['too little of them', 105, '100.0 % | 100.0 % | –'],
  ])('takes for usual what was before the hour: %s', async (_, minutes, stale) => {
    const hour = AT - 60
    const alerts = deskWith((minute) => {
      if (minute >= hour) return ordinaryMinute(minute, { hit: 0, miss: 0, stale: 100 })
      if (minute < hour - minutes) return undefined
      return ordinaryMinute(minute, minute < hour - 105 ? { hit: 80, stale: 10 } : {})
    })
    const shown = linesOf(await bench.ask(status, { pullZone: '301' }, { alerts }))
    expect(shown[3]).toBe(measured('', stale)[1])
  })

  it('does not take a failure to read for silence', async () => {
    const trust = { lagMs: 120_000, behindMinutes: 8, covered: 0.7 }
    const failure = { cause: 'key refused or zone suspended', sinceMs: NOW.getTime() - 600_000 } as const
    const shown = async (now: TrafficTrust, minuteOf: Parameters<typeof deskWith>[0] = () => undefined) =>
      linesOf(await bench.ask(status, { pullZone: '301' }, { alerts: deskWith(minuteOf, { trust: async () => now }) }))
    const title = '⚪ shop: nothing can be read, key refused or zone suspended'
    const failed =
      'Nothing is read since 2026-11-20 11:50 UTC: key refused or zone suspended. That is not the same as no traffic.'
    const unread = 'Of the last 5 minutes 0.0 % was read.'
    const nothing = await shown({ ...trust, behindMinutes: 0, failure })
    expect(nothing).toEqual([title, WHERE, ...UNKNOWN, failed, unread])
    const some = await shown({ ...trust, failure }, ordinaryMinute)
    expect([some[0], ...some.slice(7)]).toEqual([title, failed])
    const late = 'Reading does not keep up; still to be read: 8 minutes.'
    const yet = '⚪ shop: nothing is read yet of the last 60 min'
    expect(await shown(trust)).toEqual([yet, WHERE.replace('11:58', '11:50'), ...UNKNOWN, late, unread])
  })
})

describe('the status of a zone that nobody watches', () => {
  const nobody = (count: number) =>
    `Nobody watches this zone, so these ${count} lines were read just now and there is no baseline. /cdn alerts watch shop begins to watch it.`
  const READ = measured('100.0 %', '10.0 %', '0.0 %', '0.0 %', '60')

  it('is read from its log just now, as a person’s question, and has no baseline', async () => {
    const queryLogs = vi.fn<Cdn['queryLogs']>(async (_zone, _range, options) => {
      options?.onWaiting?.()
      options?.onProgress?.({ entries: 300, pages: 1 })
      return lines(300, false)
    })
    const progress: string[] = []
    const now = new Date(NOW.getTime() + 59_999)
    const changes = { ...reading(queryLogs), now, progress: (sentence: string) => progress.push(sentence) }
    const answer = await bench.ask(status, { pullZone: '301' }, changes)
    const range = { from: new Date('2026-11-20T11:53:00Z'), to: new Date('2026-11-20T11:58:00Z') }
    const dayBefore = { from: new Date('2026-11-19T11:53:00Z'), to: new Date('2026-11-19T11:58:00Z') }
    const limits = { priority: 'person', maxEntries: 20_000, signal: expect.any(AbortSignal) }
    expect(queryLogs.mock.calls).toMatchObject([
      [301n, { ...range, order: 'desc' }, limits],
      [301n, { ...dayBefore, order: 'desc' }, limits],
    ])
    const waiting = 'Reading the log; the CDN’s rate limit may add up to 10 s'
    expect(progress.slice(0, 2)).toEqual([waiting, 'Read 300 lines of the last minutes'])
    expect(linesOf(answer)).toEqual(['🟠 shop: 10.0 % STALE in the last 5 min', WHERE, ...READ, nobody(300)])
    const form = { kind: 'form', label: 'Watch it', operation: 'alerts watch', values: { pullZone: '301' } }
    expect(answer.buttons).toEqual([...BUTTONS, form])
    expect(answer.message.blocks.map(({ type }) => type)).toEqual(['header', 'context', 'data_table', 'context'])
    expect(answer.message.blocks[2]).toMatchObject({ caption: 'The last 5 minutes' })
    const unnamed = await bench.ask(status, { pullZone: '999' }, asking(lines(300, false)))
    expect(unnamed.text).toContain('/cdn alerts watch 999 begins to watch it.')
  })

  it('counts only the time of which all lines were read', async () => {
    const part = 'Of the last 5 minutes 50.0 % was read; shares are of that.'
    const answer = await bench.ask(status, { pullZone: '301' }, asking(lines(150, true)))
    expect(linesOf(answer).slice(1)).toEqual([WHERE, ...READ, part, nobody(150)])
  })

  it('does without the day before where the CDN refuses that, and hides no other failure', async () => {
    const failing = (error: Error) => {
      const today = new Date('2026-11-20T11:53:00Z').getTime()
      const queryLogs: Cdn['queryLogs'] = async (_, { from }) => {
        if (from?.getTime() !== today) throw error
        return lines(300, false)
      }
      return bench.ask(status, { pullZone: '301' }, reading(queryLogs))
    }
    expect(linesOf(await failing(broken)).slice(2)).toEqual([...READ, nobody(300)])
    await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug')
  })
})

describe('the status of all zones', () => {
  const BEGIN =
    'No pull zone is watched yet. /cdn alerts watch <pull-zone> begins; /cdn status <pull-zone> looks at any.'
  const NAMED = 'Not watched: 2 named pull zones, shop (301), blog (302).'
  const watch = (pullZone: readonly string[]) => ({
    kind: 'form',
    label: 'Watch …',
    operation: 'alerts watch',
    values: { pullZone },
  })
  const look = (name: string, pullZone: string) => ({ ...page(`Status of ${name}`, { pullZone }), beside: true })
  const row = (zone: string, ...[alerts, hit, stale, errors, rate, read]: readonly string[]) =>
    `Zone ${zone}, Alerts ${alerts}, Hit ratio ${hit}, STALE ${stale}, 5xx ${errors}, Requests a minute ${rate}, Reading ${read}`
  const numbers = ['90.0 %', '45.0 %', '10.0 %', '100', 'fine']
  const dashes = ['–', '–', '–', '–']
  const AS_OF = 'As of 2026-11-20 11:58 UTC'

  it('is a line for each that is watched, the worst first', async () => {
    for (const subject of ['pull/303', 'pull/302', 'pull/301']) await bench.rule({ subject })
    await bench.rule({ channelId: 'C2' })
    await bench.rule({ kind: 'storage-change', subject: 'storage/*' })
    await bench.incident('a'.repeat(32), [{}])
    const trust = async (id: bigint) => (id === 302n ? undefined : { lagMs: 120_000, behindMinutes: 0, covered: 1 })
    expect(linesOf(await bench.ask(status, {}, { alerts: { ...failing, trust } }))).toEqual([
      '🔴 1 of 3 watched pull zones in trouble',
      'shop (301): 🔴 origin failing (aaaaaaaa) since 2026-11-20 11:50 UTC; nobody has acknowledged it',
      row('shop (301)', '1 firing', ...numbers),
      row('blog (302)', '–', ...dashes, 'begins within minutes'),
      row('303', 'none', ...numbers),
    ])
  })

  it('says until when no alert fires, which is when the one that is known least far is', async () => {
    for (const subject of ['pull/301', 'pull/302', 'pull/303']) await bench.rule({ subject })
    const failure = { cause: 'key refused or zone suspended', sinceMs: 0 } as const
    const trust = async (id: bigint) => {
      const more = { 301: { behindMinutes: 0 }, 302: { behindMinutes: 3 }, 303: { behindMinutes: 1, failure } }
      return { lagMs: 90_000, covered: 1, ...more[Number(id) as keyof typeof more] }
    }
    const actor = { ...operationContext().actor, timeZone: 'Europe/Ljubljana' }
    expect(linesOf(await bench.ask(status, {}, { alerts: deskWith(() => undefined, { trust }), actor }))).toEqual([
      '🟢 No alerts for 3 watched pull zones',
      row('shop (301)', 'none', ...dashes, 'fine'),
      row('blog (302)', 'none', ...dashes, '3 minutes behind'),
      row('303', 'none', ...dashes, 'key refused or zone suspended'),
      'As of 2026-11-20 11:55 UTC',
    ])
    const begun = await bench.ask(status, {}, { alerts: deskWith(() => undefined, { trust: async () => undefined }) })
    expect(begun.text).toMatch(/^🟢 No alerts for 3 watched pull zones\n/)
  })

  it('shows as many as are looked at, in words fewer, and says that there are more', async () => {
    for (let id = 1; id <= 41; id += 1) await bench.rule({ subject: `pull/${id}` })
    const shown = linesOf(await bench.ask(status, {}, { alerts: deskWith(() => undefined), zones: [] }))
    expect(shown).toHaveLength(24)
    expect(shown.slice(21)).toEqual(['and 20 more', AS_OF, 'The first 40 are shown; any other by its name.'])
  })

  it('looks first at those of which alerts fire', async () => {
    for (let id = 301; id <= 341; id += 1) await bench.rule({ subject: `pull/${id}` })
    await bench.incident('a'.repeat(32), [{ subject: 'pull/341' }])
    const shown = linesOf(await bench.ask(status, {}, { alerts: deskWith(() => undefined), zones: [] }))
    expect(shown.slice(0, 2)).toEqual([
      '🔴 1 of 41 watched pull zones in trouble',
      '341: 🔴 origin failing (aaaaaaaa) since 2026-11-20 11:50 UTC; nobody has acknowledged it',
    ])
  })

  it('says how to begin where none is', async () => {
    expect((await bench.ask(status, {}, { zones: [] })).text).toBe(BEGIN)
  })

  it('looks at the first that are named where none is watched, and says of which the log cannot be read', async () => {
    const found = await bench.ask(status, {}, asking(lines(300, false)))
    const verdicts = ['shop', 'blog'].map((name) => `🟠 ${name}: 10.0 % STALE in the last 5 min`)
    expect(linesOf(found)).toEqual([...verdicts, BEGIN, AS_OF, NAMED])
    expect(found.buttons).toEqual([watch(['shop', 'blog']), look('shop', '301'), look('blog', '302')])
    const part = await bench.ask(status, {}, asking(lines(150, true)))
    expect(linesOf(part).slice(0, 2)).toEqual(verdicts)
    const unread = await bench.ask(
      status,
      {},
      reading(async () => Promise.reject(broken)),
    )
    expect(linesOf(unread).slice(0, 2)).toEqual(['shop', 'blog'].map((name) => `⚪ ${name}: its log could not be read`))
    const bug = bench.ask(
      status,
      {},
      reading(async () => Promise.reject(new TypeError('a bug'))),
    )
    await expect(bug).rejects.toThrow('a bug')
    const zones = Array.from({ length: 21 }, (_, id) => ({ kind: 'pull', name: `z${id}`, zoneId: `${id}` }) as const)
    const many = await bench.ask(status, {}, { ...asking(lines(300, false)), zones })
    const names = zones.map(({ name }) => name)
    expect(many.buttons).toEqual([watch(names.slice(0, 20)), look('z0', '0'), look('z1', '1'), look('z2', '2')])
  })

  it('names those that nobody watches, with the way on, filled in', async () => {
    await bench.rule({})
    const one = await bench.ask(status, {}, { alerts: failing })
    const title = '🟢 No alerts for 1 watched pull zone'
    expect(linesOf(one)).toEqual([
      title,
      row('shop (301)', 'none', ...numbers),
      AS_OF,
      'Not watched: 1 named pull zone, blog (302).',
    ])
    expect(one.buttons).toEqual([page('Refresh', {}), watch(['blog'])])
    const all = await bench.ask(status, {}, { zones: [], alerts: failing })
    expect(linesOf(all)).toEqual([title, row('301', 'none', ...numbers), AS_OF])
    expect(all.buttons).toEqual([page('Refresh', {})])
  })
})
