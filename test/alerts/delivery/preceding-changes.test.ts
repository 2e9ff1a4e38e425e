import { describe, expect, it } from 'vitest'
import { findBackground } from '../../../src/alerts/delivery/incident-message.ts'
import { changeIn, entry } from '../../store/harness.ts'
import { createDeliveryBench } from '../../support/delivery-bench.ts'
import { BEGAN_MS, sampleIncident } from '../../support/sample-incident.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createDeliveryBench)

let marks = 0
async function mark(text: string, minutesBefore: number, pullZoneId = '301'): Promise<void> {
  const at = new Date(BEGAN_MS - minutesBefore * 60_000)
  await bench.store.marks.add({ id: `m${(marks += 1)}`, pullZoneId, at, text, by: 'U1' }, entry('alert_marked'))
}

async function told(sharedChannels: readonly string[] = []): Promise<readonly string[]> {
  await bench.happens()
  await bench.all(bench.dispatcherWith({ sharedChannels: () => sharedChannels }).dispatcher)
  const text = bench.board.in('C1').at(-1) ?? ''
  return text.split('\n').filter((line) => line.startsWith('• '))
}

describe('what changed before an alert', () => {
  it('is every mark of the half hour before, and of no other time', async () => {
    await mark('too old', 30.01)
    await mark('old enough', 30)
    await mark('elsewhere', 10, '302')
    await mark('at once', 0)
    await mark('after', -0.01)
    expect(await told()).toEqual([
      '• less than a minute before: at once',
      '• 10 min before: elsewhere, pull zone 302',
      '• 30 min before: old enough',
    ])
  })

  it('is what this bot did to the platform as well, the newest five of all', async () => {
    for (const minutes of [1, 2, 4, 5, 6]) await mark(`mark ${minutes}`, minutes)
    bench.clock.turn(BEGAN_MS - 3 * 60_000 - bench.clock.now().getTime())
    await changeIn(bench.store, bench.clock, 'done', { sentence: 'Add an A record' })
    bench.clock.turn(60 * 60_000)
    expect(await told()).toEqual([
      '• 1 min before: mark 1',
      '• 2 min before: mark 2',
      expect.stringMatching(/^• [23] min before: Add an A record$/),
      '• 4 min before: mark 4',
      '• 5 min before: mark 5',
    ])
  })

  it('is only what was marked for the zone, where other organisations read along', async () => {
    await mark('here', 1)
    await mark('elsewhere', 2, '302')
    bench.clock.turn(BEGAN_MS - 3 * 60_000 - bench.clock.now().getTime())
    await changeIn(bench.store, bench.clock, 'done', { sentence: 'Add an A record' })
    bench.clock.turn(60 * 60_000)
    expect(await told(['C1'])).toEqual(['• 1 min before: here'])
    const others = { now: bench.clock.now(), othersRead: true }
    const ofAccount = await findBackground(sampleIncident({}, { subject: 'account' }), bench.store, others)
    expect(ofAccount.changes).toEqual([])
  })

  it('is nothing where nothing changed', async () => {
    expect(await told()).toEqual([])
  })
})
