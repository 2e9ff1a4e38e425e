import { describe, expect, it } from 'vitest'
import { alertsAdd } from '../../../src/operations/alerts/alerts-add.ts'
import { alertsRemove, alertsResume } from '../../../src/operations/alerts/alerts-remove.ts'
import { alertsWatch } from '../../../src/operations/alerts/alerts-watch.ts'
import { createAlertsBench } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
const kinds = async () => (await bench.store.alertRules.list()).map(({ kind }) => kind).toSorted()

describe('removing alerts', () => {
  it('by id removes that one, by whole id or its beginning, and offers it back as it was', async () => {
    const rule = await bench.rule({ parameters: { critical: 7 } })
    await bench.rule({ kind: 'traffic-surge' })
    const { text, buttons } = await bench.ask(alertsRemove, { what: rule.id.slice(0, 8) })
    expect(text).toContain('1 alert rule is removed.')
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
    await bench.ask(alertsRemove, { what: 'shop' })
    expect(await kinds()).toEqual(['cache-not-working', 'traffic-gone'])
    await bench.ask(alertsRemove, { what: 'all' })
    expect(await kinds()).toEqual(['traffic-gone'])
  })

  it('by zone offers to watch it again, and names the limits that do not come back by that', async () => {
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0123' })
    const values = { pullZone: '301', mention: 'S0123' }
    const undone = await bench.ask(alertsRemove, { what: 'shop' })
    expect(undone.buttons).toEqual([{ kind: 'page', label: 'Undo', operation: 'alerts watch', values }])
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0123' })
    await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: 'shop', warning: '10' })
    const { text, buttons } = await bench.ask(alertsRemove, { what: 'shop' })
    expect(text).toContain('Origin failing for pull zone shop (301), which had warning 10 %, critical 10 %')
    expect(buttons).toMatchObject([{ label: 'Watch it again', operation: 'alerts watch' }])
    await bench.ask(alertsWatch, { pullZone: 'shop, blog' })
    expect((await bench.ask(alertsRemove, { what: 'all' })).buttons).toEqual([])
  })

  it('leaves alone what the configuration file asks for, and says so', async () => {
    await bench.rule({ createdBy: 'configuration' })
    expect(await bench.refusal(alertsRemove, { what: '301' })).toContain('Nothing was removed')
    await bench.rule({ kind: 'traffic-surge' })
    const { text } = await bench.ask(alertsRemove, { what: '301' })
    expect(text).toContain('1 rule of the configuration file stays')
    expect(await kinds()).toEqual(['origin-failing'])
  })

  it('says where there is nothing to remove', async () => {
    expect(await bench.refusal(alertsRemove, { what: 'shop' })).toContain('This channel has no alerts about shop')
    expect(await bench.refusal(alertsRemove, { what: 'abcdef01' })).toContain('No rule has the id abcdef01')
    await bench.rule({ id: 'abcd0'.padEnd(32, '0') })
    await bench.rule({ id: 'abcd1'.padEnd(32, '0'), kind: 'traffic-surge' })
    expect(await bench.refusal(alertsRemove, { what: 'abcd' })).toContain('Give more of its digits.')
  })
})

describe('resuming alerts', () => {
  it('goes on with what was paused, and with nothing else', async () => {
    await bench.rule({})
    await bench.rule({ kind: 'traffic-gone', channelId: 'C2' })
    expect(await bench.refusal(alertsResume, { what: 'all' })).toContain('None of these is paused')
    await bench.pause()
    const { text } = await bench.ask(alertsResume, { what: 'all' })
    expect(text).toContain('1 alert rule goes on.')
    expect((await bench.store.alertRules.list()).filter(({ pausedWhy }) => pausedWhy !== undefined)).toEqual([])
    expect((await bench.record())[0]?.[0]).toBe('alert_resumed')
  })
})
