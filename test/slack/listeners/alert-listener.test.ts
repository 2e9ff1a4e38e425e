import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { INCIDENT_MENU } from '../../../src/alerts/incidents/incident-controls.ts'
import type { BlockActions } from '../../../src/slack/gateway/payloads.ts'
import { alertOperations } from '../../support/alert-operations.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { sampleAlert, sampleDoc } from '../../support/sample-incident.ts'
import { deliver } from '../../support/recording-app.ts'
import { click, createSlackBench, type SlackBench } from '../../support/slack-bench.ts'

let bench: SlackBench
let asked: unknown[]
beforeEach(async () => {
  asked = []
  const operations = alertOperations(async (name, input, { once }) => {
    asked.push([name, input, once?.key])
    return plainAnswer('It is done.')
  })
  bench = await createSlackBench({ operations: () => operations })
  const openedAt = bench.clock.now()
  const incident = { id: 'i1', subject: 'pull/301', channelId: 'C1', openedAt, doc: sampleDoc() }
  const posts = [{ incidentId: 'i1', channelId: 'C1', what: 'card', dueAt: openedAt } as const]
  await bench.store.alerts.commit({ subject: 'pull/301', revision: 0, watch: {}, incidents: [incident], posts })
})
afterEach(() => bench.close())

/** Slack has taken the message about the incident. */
async function posted(): Promise<void> {
  const [card] = await bench.store.outbox.claim(1)
  if (card === undefined) throw new Error('There is no card')
  await bench.store.outbox.delivered(card, { messageTs: '9.9', revision: 1, at: bench.clock.now() })
}
const HERE = { channel: { id: 'C1' }, container: { message_ts: '9.9' }, user: { id: 'UOLGA' } }
const on = (actionId: string, changes: Partial<BlockActions> = {}): BlockActions =>
  click(actionId, 'i1', { ...HERE, ...changes })
const clicked = async (payload: BlockActions): Promise<readonly string[]> => {
  await deliver(bench.slack, 'action', payload)
  return bench.said()
}

describe('a click under the message about an incident', () => {
  it('on Acknowledge is the operation, by who clicked, answered in the thread', async () => {
    await posted()
    const payload = on('alert_ack')
    expect(await clicked(payload)).toEqual(['It is done.'])
    expect(asked).toEqual([['alerts acknowledge', { incident: 'i1' }, `click:${payload.trigger_id}`]])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'chat.postMessage', args: { channel: 'C1', thread_ts: '9.9' } })
  })

  it('on Show lines shows them to who clicked alone, once', async () => {
    await posted()
    const payload = on('alert_lines')
    for (const _ of [1, 2]) await deliver(bench.slack, 'action', payload)
    const input = { pullZone: { id: 301n, name: undefined }, failing: 'true', since: '2026-11-20T11:25:00.000Z' }
    expect(asked).toEqual([['logs', input, undefined]])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'respond', args: { response_type: 'ephemeral' } })
  })

  it.each([
    [{ kind: 'hit-ratio-drop' }, { cache: 'MISS,BYPASS' }],
    [{ kind: 'traffic-surge' }, { cache: 'all' }],
  ])('on Show lines shows those that %j is about', async (alert, shown) => {
    const doc = sampleDoc({ alerts: [sampleAlert(alert)] })
    const view = await bench.store.alerts.view('pull/301', bench.clock.now())
    const [incident] = view.incidents
    if (incident === undefined) throw new Error('There is no incident')
    await posted()
    await bench.store.alerts.commit({
      subject: 'pull/301',
      revision: view.watch?.revision ?? 0,
      watch: {},
      incidents: [{ ...incident, doc }],
    })
    await clicked(on('alert_lines'))
    const input = { pullZone: { id: 301n, name: undefined }, since: '2026-11-20T11:25:00.000Z' }
    expect(asked).toEqual([['logs', { ...input, ...shown }, undefined]])
  })

  it('that changes something is heard of by Slack when it is done, and one that reads at once', async () => {
    await posted()
    const order = async (actionId: string): Promise<readonly string[]> => {
      const happened: string[] = []
      bench.script.before = ({ method }) => happened.push(method)
      const ack = async (): Promise<void> => void happened.push('ack')
      await deliver(bench.slack, 'action', on(actionId), ack)
      return happened
    }
    for (const reads of ['alert_lines', 'alert_hush']) expect((await order(reads))[0]).toBe('ack')
    expect((await order('alert_ack')).at(-1)).toBe('ack')
  })
})

describe('a click that does not fit what was shown', () => {
  const ACK = 'alerts acknowledge'
  const OTHER = 'This is not the message of this incident.'
  /** Under which operation, and why, a click is on record as refused. */
  const refusal = async (changes: Partial<BlockActions>): Promise<readonly unknown[]> => {
    await posted()
    expect(await clicked(on('alert_ack', changes))).toEqual([expect.stringContaining('so it was refused')])
    expect(asked).toEqual([])
    const [entry] = await bench.store.audit.list({ limit: 1 })
    return [entry?.event, entry?.operation, entry?.detail]
  }
  const NO_ID = 'It is a button without the id of its incident.'
  it.each<[string, Partial<BlockActions>, string, string]>([
    ['in another channel', { channel: { id: 'C2' } }, ACK, OTHER],
    ['in no channel', { channel: null }, ACK, OTHER],
    ['under another message', { container: { message_ts: '1.1' } }, ACK, OTHER],
    ['under no message', { container: null }, ACK, OTHER],
    ['without the id of the incident', { actions: [{ action_id: 'alert_ack' }] }, ACK, NO_ID],
    ['with null for it', { actions: [{ action_id: 'alert_ack', value: null }] }, ACK, NO_ID],
    [
      'on a button that there is not',
      { actions: [{ action_id: 'alert_hush', value: 'i1' }] },
      'delivery',
      'It is a button that no message about an incident has.',
    ],
    [
      'on a menu without a choice',
      { actions: [{ action_id: INCIDENT_MENU }] },
      'delivery',
      'It is a button that no message about an incident has.',
    ],
  ])('%s is refused, on record', async (_, changes, ...why) => {
    expect(await refusal(changes)).toEqual(['denied', ...why])
  })

  const CONTROLS = { type: 'actions', block_id: 'alert', elements: [{ type: 'button', value: 'i1' }] }
  const COPY = { user: 'UBOT', ts: '1.1', blocks: [{ type: 'section' }, CONTROLS] }
  const under = (message: unknown, changes: Partial<BlockActions> = {}): Partial<BlockActions> => {
    const container = { message_ts: '1.1' }
    return { container, message: message as BlockActions['message'], ...changes }
  }

  it('under a copy of the message, which a crash before its note has left, works like it, and is answered there', async () => {
    expect(await clicked(on('alert_ack', under(COPY)))).toEqual(['It is done.'])
    await posted()
    expect(await clicked(on('alert_ack', under(COPY)))).toEqual(['It is done.', 'It is done.'])
    expect(asked).toHaveLength(2)
    expect(bench.calls.at(-1)).toMatchObject({ args: { channel: 'C1', thread_ts: '1.1' } })
  })

  it('under a reply that stands in the channel as well is answered in its thread', async () => {
    await posted()
    expect(await clicked(on('alert_ack', under({ ...COPY, thread_ts: '9.9' })))).toEqual(['It is done.'])
    expect(bench.calls.at(-1)).toMatchObject({ args: { channel: 'C1', thread_ts: '9.9' } })
  })

  it.each<[string, Partial<BlockActions>]>([
    ['somebody else wrote', under({ ...COPY, user: 'UOLGA' })],
    ['is about another incident', under({ ...COPY, blocks: [{ ...CONTROLS, elements: [{ value: 'i2' }] }] })],
    ['has the id elsewhere', under({ ...COPY, blocks: [{ ...CONTROLS, block_id: 'answer' }] })],
    ['has no buttons', under({ ...COPY, blocks: [] })],
    ['is not the one that was clicked', under({ ...COPY, ts: '1.2' })],
    ['stands in another channel', under(COPY, { channel: { id: 'C2' } })],
    ['cannot be read', under({ ...COPY, blocks: 'all' })],
  ])('under a message that %s is refused, on record', async (_, changes) => {
    expect(await refusal(changes)).toEqual(['denied', ACK, OTHER])
  })

  it('names no incident that is known is told so', async () => {
    const odd = on('alert_ack', { actions: [{ action_id: 'alert_ack', value: 'i2' }] })
    expect(await clicked(odd)).toEqual([
      'This incident is not known any more. Nothing was done. It may be too long ago.',
    ])
  })

  it('asks for what is no longer possible is told so', async () => {
    const openedAt = bench.clock.now()
    const incident = { id: 'i3', subject: 'account', channelId: 'C1', openedAt, doc: sampleDoc({ alerts: [] }) }
    const posts = [{ incidentId: 'i3', channelId: 'C1', what: 'card', dueAt: openedAt } as const]
    await posted()
    await bench.store.alerts.commit({ subject: 'account', revision: 0, watch: {}, incidents: [incident], posts })
    await posted()
    expect(await clicked(on('alert_lines', { actions: [{ action_id: 'alert_lines', value: 'i3' }] }))).toEqual([
      'What this button asks for is no longer possible. Pull zone is needed. Nothing was done.',
    ])
  })

  it('has no trigger has its effect once for each person', async () => {
    await posted()
    await clicked(on('alert_ack', { trigger_id: undefined }))
    expect(asked).toEqual([['alerts acknowledge', { incident: 'i1' }, 'click:i1:alerts acknowledge:UOLGA']])
  })

  it('comes before the message is noted waits for that', async () => {
    const told = clicked(on('alert_ack'))
    await expect.poll(() => bench.clock.timers).toBe(2)
    await posted()
    bench.clock.turn(100)
    expect(await told).toEqual(['It is done.'])
  })

  it('comes before the message is noted is told to be made again, and accused of nothing', async () => {
    const told = clicked(on('alert_ack'))
    for (let looks = 0; looks < 15; looks += 1) {
      // One ends the time to acknowledge, the other the wait for the next look.
      await expect.poll(() => bench.clock.timers).toBe(2)
      bench.clock.turn(100)
    }
    expect(await told).toEqual(['This message was posted only just now. Nothing was done. Click again in a moment.'])
    expect(await bench.record()).not.toContainEqual(expect.stringMatching(/^denied/))
  })
})
