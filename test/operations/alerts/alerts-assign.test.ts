import { beforeEach, describe, expect, it } from 'vitest'
import { alertsAcknowledge, alertsNote } from '../../../src/operations/alerts/alerts-acknowledge.ts'
import { alertsAssign, alertsRelease } from '../../../src/operations/alerts/alerts-assign.ts'
import type { Operation, OperationContext } from '../../../src/operations/declaration/operation.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { MAX_NOTES_PER_INCIDENT } from '../../../src/store/alerts/incident-answers.ts'
import { checkContext, invocationOf, NOW, operationContext, problemsOf } from '../../support/operation-context.ts'
import { createAlertsBench } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
beforeEach(async () => {
  await bench.incident(ID, [{}])
})
const ID = '0123abcd'.padEnd(32, '0')
const SHOP = 'the alert about pull zone shop (301)'

const holder = async () => (await bench.store.alerts.incident(ID))?.acknowledgedBy
const end = () =>
  bench.store.alerts.dismiss(ID, { person: 'U1', at: NOW, entry: { ...ENTRY, event: 'alert_dismissed' } })
const ENTRY = { at: NOW, actor: 'U1', team: 'T1', operation: 'alerts dismiss', summary: 'Ended' } as const

/** What the directory and the policy say of somebody. */
const knowing = (kind: 'run' | 'deny'): Pick<OperationContext, 'lookUp'> => ({
  lookUp: async (id) => ({
    actor: { ...operationContext().actor, id },
    catalog: [{ operation: alertsAcknowledge, decision: { kind, reason: 'so' } }],
  }),
})

describe('who looks after an incident', () => {
  it.each<[Operation, Record<string, string>]>([
    [alertsAssign, { incident: ID }],
    [alertsRelease, { incident: ID }],
    [alertsNote, { incident: ID, text: 'a note' }],
  ])('is said by whoever may acknowledge', (operation, values) => {
    const { effect, minimumRole } = invocationOf(operation, values)
    expect([effect, minimumRole]).toEqual(['acknowledge', 'operator'])
  })

  it('is who takes over, whoever did before, on record', async () => {
    await bench.acknowledge(ID, 'U7')
    expect((await bench.ask(alertsAssign, { incident: '0123abcd' })).text).toBe(`You look after ${SHOP} now.`)
    expect(await holder()).toBe('U1')
    expect((await bench.record())[0]).toEqual(['alert_taken_over', `Handed incident ${ID} of pull/301 over to U1`])
    expect((await bench.ask(alertsAssign, { incident: ID })).text).toBe(`You look after ${SHOP} already.`)
    expect(await bench.record()).toHaveLength(2)
  })

  it('hands over what they look after where no alert is named, or the only one there is', async () => {
    expect(problemsOf(alertsAssign, {})).toEqual(['person: Say who looks after it from now on: @name.'])
    const only = await bench.ask(alertsAssign, { person: '<@UBEN|ben>' }, knowing('run'))
    expect(only.text).toContain(`${SHOP.replace('the', 'The')} is looked after by`)
    await bench.incident('bbbb'.padEnd(32, '0'), [{ subject: 'pull/302' }])
    expect(await bench.refusal(alertsAssign, { person: '<@UBEN|ben>' }, knowing('run'))).toBe(
      'There are several incidents here. Nothing was done. Name its zone, or give more digits of the id that its message shows.',
    )
    await bench.ask(alertsAssign, { incident: 'bbbb' })
    const own = await bench.ask(alertsAssign, { person: '<@UBEN|ben>' }, knowing('run'))
    expect(own.text).toContain('302')
    await end()
  })

  it('is who it is handed over to, if they may', async () => {
    const values = { incident: ID, person: '<@UBEN|ben>' }
    const unknown = async () => Promise.reject(new UserError('not_permitted', 'You are nobody.'))
    expect(await bench.refusal(alertsAssign, values, knowing('deny'))).toBe(
      'That person may not acknowledge alerts here, so the alert was not handed over. Name somebody else.',
    )
    expect(await bench.refusal(alertsAssign, values, { lookUp: unknown })).toContain('Slack did not say who that is')
    const broken = async () => Promise.reject(new Error('a bug'))
    await expect(bench.refusal(alertsAssign, values, { lookUp: broken })).rejects.toThrow('a bug')
    expect([await holder(), await bench.record()]).toEqual([undefined, []])
    expect((await bench.ask(alertsAssign, values, knowing('run'))).text).toBe(
      `The alert about pull zone shop (301) is looked after by somebody now.`,
    )
    expect(await holder()).toBe('UBEN')
  })

  it('is nobody once the acknowledgement is taken back', async () => {
    const release = async () => (await bench.ask(alertsRelease, { incident: ID })).text
    expect(await release()).toBe(`Nobody has acknowledged ${SHOP}.`)
    await bench.ask(alertsAssign, { incident: ID })
    expect(await release()).toBe(`Nobody looks after ${SHOP} now. Reminders begin anew.`)
    expect([await holder(), (await bench.record()).map(([event]) => event)]).toEqual([
      undefined,
      ['alert_released', 'alert_taken_over'],
    ])
  })

  it('is of no concern once it is over', async () => {
    await end()
    const over = `${SHOP.replace('the', 'The')} is over: there is nothing to`
    expect((await bench.ask(alertsAssign, { incident: ID })).text).toBe(`${over} hand over.`)
    expect((await bench.ask(alertsRelease, { incident: ID })).text).toBe(`${over} take back.`)
  })
})

describe('a note', () => {
  it('is kept of what is over as well, found by how its id begins, with its words on record', async () => {
    await end()
    const values = { incident: '0123abcd', text: 'the disk was full' }
    expect((await bench.ask(alertsNote, values)).text).toBe('Noted for the alert about pull zone shop (301).')
    const events = await bench.store.alerts.events([ID])
    expect(events.find(({ kind }) => kind === 'note')).toMatchObject({ text: 'the disk was full' })
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ event: 'alert_noted', detail: 'the disk was full' })
    expect(await bench.refusal(alertsNote, { ...values, incident: 'ffff' })).toContain(
      'There is no incident with the id ffff',
    )
  })

  it('is kept of what goes on, whatever of the zone was over later', async () => {
    const later = new Date(NOW.getTime() + 1)
    await bench.incident('cccc'.padEnd(32, '0'), [{}], { openedAt: later, endedAt: later })
    await bench.ask(alertsNote, { incident: 'shop', text: 'the disk was full' })
    expect(await bench.store.alerts.events([ID])).toMatchObject([{ kind: 'note' }])
  })

  it('needs words, and room', async () => {
    const problems = (text: string) => problemsOf(alertsNote, { incident: ID, text }, checkContext())
    expect(problems(' ')).toEqual(['text: Note is needed: a few words.'])
    expect(problems('x'.repeat(501))).toEqual([expect.stringContaining('at most 500')])
    for (let n = 0; n < MAX_NOTES_PER_INCIDENT; n += 1) await bench.ask(alertsNote, { incident: ID, text: `${n}` })
    expect(await bench.refusal(alertsNote, { incident: ID, text: 'one more' })).toBe(
      'This alert has 50 notes already, which is all that is kept. Nothing was done. Write it into the thread.',
    )
    expect(await bench.refusal(alertsAcknowledge, { incident: ID, text: 'one more' })).toContain('Nothing was done.')
    expect((await bench.store.alerts.incident(ID))?.acknowledgedBy).toBeUndefined()
  })
})
