import { describe, expect, it } from 'vitest'
import { OLGA, OPERATORS_GROUP, OTTO, VERA } from '../../../../src/playground/slack/state/seed.ts'
import { scene, type Scene } from '../scripted-app.ts'

const events = ({ received }: Scene) => received.map(({ event }) => event as { readonly type: string })

describe('A change of the workspace', () => {
  it('of who is in a user group tells who came, who went, and how it stands', () => {
    const on = scene()
    on.parts.workspace.changeGroup(OPERATORS_GROUP, { users: [OTTO, VERA] })
    expect(events(on)).toMatchObject([
      {
        type: 'subteam_members_changed',
        subteam_id: OPERATORS_GROUP,
        added_users: [VERA],
        removed_users: [OLGA],
      },
      { type: 'subteam_updated', subteam: { id: OPERATORS_GROUP, users: [OTTO, VERA], date_delete: 0 } },
    ])
  })
})
