import { describe, expect, it } from 'vitest'
import { buildPagingEvent, buildWebhookBody } from '../../../src/alerts/delivery/webhook-body.ts'
import type { IncidentAlert } from '../../../src/alerts/state/incident.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'

const PANEL = 'https://panel.example/301'
const WORDS = { ...SAMPLE_WORDS, panel: () => new URL(PANEL) }
const body = (...alerts: Parameters<typeof sampleAlert>[0][]) => {
  const built = buildWebhookBody({ status: 'firing', alerts: alerts.map(sampleAlert) }, sampleIncident(), WORDS)
  if (built === undefined) throw new Error('What fires has a form')
  return built
}

/** Labels of every alert of the incident. */
const PLACE = {
  subject: 'pull/301',
  zone: '301',
  zone_kind: 'pull',
  zone_name: 'shop-web',
  channel: 'C1',
  incident: 'abcdef0123456789',
}

describe('what the configured address gets', () => {
  it('is the fourth version of the form that Alertmanager sends', () => {
    const labels = { alertname: 'stale-share', severity: 'critical', rule: 'rule1', ...PLACE }
    const annotations = {
      summary: 'Origin failing, shop-web (301)',
      description: '34 % of the lines were STALE or 5xx in the last 5 min, usually 0.3 %.',
    }
    expect(body({})).toEqual({
      version: '4',
      groupKey: '{}:{incident="abcdef0123456789"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'cdn-ops',
      groupLabels: { channel: 'C1', incident: 'abcdef0123456789', subject: 'pull/301' },
      commonLabels: labels,
      commonAnnotations: annotations,
      externalURL: 'https://panel.example/301',
      alerts: [
        {
          status: 'firing',
          labels,
          annotations,
          startsAt: '2026-11-20T11:30:00.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://panel.example/301',
          fingerprint: '9edca3d1531c76b1',
        },
      ],
    })
  })

  it.each(['acknowledged', 'released'] as const)('has no word for what is %s', (status) => {
    expect(buildWebhookBody({ status }, sampleIncident(), WORDS)).toBeUndefined()
  })

  it('has in common only what all of its alerts share', () => {
    const two = [{}, { kind: 'error-share', severity: 'warning', ruleId: 'rule2', facts: { sentence: '' } }] as const
    const { commonLabels, commonAnnotations } = body(...two)
    expect(commonLabels).toEqual(PLACE)
    expect(commonAnnotations).toEqual({ summary: 'Origin failing, shop-web (301)' })
    expect(body(...two, { kind: 'traffic-gone' }).commonAnnotations).toEqual({})
  })

  it('says what is known of what has no zone, no name, and no place in a panel', () => {
    const alerts = ['account', 'storage/55'].map((subject) => sampleAlert({ subject, kind: 'storage-change' }))
    const built = buildWebhookBody({ status: 'firing', alerts }, sampleIncident(), SAMPLE_WORDS)
    expect(built).toMatchObject({ externalURL: '', alerts: [{ generatorURL: '' }, { generatorURL: '' }] })
    expect(built?.alerts.map(({ labels }) => [labels['zone'], labels['zone_kind'], labels['zone_name']])).toEqual([
      [undefined, undefined, undefined],
      ['55', 'storage', undefined],
    ])
  })

  it('names the runbook of its rule, else that of the zone, as receivers know it', () => {
    const runbook = 'https://wiki.example/stale'
    const words = { ...WORDS, runbook: () => 'https://wiki.example/shop' }
    const alerts = [sampleAlert({ runbook }), sampleAlert()]
    const built = buildWebhookBody({ status: 'firing', alerts }, sampleIncident(), words)
    const named = [runbook, 'https://wiki.example/shop']
    expect(built?.alerts.map(({ annotations }) => annotations['runbook_url'])).toEqual(named)
    const links = named.map((href) => ({ href, text: 'Runbook' }))
    expect(buildPagingEvent({ status: 'firing', alerts }, sampleIncident(), words)).toMatchObject({ links })
  })

  it('has what is over as soon as it is told, such as a changed API key, as firing', () => {
    const key = { kind: 'api-keys-changed', subject: 'account', endedMs: BEGAN_MS }
    expect(body(key)).toMatchObject({
      status: 'firing',
      alerts: [{ status: 'firing', endsAt: '0001-01-01T00:00:00Z' }],
    })
    const details = { alerts: [{ status: 'firing' }] }
    expect(trigger(key)).toMatchObject({ payload: { custom_details: details } })
  })

  it('lets a receiver know which alert ended, however grave it was when it began', () => {
    const [fired] = body({ severity: 'warning' }).alerts
    const over = { status: 'resolved', alerts: [sampleAlert({ endedMs: BEGAN_MS + 60_000 })] } as const
    const [ended] = buildWebhookBody(over, sampleIncident(), WORDS)?.alerts ?? []
    expect(ended).toMatchObject({ status: 'resolved', endsAt: '2026-11-20T11:31:00.000Z' })
    expect(ended?.fingerprint).toBe(fired?.fingerprint)
    expect(body({ ruleId: 'rule2' }).alerts[0]?.fingerprint).not.toBe(fired?.fingerprint)
  })

  it('tells two incidents of one rule apart, and two events of one incident, such as two changed API keys', () => {
    const about = (id: string) =>
      buildWebhookBody({ status: 'firing', alerts: [sampleAlert()] }, { ...sampleIncident(), id }, WORDS)
    expect(about('i1')?.alerts[0]?.fingerprint).not.toBe(about('i2')?.alerts[0]?.fingerprint)
    const events = ['key 7 is new', 'key 8 is gone'].map((title) => sampleAlert({ title, endedMs: BEGAN_MS }))
    const told = buildWebhookBody({ status: 'firing', alerts: events }, sampleIncident(), WORDS)
    expect(new Set(told?.alerts.map(({ fingerprint }) => fingerprint)).size).toBe(2)
  })
})

const trigger = (...alerts: Partial<IncidentAlert>[]) =>
  buildPagingEvent({ status: 'firing', alerts: alerts.map(sampleAlert) }, sampleIncident(), WORDS)
const ENDED = sampleIncident({}, { endedAt: new Date(BEGAN_MS) })
const resolved = { status: 'resolved', alerts: [sampleAlert({ endedMs: BEGAN_MS })] } as const

describe('what a paging service gets', () => {
  it('is an event that triggers, with all that the format has a place for', () => {
    expect(trigger({ runbook: 'https://wiki.example/stale' })).toEqual({
      event_action: 'trigger',
      dedup_key: 'abcdef0123456789',
      client: 'CDN Ops',
      client_url: PANEL,
      links: [{ href: 'https://wiki.example/stale', text: 'Runbook' }],
      payload: {
        summary: 'shop-web: origin failing, visitors get old content, 34 % STALE',
        source: 'shop-web (301)',
        severity: 'critical',
        timestamp: '2026-11-20T11:30:00.000Z',
        custom_details: {
          alerts: [expect.objectContaining({ status: 'firing', labels: expect.objectContaining({ channel: 'C1' }) })],
        },
      },
    })
  })

  it('is as severe as the severest of it, since the first of it', () => {
    const mild = { severity: 'warning', kind: 'cache-not-working', firedMs: BEGAN_MS - 60_000 } as const
    expect(trigger(mild, {})).toMatchObject({
      payload: { severity: 'critical', timestamp: '2026-11-20T11:29:00.000Z' },
    })
    expect(trigger(mild)).toMatchObject({ payload: { severity: 'warning' } })
  })

  it('has no number where there is none, and no link that may not be followed', () => {
    const event = { number: undefined, facts: { sentence: 'API key 7 is new.' }, title: 'key 7 is new' }
    const counted = { ...event, facts: { ...event.facts, value: 7, unit: 'keys' } } as const
    expect(trigger(counted)).toMatchObject({ payload: { summary: 'shop-web: key 7 is new, 7 keys' } })
    expect(trigger({ ...event, runbook: 'javascript:alert(1)' })).toMatchObject({
      payload: { summary: 'shop-web: key 7 is new' },
      links: [],
    })
  })

  it('has a link to each runbook once', () => {
    const runbook = 'https://wiki.example/stale'
    const links = [{ href: runbook, text: 'Runbook' }]
    expect(trigger({ runbook }, { runbook, kind: 'traffic-gone' })).toMatchObject({ links })
    const bare = buildPagingEvent({ status: 'firing', alerts: [sampleAlert()] }, sampleIncident(), SAMPLE_WORDS)
    expect(bare).not.toHaveProperty('client_url')
  })

  it('keeps to what the format takes, however long a title is', () => {
    const payload = { summary: `shop-web: ${'x'.repeat(1_013)}…` }
    expect(trigger({ title: 'x'.repeat(5_000) })).toMatchObject({ payload })
  })

  it('is acknowledged by the same key', () => {
    expect(buildPagingEvent({ status: 'acknowledged' }, sampleIncident(), WORDS)).toEqual({
      event_action: 'acknowledge',
      dedup_key: 'abcdef0123456789',
    })
  })

  it('fires still where the acknowledgement was taken back, with what fires now, as the format has no word for that', () => {
    const released = { status: 'released' } as const
    const incident = sampleIncident({ alerts: [sampleAlert(), sampleAlert({ ruleId: 'over', endedMs: BEGAN_MS })] })
    expect(buildPagingEvent(released, incident, WORDS)).toEqual(trigger({}))
    expect(buildPagingEvent(released, sampleIncident({ alerts: [...resolved.alerts] }), WORDS)).toBeUndefined()
  })

  it('is resolved once the incident is over, and not with one alert of several', () => {
    expect(buildPagingEvent(resolved, sampleIncident(), WORDS)).toBeUndefined()
    expect(buildPagingEvent(resolved, ENDED, WORDS)).toEqual({
      event_action: 'resolve',
      dedup_key: 'abcdef0123456789',
    })
  })
})
