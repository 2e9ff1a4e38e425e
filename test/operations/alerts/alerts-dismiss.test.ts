import { describe, expect, it, vi } from 'vitest'
import { countAnswers } from '../../../src/operations/history/digest.ts'
import { alertsDismiss } from '../../../src/operations/alerts/incident-answer.ts'
import { invocationOf, NOW } from '../../support/operation-context.ts'
import { forEachTest } from '../../support/for-each-test.ts'
import { createAlertsBench } from './alerts-bench.ts'

const bench = forEachTest(createAlertsBench)
const idOf = (start: string): string => start.padEnd(32, '0')
const ID = idOf('0123abcd')

describe('answering that an incident is not a problem', () => {
  it('is for whoever may acknowledge it, ends it, and is on record', async () => {
    const { effect, minimumRole } = invocationOf(alertsDismiss, { incident: ID })
    expect([effect, minimumRole]).toEqual(['acknowledge', 'operator'])
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsDismiss, { incident: '0123ABCD' })
    expect(text).toContain('Not a problem: the alert about pull zone shop (301) is closed.')
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
