import { describe, expect, it, vi } from 'vitest'
import { alertsAcknowledge, alertsDismiss } from '../../../src/operations/alerts/alerts-acknowledge.ts'
import { alertsMark, alertsUnmark } from '../../../src/operations/alerts/alerts-mark.ts'
import { checkContext, invocationOf, NOW, problemsOf } from '../../support/operation-context.ts'
import { buttonValues } from '../../support/ask.ts'
import { createAlertsBench, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'
import { countAnswers } from '../../../src/operations/history/digest-message.ts'
import { alertsWhy } from '../../../src/operations/alerts/alerts-why.ts'

const bench = forEachTest(createAlertsBench)
const ID = '0123abcd'.padEnd(32, '0')

describe('acknowledging an incident', () => {
  it('is an operator’s to do, and is on record', async () => {
    const { effect, minimumRole } = invocationOf(alertsAcknowledge, { incident: ID })
    expect([effect, minimumRole]).toEqual(['acknowledge', 'operator'])
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsAcknowledge, { incident: '0123ABCD' })
    expect(text).toBe(
      'You’ve acknowledged the alert about pull zone shop (301). Reminders stop.\nWhat you find can be kept: /cdn note 0123abcd …',
    )
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'U1', acknowledgedAt: NOW })
    expect((await bench.record())[0]).toEqual(['alert_acknowledged', `Acknowledged incident ${ID} of pull/301`])
  })

  it('says who was first, and records nothing more', async () => {
    await bench.incident(ID, [{}])
    await bench.ask(alertsAcknowledge, { incident: ID })
    const { text } = await bench.ask(alertsAcknowledge, { incident: ID })
    expect(text).toBe('U1 looks after the alert about pull zone shop (301) already.')
    expect(await bench.record()).toHaveLength(1)
    await bench.ask(alertsDismiss, { incident: ID })
    expect((await bench.ask(alertsAcknowledge, { incident: ID })).text).toBe(
      'The alert about pull zone shop (301) is over: there is nothing to acknowledge.',
    )
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
    expect(text).toMatch(/ Reminders stop\. Your note is in its thread\.$/)
    const again = await bench.ask(alertsAcknowledge, { incident: 'shop', text: 'it is empty again' })
    expect(again.text).toMatch(
      / looks after the alert about pull zone shop \(301\) already\. Your note is in its thread\.$/,
    )
    const kept = (await bench.store.alerts.events([ID])).map(({ kind, text: said = '' }) => `${kind} ${said}`)
    expect(kept.toSorted()).toEqual(['acknowledged ', 'note it is empty again', 'note the disk is full'])
    await bench.ask(alertsAcknowledge, { incident: 'shop', text: ' ' })
    expect(await bench.store.alerts.events([ID])).toHaveLength(3)
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

  it('is about the one of this channel, where others are told elsewhere', async () => {
    const told = { C2: idOf('c2'), C1: idOf('c1'), C3: idOf('c3') }
    for (const [channelId, id] of Object.entries(told)) await bench.incident(id, [{}], { channelId })
    const holders = () =>
      Promise.all(Object.values(told).map(async (id) => (await bench.store.alerts.incident(id))?.acknowledgedBy))
    await bench.ask(alertsAcknowledge, {})
    expect(await holders()).toEqual([undefined, 'U1', undefined])
    await bench.ask(alertsAcknowledge, { incident: 'shop' }, { channelId: 'C3' })
    expect(await holders()).toEqual([undefined, 'U1', 'U1'])
    expect(await bench.refusal(alertsAcknowledge, { incident: 'shop' }, { channelId: 'D1' })).toContain('several')
    await bench.ask(alertsAcknowledge, {}, { channelId: 'D1' })
    expect(await holders()).toEqual(['U1', 'U1', 'U1'])
  })

  it('says where there is none', async () => {
    expect(await bench.refusal(alertsAcknowledge, { incident: 'ffff' })).toContain(
      'There is no open incident with the id ffff',
    )
    await bench.incident('aaaa0'.padEnd(32, '0'), [{}])
    await bench.incident('aaaa1'.padEnd(32, '0'), [{}])
    expect(await bench.refusal(alertsAcknowledge, { incident: 'aaaa' })).toBe(
      'There are several incidents with the id aaaa. Nothing was done. Name its zone, or give more digits of the id that its message shows.',
    )
    expect(await bench.refusal(alertsAcknowledge, { incident: 'shop' })).toContain('several incidents about shop.')
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
    const next = 'It explains misses, bypasses and a lower hit ratio for 15 minutes; what is still bad then fires.'
    expect(text).toBe(`Noted for pull zone shop (301), 2026-11-20 11:50 UTC: deploy 1.42\n${next} · 00000001`)
    const said = 'Noted for pull zone 301 at 2026-11-20T11:50:00.000Z: deploy 1.42'
    expect(await bench.record()).toEqual([['alert_marked', said]])
  })

  it('can be undone, on record, and then explains nothing', async () => {
    await bench.ask(alertsMark, { pullZone: 'shop', text: 'deploy 1.41' })
    const marked = await bench.ask(alertsMark, { pullZone: 'shop', text: 'deploy 1.42' })
    const undo = buttonValues(marked, 'Undo')
    expect(marked.buttons).toEqual([{ kind: 'page', label: 'Undo', operation: 'alerts unmark', values: undo }])
    const { text } = await bench.ask(alertsUnmark, { mark: String(undo['mark']).slice(0, 9).toUpperCase() })
    expect(text).toBe('The mark of pull zone shop (301) is off: deploy 1.42. It explains nothing any more.')
    expect((await bench.store.alerts.view('pull/301', NOW)).marks).toMatchObject([{ text: 'deploy 1.41' }])
    expect((await bench.record())[0]).toEqual([
      'alert_unmarked',
      `Took off the mark of pull zone 301 at ${NOW.toISOString()}: deploy 1.42`,
    ])
    expect(await bench.refusal(alertsUnmark, undo)).toBe(
      `No one mark has the id ${String(undo['mark'])}. Nothing was done. It may be gone already.`,
    )
    const wrong = ['abc', 'wxyz', 'a'.repeat(65)].flatMap((mark) => problemsOf(alertsUnmark, { mark }))
    expect(new Set(wrong)).toEqual(new Set(['mark: Mark is an id as lists show it, or its first 4 digits or more.']))
    expect(await bench.record()).toHaveLength(3)
  })

  it('takes no mark of the future, of long ago, or without words', () => {
    const problems = (values: Record<string, string>) => problemsOf(alertsMark, values, checkContext({ zones: ZONES }))
    const mark = { pullZone: '301', text: 'deploy' }
    expect(problems({ ...mark, at: '2026-11-20T12:01Z' })).toEqual(['at: At lies in the future.'])
    expect(problems({ ...mark, at: '361h' })).toEqual([
      'at: At lies more than 15 days back; marks are not kept for longer.',
    ])
    expect(problems({ ...mark, text: ' ' })).toEqual(['text: What is needed: a few words.'])
    expect(problems({ ...mark, at: '15d' })).toEqual([])
  })
})

const idOf = (start: string): string => start.padEnd(32, '0')

describe('answering that an incident is not a problem', () => {
  it('is for whoever may acknowledge it, ends it, and is on record', async () => {
    const { effect, minimumRole } = invocationOf(alertsDismiss, { incident: ID })
    expect([effect, minimumRole]).toEqual(['acknowledge', 'operator'])
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsDismiss, { incident: '0123ABCD' })
    expect(text).toBe(
      'Not a problem: the alert about pull zone shop (301) is closed. If it gets worse, or ends and comes back, you hear of it.\n' +
        'Does it happen often? /cdn alerts list shows which limit to change.',
    )
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ dismissedBy: 'U1', endedAt: NOW })
    expect((await bench.record())[0]).toEqual([
      'alert_dismissed',
      `Answered that incident ${ID} of pull/301 is not a problem`,
    ])
  })

  it('says who was first, and where it has ended by itself, and records nothing more', async () => {
    await bench.incident(ID, [{}])
    const found = await bench.store.alerts.incident(ID)
    await bench.ask(alertsDismiss, { incident: ID })
    const again = await bench.ask(alertsDismiss, { incident: ID })
    expect(again.text).toBe('U1 has said so already.')
    vi.spyOn(bench.store.alerts, 'incident').mockResolvedValueOnce(found)
    expect((await bench.ask(alertsDismiss, { incident: ID })).text).toMatch(/^Somebody has said so already/)
    vi.spyOn(bench.store.alerts, 'dismiss').mockResolvedValueOnce('ended')
    expect((await bench.ask(alertsDismiss, { incident: ID })).text).toMatch(/is over: there is nothing to dismiss/)
    expect(await bench.record()).toHaveLength(1)
  })

  it('says where there is none', async () => {
    expect(await bench.refusal(alertsDismiss, { incident: 'ffff' })).toContain(
      'There is no open incident with the id ffff',
    )
    await bench.incident(ID, [{}])
    vi.spyOn(bench.store.alerts, 'dismiss').mockResolvedValueOnce(undefined)
    expect(await bench.refusal(alertsDismiss, { incident: ID })).toContain('too old to be known')
  })
})

describe('answers', () => {
  it('are counted by rule: an answer is about what fired when it was given', async () => {
    const [{ id: ruleId }, other] = [await bench.rule({}), { ruleId: 'gone' }]
    for (const start of ['a1', 'a2', 'a3']) await bench.incident(idOf(start), [{ ruleId }, other])
    await bench.incident(idOf('b1'), [other])
    await bench.incident(idOf('c1'), [{ ruleId, endedMs: NOW.getTime() }, other])
    for (const start of ['a1', 'a2', 'b1', 'c1']) await bench.ask(alertsDismiss, { incident: idOf(start) })
    const counts = countAnswers(await bench.store.alerts.incidents({ limit: 10 }))
    expect(counts.get(ruleId)).toEqual({ answered: 2, incidents: 4 })
  })
})

describe('why an alert fires', () => {
  it('has every number that the decision rests on', async () => {
    const window = { fromMs: NOW.getTime() - 300_000, untilMs: NOW.getTime() }
    const sentence = '12 % STALE in the last 5 min (60 % of the log could not be read).'
    const measured = { window, covered: 0.4, sample: 1_000, unit: 'share', value: 0.12 } as const
    const facts = { sentence, ...measured, threshold: 0.05, baseline: 0.003 }
    const { id: ruleId } = await bench.rule({ parameters: { warning: 4 } })
    await bench.incident(ID, [
      { ruleId, facts, peak: 0.3, unit: 'share' },
      { kind: 'cache-not-working', facts: { ...facts, unit: undefined, sample: 1, value: 0.05 }, unit: 'share' },
    ])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    const set =
      'set: warning 4 %; critical 5 %; a stretch shorter than ten minutes takes more, and so does an uneven zone'
    expect(text.split('\n')).toEqual([
      'Why this alert about shop?',
      'origin failing: fires at 5 % or more; it went as far as 30 %; usual is 0.3 %.',
      `Now: ${sentence}`,
      `measured until 2026-11-20 12:00 UTC · 1,000 requests · decided without the worst minute · ${set} · all limits: /cdn alerts kinds origin-failing`,
      'cache not working: fires at 5 %; it went as far as 5 %; usual is 0.3 %.',
      `Now: ${sentence}`,
      'measured until 2026-11-20 12:00 UTC · 1 value · all limits: /cdn alerts kinds cache-not-working',
    ])
  })

  it('is told of one that has ended, by the beginning of its id, with the limit that it crossed', async () => {
    const facts = { sentence: 'hit ratio 85 % in the last 3 min.', value: 0.85, threshold: 0.6, unit: 'share' } as const
    const ended = { facts, peak: 0.12, unit: 'share', endedMs: NOW.getTime(), title: 'cache works again' } as const
    await bench.incident(ID, [ended], { endedAt: NOW })
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    expect(text).toContain('cache works again: fires at 60 % or less; it went as far as 12 %.')
    expect(text).toContain('At the end: hit ratio 85 %')
    expect((await bench.ask(alertsWhy, { incident: 'shop' })).text).toBe(text)
  })

  it.each([
    [{ threshold: 0.05, unit: 'share' }, 'fires at 5 %.'],
    [{ threshold: 0.05, unit: 'share', value: 0.12 }, 'fires at 5 % or more; it went as far as 12 %.'],
  ] as const)('says of %j what is known of it, and of storage nothing about minutes', async (known, says) => {
    const of = { kind: 'storage-change', subject: 'storage/101' } as const
    const { id: ruleId } = await bench.rule({ ...of, parameters: { warning: 25 } })
    await bench.incident(ID, [{ ...of, ruleId, facts: { sentence: 'It grew.', ...known } }])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    expect(text).toContain(`: ${says}\nNow: It grew.\n`)
    expect(text).toMatch(/\nset: warning 25 days; .* 10 % · all limits: /)
    expect(text).not.toMatch(/worst minute|uneven zone/)
  })

  it('leaves out what the kind does not know', async () => {
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    expect(text).toBe(
      'Why this alert about shop?\norigin failing\nNow: 12 % of 1,000 lines are STALE.\ndecided without the worst minute · all limits: /cdn alerts kinds origin-failing',
    )
  })
})
