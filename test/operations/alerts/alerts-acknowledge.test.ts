import { describe, expect, it, vi } from 'vitest'
import { alertsAcknowledge } from '../../../src/operations/alerts/incident-answer.ts'
import { alertsMark, alertsUnmark } from '../../../src/operations/alerts/alerts-mark.ts'
import { checkContext, invocationOf, NOW, problemsOf } from '../../support/operation-context.ts'
import { buttonValues } from '../../support/ask.ts'
import { createAlertsBench, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
const ID = '0123abcd'.padEnd(32, '0')

describe('acknowledging an incident', () => {
  it('is an operator’s to do, and is on record', async () => {
    const { effect, minimumRole } = invocationOf(alertsAcknowledge, { incident: ID })
    expect([effect, minimumRole]).toEqual(['acknowledge', 'operator'])
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsAcknowledge, { incident: '0123ABCD' })
    expect(text).toContain('You’ve acknowledged the alert about pull zone shop (301). Reminders stop.')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'U1', acknowledgedAt: NOW })
    expect((await bench.record())[0]).toEqual(['alert_acknowledged', `Acknowledged incident ${ID} of pull/301`])
  })

  it('says who was first, and records nothing more', async () => {
    await bench.incident(ID, [{}])
    await bench.ask(alertsAcknowledge, { incident: ID })
    const { text } = await bench.ask(alertsAcknowledge, { incident: ID })
    expect(text).toContain('U1 looks after the alert about pull zone shop (301) already.')
    expect(await bench.record()).toHaveLength(1)
  })

  it('says that somebody was first, where that was at the same moment', async () => {
    await bench.incident(ID, [{}])
    const found = await bench.store.alerts.incident(ID)
    await bench.ask(alertsAcknowledge, { incident: ID })
    vi.spyOn(bench.store.alerts, 'incident').mockResolvedValueOnce(found)
    const { text } = await bench.ask(alertsAcknowledge, { incident: ID })
    expect(text).toBe('Somebody looks after the alert about pull zone shop (301) already.')
    expect(await bench.record()).toHaveLength(1)
  })

  it('takes words with it, which are kept whoever was first', async () => {
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsAcknowledge, { incident: 'shop', text: 'the disk is full' })
    expect(text).toContain('Reminders stop. Your note is in its thread.')
    await bench.ask(alertsAcknowledge, { incident: 'shop', text: 'it is empty again' })
    const kept = (await bench.store.alerts.events([ID])).map(({ kind, text: said = '' }) => `${kind} ${said}`)
    expect(kept.toSorted()).toEqual(['acknowledged ', 'note it is empty again', 'note the disk is full'])
    const details = (await bench.store.audit.list({ limit: 2 })).map(({ detail }) => detail)
    expect(details).toEqual(['it is empty again', 'the disk is full'])
  })

  it('is without a zone about the one that nobody looks after', async () => {
    await bench.incident(ID, [{}])
    await bench.ask(alertsAcknowledge, { incident: ID })
    const other = 'ffff'.padEnd(32, '0')
    await bench.incident(other, [{}])
    await bench.ask(alertsAcknowledge, {})
    expect((await bench.store.alerts.incident(other))?.acknowledgedBy).toBe('U1')
  })

  it('says where there is none', async () => {
    expect(await bench.refusal(alertsAcknowledge, { incident: 'ffff' })).toContain(
      'There is no open incident with the id ffff',
    )
    await bench.incident('aaaa0'.padEnd(32, '0'), [{}])
    await bench.incident('aaaa1'.padEnd(32, '0'), [{}])
    expect(await bench.refusal(alertsAcknowledge, { incident: 'aaaa' })).toContain(
      'There are several incidents with the id aaaa',
    )
  })

  it('is about the zone that is named, where one is open', async () => {
    expect(await bench.refusal(alertsAcknowledge, { incident: 'shop' })).toContain(
      'There is no open incident about shop. Nothing was done. See what fires: /cdn status',
    )
    await bench.incident(ID, [{}])
    expect((await bench.ask(alertsAcknowledge, { incident: 'shop' })).text).toContain('You’ve acknowledged')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'U1' })
    expect(await bench.refusal(alertsAcknowledge, { incident: 'all' })).toContain('There is no open incident')
  })
})

describe('marking a deploy', () => {
  it('keeps what it was and when, and records it', async () => {
    const { text } = await bench.ask(alertsMark, { pullZone: 'shop', text: 'deploy 1.42', at: '10m' })
    const at = new Date(NOW.getTime() - 600_000)
    expect(await bench.store.marks.list('301', new Date(0))).toMatchObject([{ text: 'deploy 1.42', at, by: 'U1' }])
    expect(text).toContain('Noted for pull zone shop (301)')
    expect((await bench.record())[0]?.[0]).toBe('alert_marked')
  })

  it('can be undone, on record, and then explains nothing', async () => {
    await bench.ask(alertsMark, { pullZone: 'shop', text: 'deploy 1.41' })
    const marked = await bench.ask(alertsMark, { pullZone: 'shop', text: 'deploy 1.42' })
    expect(marked.buttons).toMatchObject([{ operation: 'alerts unmark' }])
    const undo = buttonValues(marked, 'Undo')
    expect(marked.text).toContain(String(undo['mark']).slice(0, 8))
    expect((await bench.ask(alertsUnmark, undo)).text).toContain('shop (301) is off: deploy 1.42.')
    expect((await bench.store.alerts.view('pull/301', NOW)).marks).toMatchObject([{ text: 'deploy 1.41' }])
    expect((await bench.record())[0]).toEqual([
      'alert_unmarked',
      `Took off the mark of pull zone 301 at ${NOW.toISOString()}: deploy 1.42`,
    ])
    expect(await bench.refusal(alertsUnmark, undo)).toContain('Nothing was done. It may be gone already.')
    expect(await bench.record()).toHaveLength(3)
  })

  it('takes no mark of the future, of long ago, or without words', () => {
    const problems = (values: Record<string, string>) => problemsOf(alertsMark, values, checkContext({ zones: ZONES }))
    const mark = { pullZone: '301', text: 'deploy' }
    expect(problems({ ...mark, at: '2026-11-20T12:01Z' })).toEqual(['at: At lies in the future.'])
    expect(problems({ ...mark, at: '16d' })).toEqual([expect.stringContaining('more than 15 days back')])
    expect(problems({ ...mark, text: ' ' })).toEqual(['text: What is needed: a few words.'])
    expect(problems({ ...mark, at: '15d' })).toEqual([])
  })
})
