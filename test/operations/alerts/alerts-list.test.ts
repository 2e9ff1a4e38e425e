import { describe, expect, it, vi } from 'vitest'
import { ALERT_KINDS } from '../../../src/alerts/kinds/kinds.ts'
import { alertsKinds } from '../../../src/operations/alerts/alerts-kinds.ts'
import { alertsDigest } from '../../../src/operations/alerts/alerts-digest.ts'
import { alertsList } from '../../../src/operations/alerts/alerts-list.ts'
import { alertsMark } from '../../../src/operations/alerts/alerts-mark.ts'
import { alertsSilence } from '../../../src/operations/alerts/alerts-silence.ts'
import { count } from '../../../src/block-kit/amounts.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { formWith } from '../../../src/block-kit/message.ts'
import { NOW } from '../../support/operation-context.ts'
import { type AlertsBench, createAlertsBench, deskWith, ZONES } from './alerts-bench.ts'
import type { TrafficTrust } from '../../../src/alerts/log/zone-record.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)

const alerts = deskWith(() => undefined)
/** What stands behind “Rules and limits” as well. */
const whole = async (...asked: Parameters<AlertsBench['ask']>): Promise<string> => {
  const { text, buttons } = await bench.ask(...asked)
  return [text, ...buttons.flatMap((each) => (each.kind === 'more' ? [each.message.text] : []))].join('\n')
}

describe('the list of alerts', () => {
  it('says where each rule of this channel, or of all, stands, what holds it back, and what could not be told', async () => {
    const origin = await bench.rule({ parameters: { critical: 7 }, mention: 'S0123' })
    await bench.rule({ kind: 'cache-not-working' })
    await bench.rule({ kind: 'traffic-gone', subject: 'pull/302', createdBy: 'configuration' })
    const storage = await bench.rule({ kind: 'storage-change', subject: 'storage/*' })
    await bench.rule({ channelId: 'C2' })
    await bench.rule({ channelId: 'C2', kind: 'api-keys-changed', subject: 'account' })
    const fires = { phase: 'firing', severity: 'critical' }
    await bench.stand(origin, 'pull/301', fires, '12 % of 1,000 lines are STALE.', 'critical')
    await bench.stand(storage, 'storage/101', {}, 'It holds 100 GB.')
    await bench.stand(storage, 'storage/102', { ...fires, severity: 'warning' }, 'It holds 200 GB.', 'warning')
    await bench.incident('a'.repeat(32), [{ ruleId: origin.id }, { ruleId: storage.id, endedMs: NOW.getTime() }])
    await bench.acknowledge('a'.repeat(32), 'U333')
    await bench.ask(alertsSilence, { zone: '301', kind: 'origin-failing', reason: 'Known.' })
    await bench.ask(alertsSilence, { zone: 'all', for: '2h' }, { channelId: 'C2' })
    await bench.ask(alertsMark, { pullZone: '301', text: 'deploy 1.42' })
    await bench.ask(alertsDigest, { cadence: 'daily' })
    const [at, gap] = [new Date('2026-11-20T11:00Z'), { fromMs: NOW.getTime() - 1_200_000, untilMs: NOW.getTime() }]
    const dead = { id: '1', attempts: 9, createdAt: at, dueAt: at, deadAt: at, reason: 'it is archived' }
    vi.spyOn(bench.store.outbox, 'deadPosts').mockResolvedValue([
      { ...dead, what: 'card', channelId: 'C1' },
      { ...dead, what: 'reply', channelId: 'C1' },
      { ...dead, what: 'webhook', channelId: 'C2' },
    ])
    vi.spyOn(bench.store.outbox, 'waitingPosts').mockResolvedValue({ count: 2, oldest: at })
    const read = { lagMs: 200_000, behindMinutes: 8, covered: 0.2, gap }
    const desk = deskWith(() => undefined, { trust: async (id) => (id === 301n ? read : undefined) })
    const zones = [...ZONES, { kind: 'storage', name: 'media', zoneId: '102' }] as const
    const shown = (text: string) => text.split('\n').map((line) => line.replaceAll(' zone shop (301)', ' <shop>'))
    const here = await whole(alertsList, {}, { alerts: desk, zones })
    const quiet = [
      'Kept quiet:',
      '- Cache not working for pull <shop>: “deploy 1.42” was marked 2026-11-20 12:00 UTC, and explains 15 min',
      '- Origin failing for pull <shop>: silenced by U1 until 2026-11-20 13:00 UTC: Known.',
    ]
    const silence =
      '- Origin failing for pull <shop> until 2026-11-20 13:00 UTC, by U1: Known. · /cdn alerts unsilence 00000007'
    const reading =
      '- pull <shop>: every minute is read about 3 min after it ended, 8 minutes behind; 20.0 % of the last half hour was read. ' +
      'Lines from 2026-11-20 11:40 UTC to 2026-11-20 12:00 UTC were lost before they were read.'
    const notDelivered = ['The message of an incident', 'A word in a thread'].map(
      (what) => `- ${what} for C1, 2026-11-20 11:00 UTC: it is archived`,
    )
    const below = [
      '2 messages of all channels wait to be delivered, the oldest since 2026-11-20 11:00 UTC.',
      'What happened in the last 12 h: /cdn history',
    ]
    const limits =
      'warning 30 days; critical 7 days; used, warning 80 %; used, critical 90 %; jump 20 %; files lost 10 %'
    const behind = [
      'Reading:',
      reading,
      '- pull zone blog (302): the first reading comes within a minute or two.',
      'While all is well, readings are noted every ten minutes.',
      'Change limits below, or with /cdn alerts add &lt;kind&gt; &lt;zone&gt; &lt;warning&gt; --critical …: what is not given stays.',
    ]
    expect(shown(here)).toEqual([
      'Alerts here: 2 firing, 2 rules not looked at yet',
      'pull <shop> · Cache not working: not looked at yet, kept quiet · Origin failing: 🔴 Critical, fires, kept quiet · looked after by somebody · pings a group',
      'pull zone blog (302) · Traffic gone: not looked at yet · pings nobody',
      'every storage zone with a name · Storage growing or jumping: 🔶 Warning, fires · pings nobody',
      ...quiet,
      'Silences:',
      silence,
      'Log trouble:',
      reading,
      'Never delivered:',
      ...notDelivered,
      'Digest: daily at 09:00 (UTC), next 2026-11-21 09:00 UTC.',
      ...below,
      '4 rules, times in UTC',
      'Zone shop (301), Alert Cache not working, Now not looked at yet, kept quiet, Last reading –, Limits warning 7 points; critical 30 points; bypass 20 %, From a command, Rule 00000002',
      'Zone shop (301), Alert Origin failing, Now 🔴 Critical, fires, kept quiet, Last reading 2026-11-20 12:00: 12 % of 1,000 lines are STALE., Limits warning 2 %; critical 7 %, From a command, Rule 00000001',
      'Zone blog (302), Alert Traffic gone, Now not looked at yet, Last reading –, Limits warning 55 %; critical 20 %, From the configuration, Rule 00000003',
      `Zone every storage zone with a name, Alert Storage growing or jumping, Now 🔶 Warning, fires, Last reading 2026-11-20 12:00: storage zone media (102): It holds 200 GB., Limits ${limits}, From a command, Rule 00000004`,
      ...behind,
    ])
    const all = await whole(alertsList, { all: 'true' }, { alerts: desk, zones, channelId: 'D1' })
    expect(shown(all).slice(0, -10)).toEqual([
      'Alerts of all channels: 2 firing, 4 rules not looked at yet',
      'the account in C2 · API keys changed: not looked at yet, kept quiet · pings nobody',
      'pull <shop> in C1 · Cache not working: not looked at yet, kept quiet · Origin failing: 🔴 Critical, fires, kept quiet · looked after by somebody · pings a group',
      'pull <shop> in C2 · Origin failing: not looked at yet, kept quiet · pings nobody',
      'pull zone blog (302) in C1 · Traffic gone: not looked at yet · pings nobody',
      'every storage zone with a name in C1 · Storage growing or jumping: 🔶 Warning, fires · pings nobody',
      quiet[0],
      '- API keys changed for the account: silenced by U1 until 2026-11-20 14:00 UTC',
      ...quiet.slice(1),
      '- Origin failing for pull <shop>: silenced by U1 until 2026-11-20 14:00 UTC',
      'Silences:',
      silence,
      '- everything about the account until 2026-11-20 14:00 UTC, by U1 · /cdn alerts unsilence 00000008',
      '- everything about pull <shop> until 2026-11-20 14:00 UTC, by U1 · /cdn alerts unsilence 00000009',
      'Log trouble:',
      reading,
      'Never delivered:',
      ...notDelivered,
      '- A call of the webhook for C2, 2026-11-20 11:00 UTC: it is archived',
      ...below,
      '6 rules, times in UTC',
      'Zone the account, Alert API keys changed, Channel C2, Now not looked at yet, kept quiet, Last reading –, Limits –, From a command, Rule 00000006',
    ])
    expect(await bench.refusal(alertsList, {}, { channelId: 'D1' })).toContain('here is none')
  })

  it('has a way to the filled-in form of each rule of this channel that a command may change', async () => {
    await bench.rule({ parameters: { critical: 7 }, mention: 'S0123' })
    await bench.rule({ kind: 'api-keys-changed', subject: 'account' })
    await bench.rule({ channelId: 'C2' })
    await bench.rule({ kind: 'traffic-gone', createdBy: 'configuration' })
    const values = { kind: 'origin-failing', pullZone: '301', critical: '7', mention: 'S0123', exactly: 'true' }
    const { buttons } = await bench.ask(alertsList, { all: 'true' }, { alerts })
    expect(buttons).toEqual([
      { kind: 'form', label: 'Watch a zone', operation: 'alerts watch', values: {} },
      { kind: 'form', label: 'Silence …', operation: 'alerts silence', values: {} },
      {
        kind: 'more',
        label: 'Rules and limits',
        message: expect.anything(),
        buttons: [{ kind: 'form', label: 'Change shop (301): Origin failing …', operation: 'alerts add', values }],
      },
    ])
  })

  it('shows as much as finds room, and says how much more there is', async () => {
    const add = async (from: number, until: number) => {
      for (let each = from; each < until; each += 1) await bench.rule({ subject: `pull/${1_000 + each}` })
      await bench.pause()
      return bench.ask(alertsList, {}, { alerts })
    }
    expect((await add(0, 10)).text).toMatch(/Kept quiet:\n(- Origin.*\n){10}What/)
    expect((await add(10, 12)).text).toMatch(
      /^Alerts here: none firing\n(pull.*paused.*\n){12}Kept quiet:\n(- Origin.*\n){10}- and 2 more\n/,
    )
    const { buttons } = await add(12, 110)
    const more = buttons.flatMap((each) => (each.kind === 'more' ? [each] : []))
    expect(more[0]?.buttons).toHaveLength(12)
    expect(more[0]?.message.text).toMatch(/^110 rules, times in UTC\n(Zone 1.*\n){25}and 85 more\nReading:\n- pull/)
    const blocks = JSON.stringify(more[0]?.message.blocks)
    expect(blocks).toContain('The table shows the first 100 of 110 rules.')
    expect([blocks.match(/every minute is read/g)?.length, blocks.includes('and 50 more')]).toEqual([10, true])
  })

  it('says of zones beyond the sixtieth that they are left out, not that nobody has looked at them', async () => {
    for (let each = 100; each < 162; each += 1)
      await bench.stand(await bench.rule({ subject: `pull/${each}` }), `pull/${each}`, {}, 'All is well.')
    const broken = await bench.rule({ subject: 'pull/900' })
    await bench.stand(broken, 'pull/900', { phase: 'firing', severity: 'critical' }, 'It fails.', 'critical')
    await bench.incident('a'.repeat(32), [{ ruleId: broken.id, subject: 'pull/900' }])
    const [title, ...lines] = (await bench.ask(alertsList, {}, { alerts })).text.split('\n')
    expect(title).toBe('Alerts here: 1 firing, 3 rules left out')
    expect(lines[60]).toBe('pull zone 160 · Origin failing: left out · pings nobody')
    expect(lines).toContain('pull zone 900 · Origin failing: 🔴 Critical, fires · pings nobody')
    expect(lines).toContain('Of more than 60 zones those that fire come first, and the others are left out.')
  })

  it('says when the digest comes, also where nothing is watched, and not that none does', async () => {
    await bench.ask(alertsDigest, { cadence: 'daily', at: '08:00', zone: 'Europe/Berlin' })
    const text = async () => (await bench.ask(alertsList, {}, { alerts })).text
    expect(await text()).toMatch(/\nDigest: daily at 08:00 \(Europe\/Berlin\), next 2026-11-21 07:00 UTC\.$/)
    await bench.ask(alertsDigest, { cadence: 'off' })
    expect(await text()).not.toContain('Digest')
  })

  it('lists once what was stored under former names, by the new title and with what still counts', async () => {
    await bench.rule({ kind: 'stale-share', parameters: { critical: 7 } })
    await bench.rule({ kind: 'error-share' })
    await bench.rule({ kind: 'storage-growth', subject: 'storage/*', parameters: { quota: 5, warning: 9 } })
    const text = await whole(alertsList, {}, { alerts })
    expect(text).toContain('2 rules')
    expect(text.match(/Alert Origin failing/g)).toHaveLength(1)
    expect(text).not.toContain('critical 7 %')
    expect(text).toMatch(/Alert Storage growing or jumping.*Limits quota 5 bytes; warning 30 days;/)
  })

  it('says of several what holds all of them back, and how each goes on that was paused', async () => {
    await bench.rule({})
    await bench.rule({ kind: 'traffic-surge' })
    await bench.ask(alertsSilence, { zone: '301' })
    const quiet = async () => (await bench.ask(alertsList, {}, { alerts })).text.split('\n').slice(1, 5)
    expect(await quiet()).toEqual([
      'pull zone shop (301) · Origin failing, Traffic surge: not looked at yet, kept quiet · pings nobody',
      'Kept quiet:',
      '- Origin failing, Traffic surge for pull zone shop (301): silenced by U1 until 2026-11-20 13:00 UTC',
      'Silences:',
    ])
    await bench.pause()
    const paused = 'for pull zone shop (301): paused: The channel is archived. Go on with /cdn alerts resume'
    expect(await quiet()).toEqual([
      'pull zone shop (301) · Origin failing, Traffic surge: paused · pings nobody',
      'Kept quiet:',
      `- Origin failing ${paused} 00000001.`,
      `- Traffic surge ${paused} 00000002.`,
    ])
  })

  it('says of API keys when they were listed, and whether all of them were', async () => {
    await bench.rule({ kind: 'api-keys-changed', subject: 'account' })
    const listed = async (revision: number, watch: unknown): Promise<string> => {
      await bench.store.alerts.commit({ subject: 'account', revision, watch, states: [] })
      return whole(alertsList, {}, { alerts })
    }
    const lookedMs = NOW.getTime()
    const unknown = 'The list of API keys was not complete yet, and without a complete one no change can be told.'
    expect(await listed(0, { lookedMs })).toContain(
      `Now nothing can be said yet, Last reading 2026-11-20 12:00: ${unknown}, Limits –`,
    )
    const groups = [{ roles: ['User'], ids: ['1', '2'] }]
    expect(await listed(1, { lookedMs, groups })).toContain(
      'Now all is well, Last reading 2026-11-20 12:00: 2 API keys known from the last complete list., Limits –',
    )
  })

  const [FROM, UNTIL] = [NOW.getTime() - 600_000, NOW.getTime() - 300_000]
  const LOST = ' Lines from 2026-11-20 11:50 UTC to 2026-11-20 11:55 UTC were lost before they were read.'
  it.each<[string, Partial<TrafficTrust>, string, boolean]>([
    ['well', {}, 'every minute is read about 2 min after it ended; 100.0 % of the last half hour was read.', false],
    [
      'soon, and not all',
      { lagMs: 20_000, behindMinutes: 1, covered: 0.5, gap: { fromMs: FROM, untilMs: UNTIL } },
      `every minute is read about 1 min after it ended, 1 minute behind; 50.0 % of the last half hour was read.${LOST}`,
      true,
    ],
    [
      'not at all',
      { failure: { cause: 'limited', sinceMs: FROM }, gap: { fromMs: FROM, untilMs: UNTIL } },
      `not read since 2026-11-20 11:50 UTC: limited.${LOST}`,
      true,
    ],
  ])('says of a zone that is read %s how that goes', async (_, trust, said, isTrouble) => {
    await bench.rule({})
    const fine = { lagMs: 120_000, behindMinutes: 0, covered: 1 }
    const text = await whole(
      alertsList,
      {},
      { alerts: deskWith(() => undefined, { trust: async () => ({ ...fine, ...trust }) }) },
    )
    const line = text.split('\n').find((each) => each.startsWith('- ')) ?? ''
    expect(line.replace(/^- :?.*pull zone shop \(301\): /, '')).toBe(said)
    expect(text.includes('Log trouble:')).toBe(isTrouble)
  })

  it('says how much was not looked at yet before it calls anything quiet', async () => {
    const rule = await bench.rule({})
    const title = async () => (await bench.ask(alertsList, {}, { alerts })).text.split('\n')[0]
    expect(await title()).toBe('Alerts here: not looked at yet')
    await bench.stand(rule, 'pull/301', {}, 'All is well.')
    expect(await title()).toBe('Alerts here: none firing')
    await bench.rule({ subject: 'pull/302' })
    expect(await title()).toBe('Alerts here: none firing, 1 rule not looked at yet')
  })

  it('calls nothing well of a zone whose log was never read, or is not now', async () => {
    const [origin, look] = [await bench.rule({}), await bench.rule({ kind: 'cannot-look' })]
    const line = async () => (await bench.ask(alertsList, {}, { alerts })).text.split('\n')[1]
    await bench.stand(origin, 'pull/301', { last: undefined }, '')
    expect(await line()).toContain('Origin failing: nothing can be said yet')
    const states = [
      [origin.id, 'inactive', 'clear'],
      [look.id, 'firing', 'critical'],
    ].map(([ruleId = '', phase, level]) => {
      const last = { atMs: 0, reading: { level, facts: { sentence: 'It was so.' } } }
      return { ruleId, subject: 'pull/301', state: { phase, sinceMs: 0, begins: [], last } }
    })
    await bench.store.alerts.commit({ subject: 'pull/301', revision: 1, watch: {}, states })
    expect(await line()).toContain('Origin failing: nothing can be said now, kept quiet')
  })

  it('says how to begin where there is nothing', async () => {
    const watch = 'Watch a pull zone: /cdn alerts watch <pull-zone>'
    const { text, buttons } = await bench.ask(alertsList, {})
    expect(text).toBe(`This channel gets no alerts. ${watch}`)
    expect(buttons).toEqual([{ kind: 'form', label: 'Watch a zone', operation: 'alerts watch', values: {} }])
    expect((await bench.ask(alertsList, { all: 'true' })).text).toBe(`No channel gets alerts. ${watch}`)
  })

  it('says of the one post that waits since when', async () => {
    await bench.rule({})
    vi.spyOn(bench.store.outbox, 'waitingPosts').mockResolvedValue({ count: 1, oldest: NOW })
    expect((await bench.ask(alertsList, {}, { alerts })).text).toContain(
      '\n1 message of all channels waits to be delivered, the oldest since 2026-11-20 12:00 UTC.\n',
    )
  })
})

describe('the kinds of alerts', () => {
  const LOOKS_AT = { pull: 'a pull zone', storage: 'storage zones', account: 'the account' }
  const form = (label: string, operation: string, values: RawValues) => ({ kind: 'form', label, operation, values })

  it('are all named, with what each looks at', async () => {
    const { text, buttons } = await bench.ask(alertsKinds, {})
    expect(text.split('\n')).toEqual([
      '7 kinds of alerts.',
      '/cdn alerts watch turns on origin-failing, cache-not-working, traffic-gone, traffic-surge, cannot-look for a zone, and with --account storage-change and api-keys-changed.',
      'What can be set about one: /cdn alerts kinds origin-failing.',
      ...ALERT_KINDS.map((kind) => {
        return `Kind ${kind.name}, Looks at ${LOOKS_AT[kind.subject]}, What it means ${kind.summary}`
      }),
    ])
    expect(buttons).toEqual([form('Turn one on', 'alerts add', {})])
  })

  it.each(ALERT_KINDS.map((kind) => [kind.name, kind] as const))(
    'are each explained with every parameter, its unit and default: %s',
    async (name, { title, subject, summary, parameters }) => {
      const { text, message, buttons } = await bench.ask(alertsKinds, { kind: name })
      const set = parameters.map((each) => {
        const [usual, min, max] = [each.default, each.min, each.max].map(count)
        return `--${each.name} ${usual} ${each.unit}, from ${min} to ${max}: ${each.meaning}`
      })
      expect(text.split('\n')).toEqual([
        `${title} (${name}), about ${LOOKS_AT[subject]}. ${summary}`,
        ...(set.length === 0 ? ['Nothing can be set about it.'] : set),
        `Turn it on in a channel: /cdn alerts add ${name}${subject === 'pull' ? ' <pull-zone>' : ''}.`,
      ])
      expect(JSON.stringify(formWith(message, []))).toContain(parameters[0]?.meaning ?? 'Nothing can be set')
      expect(buttons).toEqual([
        form('Turn it on', 'alerts add', { kind: name }),
        ...(subject === 'pull' && name !== 'cannot-look'
          ? [form('Try it on the past', 'alerts test', { kind: name })]
          : []),
      ])
    },
  )
})
