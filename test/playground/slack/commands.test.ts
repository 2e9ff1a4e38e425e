import { describe, expect, it } from 'vitest'
import { CDN_PRIVATE, OLGA, OPS, TEAM, VERA } from '../../../src/playground/slack/state/seed.ts'
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

  it('fails when the answer is one Slack refuses', async () => {
    const { person } = scene(() => ({ blocks: [{ type: 'nonsense' }] }))
    expect(await person(VERA).command(OPS, '/cdn')).toEqual({
      ok: false,
      shown: '/cdn failed with the error "invalid_blocks"',
    })
  })
})
