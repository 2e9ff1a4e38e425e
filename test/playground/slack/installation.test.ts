import { describe, expect, it } from 'vitest'
import { GRETA, OPS, SISTER_TEAM_ID, TEAM, VERA } from '../../../src/playground/slack/seed.ts'
import { scene } from './scripted-app.ts'

describe('An app', () => {
  it('hears of its workspace and of no organisation', async () => {
    const { person, received } = scene()
    await person(VERA).command(OPS, '/cdn')
    await person(VERA).shortcut('any')
    await person(VERA).openHome()
    const [command, shortcut, event] = received
    expect(command).not.toHaveProperty('enterprise_id')
    expect(shortcut).toMatchObject({ team: { id: TEAM.id }, enterprise: null, is_enterprise_install: false })
    expect(event).toMatchObject({ authorizations: [{ enterprise_id: null, team_id: TEAM.id }] })
  })

  it('tells a colleague of another workspace by their own team, beside the one they act in', async () => {
    const { person, received } = scene()
    await person(GRETA).shortcut('any')
    expect(received[0]).toMatchObject({ user: { id: GRETA, team_id: SISTER_TEAM_ID }, team: { id: TEAM.id } })
  })
})
