import { describe, expect, it } from 'vitest'
import { buildPagingEvent } from '../../../src/alerts/delivery/paging-event.ts'
import type { IncidentAlert } from '../../../src/alerts/state/incident.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'

const PANEL = 'https://panel.example/301'
const WORDS = { ...SAMPLE_WORDS, panel: () => new URL(PANEL) }
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
    expect(trigger({ ...event, runbook: 'javascript:alert(1)' })).toMatchObject({
      payload: { summary: 'shop-web: key 7 is new' },
      links: [],
    })
  })

  it('keeps to what the format takes, however long a title is', () => {
    const summary = 'x'.repeat(1_024).length
    expect(JSON.stringify(trigger({ title: 'x'.repeat(5_000) }))).not.toContain('x'.repeat(summary))
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
