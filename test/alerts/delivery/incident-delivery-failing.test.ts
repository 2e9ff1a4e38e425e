import { describe, expect, it } from 'vitest'
import { NotDelivered } from '../../../src/delivery/notifier.ts'
import type { Webhook } from '../../../src/alerts/delivery/incident-delivery.ts'
import { buildPagingEvent, buildWebhookBody } from '../../../src/alerts/delivery/webhook-body.ts'
import type { IncidentAlert } from '../../../src/alerts/state/incident.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import { createDeliveryBench, deliverDue, type Happens } from '../../support/delivery-bench.ts'
import { sampleAlert } from '../../support/sample-incident.ts'
import { type AuditEvent, PROGRAM } from '../../../src/store/schema/audit-entry.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { forEachTest } from '../../support/for-each-test.ts'
import { rule as sampleRule } from '../evaluated-zone.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'

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

  it.each([
    ['is_archived', 'The channel is archived.'],
    ['channel_not_found', 'Slack knows no such channel, or CDN Ops was removed from it.'],
    ['not_in_channel', 'CDN Ops is not in the channel.'],
    ['restricted_action', 'Slack does not let CDN Ops write in the channel.'],
    ['restricted_action_read_only_channel', 'Only some people may write in the channel.'],
  ])('has its rules paused, and tells owners and operators once: %s', async (code, why) => {
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
    const paused = (await bench.store.alertRules.list()).flatMap(({ id, pausedWhy }) => (pausedWhy === why ? id : []))
    expect(paused.toSorted()).toEqual(['r1', 'r2', 'r4'])
    const { posted } = bench.board
    expect(posted.map(({ channel }) => channel).toSorted()).toEqual(['COPS', 'UADA', 'UOLGA'])
    expect(posted[0]?.message.text.split('\n')).toEqual([
      `CDN Ops cannot post alerts in C1 any more. ${why} 3 alert rules of that channel are paused and will say nothing; what they watch is still being read.`,
      'Origin failing, shop-web (301)',
      'Origin failing, shop-web (301)',
      'Cache not working, shop-web (301)',
      'Once it can post there again (channel open, CDN Ops invited), type /cdn alerts resume all in that channel; or set alerts up in another one.',
    ])
    expect(posted[0]?.message.blocks.map(({ type }) => type)).toEqual(['section', 'section', 'context'])
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({
      actor: PROGRAM,
      team: PROGRAM,
      operation: 'alerts',
      event: 'alert_paused',
      summary: '3 alert rules of channel C1 paused',
      detail: why,
    })
    expect((await bench.store.outbox.deadPosts()).map(({ reason }) => reason)).toEqual([why, why])
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2)
  })

  it('has twenty of its owners told, and operators but in the channel itself', async () => {
    await add(
      ...Array.from({ length: 21 }, (_, index) =>
        rule({ id: `r${index}`, subject: `pull/${index + 1}`, createdBy: `U${index}` }),
      ),
    )
    let tries = 0
    bench.board.before = (_, channel) => {
      if (channel !== 'C1') return
      tries += 1
      throw new NotDelivered('is_archived', true)
    }
    await bench.happens()
    await bench.all(bench.dispatcherWith({ opsChannel: 'C1' }).dispatcher)
    expect([bench.board.posted.length, tries]).toEqual([20, 1])
  })

  it('is none where Slack may take the next message', async () => {
    await add(rule())
    bench.board.before = () => {
      throw new NotDelivered('is_archived', false)
    }
    await bench.happens()
    await bench.all(bench.dispatcherWith().dispatcher)
    expect((await bench.store.alertRules.list())[0]?.pausedWhy).toBeUndefined()
  })

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
    expect(await bench.store.outbox.deadPosts()).toMatchObject([{ reason: expect.stringContaining(code) }])
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
    const sending = deliverDue(dispatcher)
    await bench.happens()
    await deliverDue(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    hangs.resolve()
    await sending
    expect(sent).toMatchObject([{ status: 'firing', alerts: [{ labels: { alertname: 'stale-share' } }] }])
  })

  it('that does not answer for half a minute is tried again', async () => {
    const { dispatcher, lines } = bench.dispatcherWith({ webhook: webhookTo(() => new Promise(() => undefined)) })
    await bench.happens(webhook)
    const sending = deliverDue(dispatcher)
    while (bench.clock.timers === 0) await turnOfTheLoop()
    bench.clock.turn(29_999)
    expect(bench.clock.timers).toBe(1)
    bench.clock.turn(1)
    await sending
    expect(lines).toMatchObject([{ level: 'warn' }])
    expect((await bench.store.outbox.waitingPosts()).count).toBe(1)
  })

  it('hears what happened elsewhere where of one incident nothing can be made, which is given up', async () => {
    const { store } = bench
    const incident = async (id: string) => {
      if (id === 'i1') throw new StoreError('corrupt')
      return store.alerts.incident(id)
    }
    let sent = 0
    const send = async (): Promise<void> => void (sent += 1)
    const parts = { store: { ...store, alerts: { incident } }, webhook: webhookTo(send) }
    const { dispatcher, lines } = bench.dispatcherWith(parts)
    await bench.happens(webhook)
    await bench.happens({ ...webhook, id: 'i2' })
    for (let minute = 0; minute < 10; minute += 1) {
      await deliverDue(dispatcher)
      bench.clock.turn(MINUTE_MS)
    }
    expect(sent).toBe(1)
    expect(await store.outbox.deadPosts()).toMatchObject([{ what: 'webhook', incidentId: 'i1' }])
    expect(lines.map(({ level }) => level)).not.toContain('warn')
  })

  it('that is not set any more is missed: what waits for it is given up, and not in silence', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens(webhook)
    await bench.all(dispatcher)
    expect(await bench.store.outbox.deadPosts()).toMatchObject([{ reason: 'ALERT_WEBHOOK_URL is not set any more' }])
    expect((await bench.store.outbox.waitingPosts()).count).toBe(0)
  })

  it('that never was set is told nothing of what people do, and nothing of that is given up', async () => {
    const { dispatcher } = bench.dispatcherWith()
    for (const body of [{ status: 'acknowledged' }, { status: 'released' }, undefined])
      await bench.happens({ what: 'webhook', body })
    await bench.all(dispatcher)
    expect(await bench.store.outbox.deadPosts()).toEqual([])
  })

  describe('that is away for an hour', () => {
    const [worse, milder] = [sampleAlert(), sampleAlert({ ruleId: 'rule2', severity: 'warning' })]
    const fires = (...alerts: readonly IncidentAlert[]): Happens => {
      return { what: 'webhook', body: { status: 'firing', alerts }, alerts }
    }
    const given = { what: 'webhook', reason: expect.stringMatching(/^It was over, or silenced, before/) }
    const entry = (event: AuditEvent) => {
      return { at: bench.clock.now(), actor: 'UOLGA', team: 'T1', operation: 'alerts', event, summary: 'Seen' }
    }
    const acknowledge = () => {
      const by = { person: 'UOLGA', at: bench.clock.now(), entry: entry('alert_acknowledged') }
      return bench.store.alerts.acknowledge('i1', by)
    }

    type Told = readonly (Happens | (() => Promise<unknown>))[]
    async function payloadsAfterAnHour(build: Webhook['build'], told: Told): Promise<readonly object[]> {
      const sent: object[] = []
      let isAway = true
      const send = async (payload: object): Promise<void> => {
        if (isAway) throw new NotDelivered('refused', false)
        sent.push(payload)
      }
      const { dispatcher } = bench.dispatcherWith({ webhook: { build, send } })
      for (const each of told) await (typeof each === 'function' ? each() : bench.happens(each))
      for (let minute = 0; minute < 60; minute += 1) {
        await deliverDue(dispatcher)
        bench.clock.turn(MINUTE_MS)
      }
      isAway = false
      await bench.all(dispatcher)
      return sent
    }

    async function tellAfterAnHour(...told: Told): Promise<readonly string[]> {
      const sent = (await payloadsAfterAnHour(buildWebhookBody, told)) as readonly WebhookPayload[] // what was built there
      return sent.map(({ status, alerts }) => `${status} ${alerts.map(({ labels }) => labels['rule']).join(' ')}`)
    }

    it('hears what fires still', async () => {
      expect(await tellAfterAnHour(fires(worse, milder))).toEqual(['firing rule1 rule2'])
      expect(await bench.store.outbox.deadPosts()).toEqual([])
    })

    it('hears nothing of what began and ended meanwhile, which is given up, and that what it may know is over', async () => {
      const endedAt = bench.clock.now()
      const alerts = [{ ...worse, endedMs: endedAt.getTime() }]
      const over = { what: 'webhook', body: { status: 'resolved', alerts }, alerts, endedAt } as const
      expect(await tellAfterAnHour(fires(worse), over)).toEqual(['resolved rule1'])
      expect(await bench.store.outbox.deadPosts()).toMatchObject([given])
    })

    it('hears of the alerts that fire still, where another one of the incident is over', async () => {
      const ended = { ...worse, endedMs: bench.clock.now().getTime() }
      const over = { what: 'webhook', body: { status: 'resolved', alerts: [ended] }, alerts: [ended, milder] } as const
      expect(await tellAfterAnHour(fires(worse, milder), over)).toEqual(['firing rule2', 'resolved rule1'])
    })

    it('does not hear that what fires again is over, nor of its first beginning', async () => {
      const ended = { ...worse, endedMs: bench.clock.now().getTime() }
      const over = { what: 'webhook', body: { status: 'resolved', alerts: [ended] }, alerts: [ended] } as const
      const again = { ...worse, firedMs: worse.firedMs + MINUTE_MS }
      expect(await tellAfterAnHour(fires(worse), over, fires(again))).toEqual(['firing rule1'])
      expect(await bench.store.outbox.deadPosts()).toMatchObject([given])
    })

    it('hears of what somebody looks after, of which not every form has a word', async () => {
      expect(await tellAfterAnHour(fires(worse), acknowledge)).toEqual(['firing rule1'])
    })

    it('hears nothing of what is silenced', async () => {
      const [from, until] = [bench.clock.now(), new Date(bench.clock.now().getTime() + 1_440 * MINUTE_MS)]
      const silence = {
        id: 's1',
        subject: 'pull/301',
        channelId: 'C1',
        kind: undefined,
        by: 'UOLGA',
        from,
        until,
      } as const
      const silencing = () => bench.store.silences.add([silence], () => entry('alert_silenced'))
      expect(await tellAfterAnHour(fires(worse), silencing)).toEqual([])
      expect(await bench.store.outbox.deadPosts()).toMatchObject([given])
    })

    it('hears that what it was told is over, where a person said so, or with its rules', async () => {
      const resolved = { what: 'webhook', body: undefined, endedAt: bench.clock.now() } as const
      expect(await tellAfterAnHour(resolved)).toEqual(['resolved rule1'])
    })

    it('hears of no acknowledgement that is taken back since', async () => {
      const before = { ...worse, severity: 'warning' } as const
      const told = [fires(before), acknowledge, { ...fires(worse), unacknowledge: true }]
      const sent = await payloadsAfterAnHour(buildPagingEvent, told)
      expect(sent).toMatchObject(
        [1, 2].map(() => ({ event_action: 'trigger', dedup_key: 'i1', payload: { severity: 'critical' } })),
      )
    })

    it('hears of an acknowledgement that holds', async () => {
      const sent = await payloadsAfterAnHour(buildPagingEvent, [fires(worse), acknowledge])
      expect(sent).toMatchObject(['trigger', 'acknowledge'].map((event_action) => ({ event_action, dedup_key: 'i1' })))
    })

    it('hears that what fires still is looked after by nobody any more', async () => {
      const released = { ...fires(worse), body: { status: 'released' } } as const
      const sent = await payloadsAfterAnHour(buildPagingEvent, [released])
      expect(sent).toMatchObject([{ event_action: 'trigger', payload: { severity: 'critical' } }])
    })

    it('hears of an event, which is over as it happens', async () => {
      const event = { ...worse, endedMs: bench.clock.now().getTime() }
      const told = { ...fires(event), nature: 'event', endedAt: bench.clock.now() } as const
      expect(await tellAfterAnHour(told)).toEqual(['firing rule1'])
    })
  })

  it('that refuses a message for half an hour hears the next one', async () => {
    const sent: unknown[] = []
    const send = async ({ groupKey }: WebhookPayload): Promise<void> => {
      if (groupKey.includes('i1')) throw new NotDelivered('it answered with 400', true)
      sent.push(groupKey)
    }
    const { dispatcher } = bench.dispatcherWith({ webhook: webhookTo(send) })
    await bench.happens(webhook)
    await bench.happens({ ...webhook, id: 'i2' })
    for (let minute = 0; minute < 29; minute += 1) {
      await deliverDue(dispatcher)
      bench.clock.turn(MINUTE_MS)
    }
    expect(sent).toEqual([])
    bench.clock.turn(2 * MINUTE_MS)
    await bench.all(dispatcher)
    expect(sent).toHaveLength(1)
    const reason = 'The configured address refuses it: it answered with 400'
    expect(await bench.store.outbox.deadPosts()).toMatchObject([{ what: 'webhook', incidentId: 'i1', reason }])
  })

  it('that is away for days has messages given up', async () => {
    const { dispatcher } = bench.dispatcherWith({
      webhook: webhookTo(() => Promise.reject(new NotDelivered('refused', false))),
    })
    await bench.happens(webhook)
    for (let day = 0; day < 5; day += 1) {
      await deliverDue(dispatcher)
      bench.clock.turn(1_440 * MINUTE_MS)
    }
    const reason = 'Not taken for days by the configured address: refused'
    expect(await bench.store.outbox.deadPosts()).toMatchObject([{ what: 'webhook', reason }])
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
