import { describe, expect, it } from 'vitest'
import { CDN_PRIVATE, OLGA, OPS, TEAM, VERA } from '../../../src/playground/slack/seed.ts'
import { section } from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

describe('A slash command', () => {
  it('carries what Slack sends', async () => {
    const { person, received } = scene()
    await person(VERA).command(OPS, '/cdn  storage stats shop ')
    expect(received).toEqual([
      {
        token: expect.any(String),
        team_id: TEAM.id,
        team_domain: 'northwind',
        channel_id: OPS,
        channel_name: 'ops',
        user_id: VERA,
        user_name: 'vera',
        command: '/cdn',
        text: 'storage stats shop',
        api_app_id: 'A0CDNOPS01',
        is_enterprise_install: 'false',
        response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/commands\/T0CDNTEAM1\//),
        trigger_id: expect.any(String),
      },
    ])
  })

  it('tells no name of a private channel or a direct conversation', async () => {
    const { person, received } = scene()
    await person(OLGA).command(CDN_PRIVATE, '/cdn')
    await person(OLGA).command(person(OLGA).direct(), '/cdn')
    expect(received.map((payload) => payload['channel_name'])).toEqual(['privategroup', 'directmessage'])
  })

  it('is escaped on the way', async () => {
    const { person, received } = scene()
    await person(VERA).command(OPS, '/cdn whoami @olga')
    expect(received[0]?.['text']).toBe(`whoami <@${OLGA}>`)
  })

  it('shows what the acknowledgement says to one person or to all', async () => {
    let answer: Record<string, unknown> = { text: 'for you' }
    const { person } = scene(() => answer)
    await person(VERA).command(OPS, '/cdn one')
    answer = { response_type: 'in_channel', text: 't', blocks: [section('for all')] }
    await person(VERA).command(OPS, '/cdn two')
    expect(person(VERA).messages(OPS)).toMatchObject([
      { text: 'for you', ephemeral: true },
      { text: '/cdn two', author: VERA },
      { text: 't', blocks: [{ type: 'section' }], ephemeral: false },
    ])
    expect(person(OLGA).messages(OPS)).toHaveLength(2)
  })

  it('fails when nobody is connected', async () => {
    const { person, parts } = scene()
    parts.deliveries.use({ send: () => false })
    expect(await person(VERA).command(OPS, '/cdn')).toEqual({
      ok: false,
      shown: '/cdn failed with the error "dispatch_failed"',
    })
  })

  it('fails after three seconds of silence, and a late answer is not shown', async () => {
    const { person, clock, parts } = scene(() => 'silence')
    const done = person(VERA).command(OPS, '/cdn')
    clock.turn(2_999)
    expect(parts.deliveries.all[0]?.outcome).toBe('pending')
    clock.turn(1)
    expect(await done).toEqual({ ok: false, shown: '/cdn failed with the error "operation_timeout"' })
    parts.deliveries.acknowledge(parts.deliveries.all[0]!.id, { text: 'late' })
    expect(person(VERA).messages(OPS)).toEqual([])
    expect(parts.deliveries.all[0]).toMatchObject({ outcome: 'timeout', ackMs: 3_000 })
  })

  it('counts only the first acknowledgement', async () => {
    const { person, parts, clock } = scene(() => ({ text: 'first' }))
    await person(VERA).command(OPS, '/cdn')
    clock.turn(10)
    parts.deliveries.acknowledge(parts.deliveries.all[0]!.id, { text: 'second' })
    expect(person(VERA).messages(OPS)).toMatchObject([{ text: 'first' }])
    expect(parts.deliveries.all).toMatchObject([{ outcome: 'acked', ackMs: 0 }])
  })

  it('fails when the answer is one Slack refuses', async () => {
    const { person } = scene(() => ({ blocks: [{ type: 'nonsense' }] }))
    expect(await person(VERA).command(OPS, '/cdn')).toEqual({
      ok: false,
      shown: '/cdn failed with the error "invalid_blocks"',
    })
  })
})
