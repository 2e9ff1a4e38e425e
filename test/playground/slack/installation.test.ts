import { describe, expect, it } from 'vitest'
import { ENTERPRISE, GRETA, OPS, SISTER_TEAM_ID, TEAM, VERA } from '../../../src/playground/slack/seed.ts'
import type { Switches } from '../../../src/playground/slack/parts.ts'
import { scene } from './scripted-app.ts'

const enterprise = { id: ENTERPRISE.id, name: ENTERPRISE.name }

async function deliveredTo(switches: Partial<Switches>) {
  const { person, received } = scene(undefined, { switches })
  await person(VERA).command(OPS, '/cdn')
  await person(VERA).shortcut('any')
  await person(VERA).openHome()
  return received
}

describe('An app', () => {
  it('of a workspace on its own hears of no organisation', async () => {
    const [command, shortcut, event] = await deliveredTo({})
    expect(command).not.toHaveProperty('enterprise_id')
    expect(shortcut).toMatchObject({ team: { id: TEAM.id }, enterprise: null, is_enterprise_install: false })
    expect(event).toMatchObject({ authorizations: [{ enterprise_id: null, team_id: TEAM.id }] })
  })

  it('of a workspace of an organisation hears of both', async () => {
    const [command, shortcut, event] = await deliveredTo({ grid: true })
    expect(command).toMatchObject({
      team_id: TEAM.id,
      enterprise_id: ENTERPRISE.id,
      is_enterprise_install: 'false',
    })
    expect(shortcut).toMatchObject({ team: { id: TEAM.id }, enterprise, is_enterprise_install: false })
    expect(event).toMatchObject({ authorizations: [{ enterprise_id: ENTERPRISE.id, team_id: TEAM.id }] })
  })

  it('of an organisation hears of no team, but where somebody is from', async () => {
    const [command, shortcut, event] = await deliveredTo({ orgInstall: true })
    expect(command).toMatchObject({ enterprise_id: ENTERPRISE.id, is_enterprise_install: 'true' })
    expect(shortcut).toMatchObject({ team: null, user: { team_id: TEAM.id }, enterprise, is_enterprise_install: true })
    expect(event).toMatchObject({ authorizations: [{ team_id: null, is_enterprise_install: true }] })
  })

  it('tells a colleague of another workspace by their own team, beside the one they act in', async () => {
    const { person, received } = scene(undefined, { switches: { grid: true } })
    await person(GRETA).shortcut('any')
    expect(received[0]).toMatchObject({ user: { id: GRETA, team_id: SISTER_TEAM_ID }, team: { id: TEAM.id } })
  })
})
