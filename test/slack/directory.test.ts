import { describe, expect, it, test } from 'vitest'
import { Directory, type RoleLists } from '../../src/slack/directory.ts'
import { SlackError, type WebApi } from '../../src/slack/web-api.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const MEMBER = {
  id: 'U1',
  team_id: 'T1',
  deleted: false,
  is_bot: false,
  is_restricted: false,
  is_ultra_restricted: false,
  tz: 'Europe/Ljubljana',
}

const LISTS: RoleLists = {
  admins: new Set(['UADA', 'UBOTH']),
  operators: new Set(['UOLGA', 'UBOTH']),
  viewers: new Set(['UVERA', 'UBOTH']),
}

interface Asked {
  readonly method: string
  readonly user: unknown
}

/** A directory that asks a scripted Slack. */
function directory(answer: (user: string) => unknown = (id) => ({ user: { ...MEMBER, id } }), roles = LISTS) {
  const clock = new TurnedClock()
  const asked: Asked[] = []
  const api: Pick<WebApi, 'call'> = {
    call: async (_, method, { user }) => {
      asked.push({ method, user })
      return (await answer(String(user))) as Readonly<Record<string, unknown>> // what Slack sends is checked by the directory
    },
  }
  return { clock, asked, directory: new Directory({ api: api as WebApi, clock, roles, teamId: () => 'T1' }) }
}

describe('roles', () => {
  test.each([
    ['UADA', 'admin', 'listed in ADMINS'],
    ['UOLGA', 'operator', 'listed in OPERATORS'],
    ['UVERA', 'viewer', 'listed in VIEWERS'],
    ['UBOTH', 'admin', 'listed in ADMINS'],
    ['UNOBODY', 'none', 'no setting names this user id'],
  ])('come from the lists, the highest wins: %s is %s', async (id, role, roleSource) => {
    expect(await directory().directory.actor(id)).toEqual({
      id,
      team: 'T1',
      role,
      roleSource,
      timeZone: 'Europe/Ljubljana',
    })
  })

  it('are at least viewer for every full member where the settings say so', async () => {
    const roles: RoleLists = { ...LISTS, viewers: 'everybody' }
    const { directory: all } = directory(undefined, roles)
    expect(await all.actor('UNOBODY')).toMatchObject({ role: 'viewer', roleSource: 'VIEWERS is every full member' })
    expect(await all.actor('UOLGA')).toMatchObject({ role: 'operator' })
  })

  test.each([
    ['deactivated', { deleted: true }, 'this account is deactivated'],
    ['deactivated, as Slack says it', { deleted: true, is_restricted: undefined }, 'this account is deactivated'],
    ['a bot', { is_bot: true }, 'bots have no role'],
    ['a guest', { is_restricted: true }, 'guests have no role'],
    ['a guest of one channel', { is_ultra_restricted: true }, 'guests have no role'],
    ['a stranger', { is_stranger: true }, 'people of other workspaces have no role'],
    ['of another workspace', { team_id: 'T2' }, 'people of other workspaces have no role'],
    ['of no stated workspace', { team_id: undefined }, 'people of other workspaces have no role'],
    ['not said to be no bot', { is_bot: undefined }, 'Slack does not say that this is a full member'],
    ['not said to be no guest', { is_restricted: undefined }, 'Slack does not say that this is a full member'],
    [
      'not said to be no single guest',
      { is_ultra_restricted: undefined },
      'Slack does not say that this is a full member',
    ],
  ])('are for nobody who is %s, listed or not', async (_, differs, roleSource) => {
    const answer = (id: string) => ({ user: { ...MEMBER, id, ...differs } })
    for (const roles of [LISTS, { ...LISTS, viewers: 'everybody' } as const]) {
      for (const id of ['UADA', 'UNOBODY']) {
        expect(await directory(answer, roles).directory.actor(id)).toMatchObject({ role: 'none', roleSource })
      }
    }
  })

  test.each([['Mars/Olympus'], [''], [undefined]])('come with UTC where the time zone is %s', async (tz) => {
    const answer = (id: string) => ({ user: { ...MEMBER, id, tz } })
    expect((await directory(answer).directory.actor('UADA')).timeZone).toBe('UTC')
  })
})

describe('asking Slack', () => {
  it('happens once a minute for each person', async () => {
    const { clock, asked, directory: one } = directory()
    await one.actor('UADA')
    await one.actor('UOLGA')
    clock.turn(59_999)
    await one.actor('UADA')
    expect(asked).toEqual([
      { method: 'users.info', user: 'UADA' },
      { method: 'users.info', user: 'UOLGA' },
    ])
    clock.turn(1)
    await one.actor('UADA')
    expect(asked).toHaveLength(3)
  })

  it('happens once for several who ask at the same time', async () => {
    const { asked, directory: one } = directory()
    await Promise.all([one.actor('UADA'), one.actor('UADA'), one.actor('UADA')])
    expect(asked).toHaveLength(1)
  })

  it('happens anew where it has to be fresh, which serves the others too', async () => {
    let deleted = false
    const { asked, directory: one } = directory((id) => ({ user: { ...MEMBER, id, deleted } }))
    expect((await one.actor('UADA')).role).toBe('admin')
    deleted = true
    expect((await one.actor('UADA')).role).toBe('admin')
    expect((await one.actor('UADA', { fresh: true })).role).toBe('none')
    expect((await one.actor('UADA')).role).toBe('none')
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['it does not answer', () => Promise.reject(new SlackError('users.info', 'no_answer'))],
    ['it knows nobody of that id', () => Promise.reject(new SlackError('users.info', 'user_not_found'))],
    ['it answers something else', () => ({ ok: true })],
    ['it answers odd types', (id: string) => ({ user: { ...MEMBER, id, is_restricted: 'no' } })],
  ])('refuses when %s, and is tried again the next time', async (_, failing) => {
    let fails = true
    const { asked, directory: one } = directory((id) => (fails ? failing(id) : { user: { ...MEMBER, id } }))
    await expect(one.actor('UADA')).rejects.toMatchObject({
      code: 'not_permitted',
      message: 'Slack could not tell who you are, so nothing was done.',
    })
    fails = false
    expect((await one.actor('UADA')).role).toBe('admin')
    expect(asked).toHaveLength(2)
  })

  it('keeps what it knows of a thousand people, the newest', async () => {
    const { asked, directory: one } = directory()
    for (let index = 0; index <= 1_000; index += 1) await one.actor(`U${index}`)
    await one.actor('U1000')
    expect(asked).toHaveLength(1_001)
    await one.actor('U0')
    expect(asked).toHaveLength(1_002)
  })
})
