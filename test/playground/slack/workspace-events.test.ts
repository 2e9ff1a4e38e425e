import { describe, expect, it } from 'vitest'
import { OLGA, OPERATORS_GROUP, OTTO, VERA } from '../../../src/playground/slack/seed.ts'
import { scene, type Scene } from './scripted-app.ts'

const events = ({ received }: Scene) => received.map(({ event }) => event as { readonly type: string })

describe('A change of the workspace', () => {
  it('of who is in a user group tells who came, who went, and how it stands', () => {
    const on = scene()
    on.parts.workspace.setGroupUsers(OPERATORS_GROUP, [OTTO, VERA])
    expect(events(on)).toMatchObject([
      {
        type: 'subteam_members_changed',
        subteam_id: OPERATORS_GROUP,
        added_users: [VERA],
        added_users_count: 1,
        removed_users: [OLGA],
        removed_users_count: 1,
      },
      { type: 'subteam_updated', subteam: { id: OPERATORS_GROUP, users: [OTTO, VERA], user_count: 2, date_delete: 0 } },
    ])
  })

  it('that disables a user group only says when', () => {
    const on = scene()
    on.parts.workspace.setGroupDisabled(OPERATORS_GROUP, 1_790_000_000)
    expect(events(on)).toMatchObject([{ type: 'subteam_updated', subteam: { date_delete: 1_790_000_000 } }])
  })

  it('about a person tells what is known of them now', () => {
    const on = scene()
    on.parts.workspace.changeMember(OTTO, { kind: 'deactivated' })
    expect(events(on)).toMatchObject([{ type: 'user_change', user: { id: OTTO, deleted: true } }])
  })

  it('is not told again once the workspace is closed', async () => {
    const on = scene(() => 'silence')
    on.parts.workspace.changeMember(OTTO, { kind: 'deactivated' })
    on.parts.deliveries.close()
    await new Promise(setImmediate)
    on.clock.turn(400_000)
    expect(on.received).toHaveLength(1)
  })
})
