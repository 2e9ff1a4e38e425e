import { describe, expect, it } from 'vitest'
import { NotDelivered } from '../../../src/delivery/notifier.ts'
import type { Webhook } from '../../../src/alerts/delivery/incident-delivery.ts'
import { buildWebhookBody } from '../../../src/alerts/delivery/webhook-body.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import { createDeliveryBench } from '../../support/delivery-bench.ts'
import { sampleAlert } from '../../support/sample-incident.ts'
import { forEachTest } from '../../support/for-each-test.ts'
import { rule as sampleRule } from '../evaluated-zone.ts'

const MINUTE_MS = 60_000
const bench = forEachTest(createDeliveryBench)

const rule = ({ kind = 'stale-share', ...changes }: Partial<AlertRule> = {}): AlertRule =>
  sampleRule(kind, { id: 'r1', createdBy: 'UOLGA', createdAt: bench.clock.now(), ...changes })

describe('a channel that is lost', () => {
  const lose = (code: string): void => {
    bench.board.before = (_, channel) => {
      if (channel === 'C1') throw new NotDelivered(code, true)
    }
  }
  const add = (...rules: readonly AlertRule[]) =>
    bench.store.alertRules.add(rules, () => ({
      at: bench.clock.now(),
      actor: 'UOLGA',
      team: 'T1',
      operation: 'alerts add',
      event: 'alert_added',
      summary: 'Added',
    }))

  it.each(['is_archived', 'channel_not_found', 'not_in_channel'])(
    'has its rules paused, and tells owners and operators once: %s',
    async (code) => {
      await add(
        rule(),
        rule({ id: 'r2', kind: 'error-share', createdBy: 'UADA' }),
        rule({ id: 'r3', channelId: 'C2' }),
        rule({ id: 'r4', kind: 'bypass-share', createdBy: 'configuration' }),
      )
      lose(code)
      const { dispatcher, lines } = bench.dispatcherWith()
      await bench.happens()
      await bench.happens({ id: 'i2' })
      await bench.all(dispatcher)
      const paused = (await bench.store.alertRules.list()).filter(({ pausedWhy }) => pausedWhy !== undefined)
      expect(paused.map(({ id }) => id).toSorted()).toEqual(['r1', 'r2', 'r4'])
      const { posted } = bench.board
      expect(posted.map(({ channel }) => channel).toSorted()).toEqual(['COPS', 'UADA', 'UOLGA'])
      expect(JSON.stringify(posted[0]?.message)).toContain('cannot post alerts in `C1` any more')
      expect((await bench.store.outbox.deadPosts(10)).map(({ reason }) => reason)).toHaveLength(2)
      expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2)
    },
  )

  it.each([
    [10, /\n(Origin failing, .+\n){10}Once it can post/],
    [12, /\n(Origin failing, .+\n){10}and 2 more\nOnce it can post/],
  ])('has ten of its rules named and the others counted: of %i', async (count, named) => {
    await add(...Array.from({ length: count }, (_, zone) => rule({ id: `r${zone}`, subject: `pull/${zone + 1}` })))
    lose('is_archived')
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(named)])
  })

  it.each(['msg_too_long', 'invalid_blocks'])('is none where only the message does not fit: %s', async (code) => {
    await add(rule())
    lose(code)
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    expect((await bench.store.alertRules.list())[0]?.pausedWhy).toBeUndefined()
    expect(await bench.store.outbox.deadPosts(10)).toMatchObject([{ reason: expect.stringContaining(code) }])
  })
})

type WebhookPayload = NonNullable<ReturnType<typeof buildWebhookBody>>
function webhookTo(send: (payload: WebhookPayload) => Promise<void>): Webhook {
  return { build: buildWebhookBody, send: (payload) => send(payload as WebhookPayload) } // what was built here
}

describe('the configured address', () => {
  const webhook = { what: 'webhook', body: { status: 'firing', alerts: [sampleAlert()] } } as const

  it('gets what happened, and holds up no channel while it does not answer', async () => {
    const sent: WebhookPayload[] = []
    const hangs = Promise.withResolvers<void>()
    const { dispatcher } = bench.dispatcherWith({
      webhook: webhookTo((payload) => hangs.promise.then(() => void sent.push(payload))),
    })
    await bench.happens(webhook)
    const sending = dispatcher.deliverDue()
    await bench.happens()
    await dispatcher.deliverDue()
    expect(bench.board.posted).toHaveLength(1)
    hangs.resolve()
    await sending
    expect(sent).toMatchObject([{ status: 'firing', alerts: [{ labels: { alertname: 'stale-share' } }] }])
  })

  it('that is not set any more is missed: what waits for it is given up, and not in silence', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens(webhook)
    await bench.all(dispatcher)
    expect(await bench.store.outbox.deadPosts(10)).toMatchObject([{ reason: 'ALERT_WEBHOOK_URL is not set any more' }])
    expect((await bench.store.outbox.waitingPosts()).count).toBe(0)
  })

  it('that never was set is told nothing of what people do, and nothing of that is given up', async () => {
    const { dispatcher } = bench.dispatcherWith()
    for (const body of [{ status: 'acknowledged' }, { status: 'released' }, undefined])
      await bench.happens({ what: 'webhook', body })
    await bench.all(dispatcher)
    expect(await bench.store.outbox.deadPosts(10)).toEqual([])
  })

  it('is tried again, and given up after half an hour', async () => {
    let tried = 0
    const send = async (): Promise<void> => {
      tried += 1
      throw new Error('refused')
    }
    const { dispatcher } = bench.dispatcherWith({ webhook: webhookTo(send) })
    await bench.happens(webhook)
    for (let minute = 0; minute < 35; minute += 1) {
      await dispatcher.deliverDue()
      bench.clock.turn(MINUTE_MS)
    }
    expect(tried).toBeGreaterThan(20)
    expect(await bench.store.outbox.deadPosts(10)).toMatchObject([{ what: 'webhook' }])
  })

  it('hears that what fires is over when the last rule about it is removed', async () => {
    const sent: WebhookPayload[] = []
    const { dispatcher } = bench.dispatcherWith({ webhook: webhookTo(async (payload) => void sent.push(payload)) })
    const told = { at: bench.clock.now(), actor: 'U1', team: 'T1', operation: 'alerts', summary: 'Rules' }
    await bench.store.alertRules.add([rule()], () => ({ ...told, event: 'alert_added' }))
    await bench.happens(webhook)
    await bench.store.alertRules.remove(['r1'], () => ({ ...told, event: 'alert_removed' }))
    for (let round = 0; round < 3; round += 1) {
      await bench.all(dispatcher)
      bench.clock.turn(2_000)
    }
    expect(sent.map(({ status }) => status)).toEqual(['firing', 'resolved'])
    expect(sent[1]?.alerts).toMatchObject([{ status: 'resolved', fingerprint: sent[0]?.alerts[0]?.fingerprint }])
    expect(bench.board.posted).toEqual([])
  })
})
