import { describe, expect, it } from 'vitest'
import { alertsAdd } from '../../../src/operations/alerts/alerts-add.ts'
import { alertsRemove, alertsResume } from '../../../src/operations/alerts/alerts-remove.ts'
import { alertsWatch } from '../../../src/operations/alerts/alerts-watch.ts'
import { checkContext } from '../../support/operation-context.ts'
import { createAlertsBench, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
const kinds = async () => (await bench.store.alertRules.list()).map(({ kind }) => kind).toSorted()

describe('removing alerts', () => {
  it('by id removes that one, by whole id or its beginning, and offers it back as it was', async () => {
    const rule = await bench.rule({ parameters: { critical: 7 } })
    await bench.rule({ kind: 'traffic-surge' })
    const { text, buttons } = await bench.ask(alertsRemove, { what: rule.id.slice(0, 8) })
    expect(text).toBe('1 alert rule is removed.\nOrigin failing for pull zone shop (301), which had critical 7 %')
    expect(await kinds()).toEqual(['traffic-surge'])
    const values = { kind: 'origin-failing', pullZone: '301', critical: '7' }
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'alerts add', values: { ...values, exactly: 'true' } },
    ])
    expect((await bench.record())[0]).toEqual(['alert_removed', 'Removed origin-failing for pull zone 301 in C1'])
  })

  it('by id takes along what was stored under former names and has become the same kind', async () => {
    const { id } = await bench.rule({ kind: 'stale-share', parameters: { critical: 7 } })
    for (const kind of ['error-share', 'error-budget', 'log-silence']) await bench.rule({ kind })
    await bench.rule({ kind: 'error-share', channelId: 'C2' })
    const { text, buttons } = await bench.ask(alertsRemove, { what: id })
    expect(text).toContain('1 alert rule is removed.')
    expect(await kinds()).toEqual(['error-share', 'log-silence'])
    const values = { kind: 'origin-failing', pullZone: '301' }
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'alerts add', values: { ...values, exactly: 'true' } },
    ])
    expect((await bench.record())[0]).toEqual(['alert_removed', 'Removed origin-failing for pull zone 301 in C1'])
  })

  it('by zone removes what this channel has about it, and leaves what others have', async () => {
    for (const kind of ['origin-failing', 'traffic-surge']) await bench.rule({ kind })
    await bench.rule({ kind: 'traffic-gone', channelId: 'C2' })
    await bench.rule({ kind: 'cache-not-working', subject: 'pull/302' })
    expect((await bench.ask(alertsRemove, { what: 'shop' })).text).toBe(
      '2 alert rules are removed.\nOrigin failing for pull zone shop (301)\nTraffic surge for pull zone shop (301)',
    )
    expect(await kinds()).toEqual(['cache-not-working', 'traffic-gone'])
    await bench.ask(alertsRemove, { what: 'all' })
    expect(await kinds()).toEqual(['traffic-gone'])
    const elsewhere = await bench.ask(alertsRemove, { what: (await bench.store.alertRules.list())[0]?.id ?? '' })
    expect(elsewhere.text).toContain('Traffic gone for pull zone shop (301), in another channel')
    expect(elsewhere.buttons).toEqual([])
  })

  it('by zone offers to watch it again, and names the limits that do not come back by that', async () => {
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0123' })
    const values = { pullZone: '301', mention: 'S0123' }
    await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: 'shop', warning: '10' })
    const { text, buttons } = await bench.ask(alertsRemove, { what: 'shop' })
    expect(text).toContain('Origin failing for pull zone shop (301), which had warning 10 %, critical 10 %')
    const again = [{ kind: 'page', label: 'Watch it again', operation: 'alerts watch', values }]
    expect(buttons).toEqual(again)
    const parts = ['origin-failing', 'traffic-gone'].map((kind) => ({ kind, mention: 'S0123' }))
    for (const part of parts) await bench.rule(part)
    expect((await bench.ask(alertsRemove, { what: 'shop' })).buttons).toEqual(again)
    await bench.ask(alertsWatch, { pullZone: 'shop, blog' })
    expect((await bench.ask(alertsRemove, { what: 'all' })).buttons).toEqual([])
    for (const kind of ['storage-change', 'traffic-gone']) await bench.rule({ kind, subject: 'storage/101' })
    expect((await bench.ask(alertsRemove, { what: 'all' })).buttons).toEqual([])
  })

  it('leaves alone what the configuration file asks for, and says so', async () => {
    await bench.rule({ createdBy: 'configuration' })
    expect(await bench.refusal(alertsRemove, { what: '301' })).toBe(
      'These rules stand in the configuration file, which no command changes. Nothing was removed. Have them taken out there, or silence them for a while.',
    )
    const stay = async () => {
      await bench.rule({ kind: 'traffic-surge' })
      return (await bench.ask(alertsRemove, { what: '301' })).text.split('\n').at(-1)
    }
    expect(await stay()).toBe('1 rule of the configuration file stays: no command changes what stands there.')
    await bench.rule({ kind: 'traffic-gone', createdBy: 'configuration' })
    expect(await stay()).toBe('2 rules of the configuration file stay: no command changes what stands there.')
    expect(await kinds()).toEqual(['origin-failing', 'traffic-gone'])
  })

  it('says where there is nothing to remove', async () => {
    const refusals = (...all: string[]) => Promise.all(all.map((what) => bench.refusal(alertsRemove, { what })))
    const [one, other] = ['abcd0'.padEnd(32, '0'), 'abcd1'.padEnd(32, '0')]
    expect(await refusals('shop', 'all', 'abcdef01', `${one},${other}`)).toEqual(
      [
        'This channel has no alerts about shop.',
        'This channel has no alerts.',
        'No rule has the id abcdef01.',
        `No rule has the id ${one},${other}.`,
      ].map((why) => `${why} Nothing was done. See what there is: /cdn alerts list`),
    )
    await bench.rule({ id: one })
    await bench.rule({ id: other, kind: 'traffic-surge' })
    expect(await refusals('abcd')).toEqual([
      'The ids of several rules begin with abcd. Nothing was done. Give more of its digits.',
    ])
    await bench.ask(alertsRemove, { what: `ABCD0, ${other}` })
    expect(await kinds()).toEqual([])
  })

  it('takes a word that is a name and the beginning of an id for what there is', async () => {
    const zones = [...ZONES, { kind: 'storage', name: 'cafe', zoneId: '102' }] as const
    const id = 'cafe'.padEnd(32, '0')
    await bench.rule({ id, channelId: 'C2' })
    const about = (changes: object) => bench.ask(alertsRemove, { what: 'Cafe' }, { zones, ...changes })
    await bench.rule({ kind: 'storage-change', subject: 'storage/102' })
    expect((await about({})).text).toMatch(
      /^1 alert rule is removed\.\nStorage growing or jumping for storage zone cafe/,
    )
    for (const channelId of [undefined, 'D1']) {
      const { text } = await about({ channelId })
      expect(text).toContain('Origin failing for pull zone shop (301), in another')
      await bench.rule({ id, channelId: 'C2' })
    }
  })

  it.each([
    ['shop', ['pull/301', 'storage/101'], [], false],
    ['301', ['pull/301', 'storage/301'], [], false],
    ['Cafe', ['pull/7'], ['cafe'], false],
    ['beef', [], ['beef'], false],
    ['1234', ['pull/1234', 'storage/1234'], ['1234'], false],
    ['beef, 1234abcd', [], ['beef', '1234abcd'], false],
    ['ALL', [], [], true],
    ['everything', [], [], true],
    ['all-in', ['pull/8'], [], false],
  ])('takes %s for what it may be', (typed, subjects, ids, all) => {
    const [cafe, allIn] = [
      { kind: 'pull', name: 'cafe', zoneId: '7' },
      { kind: 'pull', name: 'all-in', zoneId: '8' },
    ] as const
    const zones = [...ZONES, cafe, allIn]
    const read = alertsRemove.fields['what']?.read(` ${typed} `, checkContext({ zones }))
    expect(read).toEqual({ ok: true, value: { typed, all, subjects, ids } })
  })

  it.each(['site', 'abc', 'beef, abc', 'beef, shop'])('takes %s for nothing that there is', (typed) => {
    const read = alertsRemove.fields['what']?.read(typed, checkContext({ zones: ZONES }))
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(`No zone is named ${typed}.`) })
  })
})

describe('resuming alerts', () => {
  it('goes on with what was paused, and with nothing else', async () => {
    await bench.rule({})
    await bench.rule({ kind: 'traffic-gone', channelId: 'C2' })
    expect(await bench.refusal(alertsResume, { what: 'all' })).toBe(
      'None of these is paused. Nothing was done. See why something is held back: /cdn alerts list',
    )
    await bench.pause()
    await bench.rule({ kind: 'traffic-surge' })
    const { text } = await bench.ask(alertsResume, { what: 'all' })
    expect(text).toBe('1 alert rule goes on.\nOrigin failing for pull zone shop (301)')
    expect((await bench.store.alertRules.list()).filter(({ pausedWhy }) => pausedWhy !== undefined)).toEqual([])
    expect((await bench.record())[0]).toEqual(['alert_resumed', 'Resumed origin-failing for pull zone 301 in C1'])
    await bench.pause()
    expect((await bench.ask(alertsResume, { what: 'all' })).text).toMatch(/^2 alert rules go on\./)
  })
})
