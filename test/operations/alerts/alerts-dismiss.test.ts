import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alertsDismiss } from '../../../src/operations/alerts/incident-answer.ts'
import { alertsList } from '../../../src/operations/alerts/alerts-list.ts'
import { invocationOf, NOW } from '../../support/operation-context.ts'
import { type AlertsBench, createAlertsBench } from './alerts-bench.ts'

let bench: AlertsBench
/** What stands behind “Rules and limits”. */
const listed = async (changes = {}): Promise<string> => {
  const { buttons = [] } = await bench.ask(alertsList, {}, changes)
  return buttons.flatMap((each) => (each.kind === 'more' ? [each.message.text] : [])).join('\n')
}
beforeEach(async () => {
  bench = await createAlertsBench()
})
afterEach(() => bench.close())
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
    expect(await bench.refusal(alertsDismiss, { incident: 'ffff' })).toContain('No open incident has the id ffff')
    await bench.incident(ID, [{}])
    vi.spyOn(bench.store.alerts, 'dismiss').mockResolvedValueOnce(undefined)
    expect(await bench.refusal(alertsDismiss, { incident: ID })).toContain('too old to be known')
  })
})

describe('the list of alerts', () => {
  it('counts by rule how many of its incidents were answered so', async () => {
    const { id: ruleId } = await bench.rule({})
    await bench.rule({ kind: 'cache-not-working' })
    const other = { ruleId: 'gone' }
    for (const start of ['a1', 'a2', 'a3']) await bench.incident(idOf(start), [{ ruleId }, other])
    await bench.incident(idOf('b1'), [other])
    // An answer is about what fired: this one had ended by itself before.
    await bench.incident(idOf('c1'), [{ ruleId, endedMs: NOW.getTime() }, other])
    expect(await listed()).not.toContain('Not a problem')
    for (const start of ['a1', 'a2', 'b1', 'c1']) await bench.ask(alertsDismiss, { incident: idOf(start) })
    const text = await listed()
    expect(text).toContain('Not a problem')
    expect(text).toContain('2 of 4 in 30 days')
    expect(text.match(/in 30 days/g)).toHaveLength(1)
  })

  it('counts more than a page, and what is older than 30 days no more', async () => {
    const { id: ruleId } = await bench.rule({})
    const ids = Array.from({ length: 203 }, (_, n) => idOf(n.toString(16).padStart(4, '0')))
    for (const id of ids) await bench.incident(id, [{ ruleId }])
    for (const id of ids.slice(0, 2)) await bench.ask(alertsDismiss, { incident: id })
    expect(await listed()).toContain('2 of 203 in 30 days')
    const now = new Date(NOW.getTime() + 30 * 86_400_000 + 1)
    expect(await listed({ now })).not.toContain('in 30 days')
  })
})
