import { beforeEach, describe, expect, it, test } from 'vitest'
import { NO_GRANTS, type RoleSources, roleSources } from '../../../src/slack/people/role-sources.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { grant, LISTS, scriptedDirectory } from '../../support/scripted-directory.ts'

const MINUTE_MS = 60_000

/** S1 gives operator, S2 gives admin, S3 only approves. */
const sources: RoleSources = {
  settings: roleSources(LISTS).settings,
  file: { ...NO_GRANTS, operator: grant({ groups: ['S1'] }), admin: grant({ groups: ['S2'] }) },
  approvingGroups: new Set(['S3']),
  breakGlassGroups: new Set(),
}
const GROUPS = [
  { id: 'S1', users: ['UONE', 'UOLGA', 'UVERA'] },
  { id: 'S2', users: ['UTWO', 'UOLGA'], date_delete: 0 },
  { id: 'S3', users: ['UONE', 'UTHREE', 'UADA'] },
  { id: 'S4', users: ['UONE', 'UFOUR'] },
]
const bench = (changes: Parameters<typeof scriptedDirectory>[0] = {}) =>
  scriptedDirectory({ sources, groups: () => GROUPS, ...changes })
const refuses = (code: string) => () => Promise.reject(new SlackError('usergroups.users.list', code))
/** Of each group Slack is asked as often as of this one. */
const asksForGroups = (asked: readonly string[], group = 'S3'): number => asked.filter((each) => each === group).length

describe('a user group', () => {
  test.each([
    ['UONE', 'operator', ['S1', 'S3'], 'through a user group', 'S1'],
    ['UTWO', 'admin', ['S2'], 'through a user group', 'S2'],
    ['UOLGA', 'admin', ['S1', 'S2'], 'through a user group', 'S2'],
    ['UVERA', 'operator', ['S1'], 'through a user group', 'S1'],
    ['UADA', 'admin', ['S3'], 'listed in ADMINS'],
    ['UTHREE', 'none', ['S3'], 'nothing gives this id a role'],
    ['UFOUR', 'none', [], 'nothing gives this id a role'],
  ])(
    'gives a role as a list does, the highest wins: %s is %s',
    async (id, role, groups, roleSource, roleGroup?: string) => {
      const actor = await bench().directory.actor(id)
      expect(actor).toMatchObject({ role, groups, roleSource })
      expect(actor.roleGroup).toBe(roleGroup)
    },
  )

  test.each([
    ['that is disabled', [{ id: 'S1', users: ['UONE'], date_delete: 1_763_640_000 }]],
    ['that Slack does not have', []],
    ['without members', [{ id: 'S1' }]],
  ])('gives nothing where it is one %s', async (_, groups) => {
    const actor = await bench({ groups: () => groups }).directory.actor('UONE')
    expect(actor).toMatchObject({ role: 'none', groups: [], roleSource: 'nothing gives this id a role' })
  })
})

describe('Slack is asked for user groups', () => {
  it('once a minute, or every 15 seconds where it has to be fresh, for all people together', async () => {
    const { clock, asked, directory } = bench()
    await Promise.all([directory.actor('UONE'), directory.actor('UTWO'), directory.actor('UONE', { fresh: true })])
    clock.turn(14_999)
    await directory.actor('UONE', { fresh: true })
    expect(asksForGroups(asked)).toBe(1)
    clock.turn(1)
    await directory.actor('UONE', { fresh: true })
    expect(asksForGroups(asked)).toBe(2)
    clock.turn(MINUTE_MS - 1)
    await directory.actor('UTWO')
    expect(asksForGroups(asked)).toBe(2)
    clock.turn(1)
    await directory.actor('UTWO')
    expect(asksForGroups(asked)).toBe(3)
  })

  it('when it tells of a change, and when another group is named', async () => {
    const { asked, script, directory } = bench()
    expect((await directory.actor('UONE')).role).toBe('operator')
    script.groups = () => [
      { id: 'S1', users: [] },
      { id: 'S4', users: ['UONE'] },
    ]
    void directory.groupChanged(undefined)
    expect((await directory.actor('UONE')).role).toBe('none')
    script.sources = { ...sources, file: { ...NO_GRANTS, admin: grant({ groups: ['S4'] }) } }
    expect((await directory.actor('UONE')).role).toBe('admin')
    await directory.actor('UONE')
    expect([asksForGroups(asked), asksForGroups(asked, 'S4')]).toEqual([3, 1])
  })

  it('one by one, or for all at once where more than five are named', async () => {
    const named = (groups: readonly string[]): RoleSources => ({ ...sources, approvingGroups: new Set(groups) })
    const { clock, asked, script, directory } = bench({ sources: named(['S3', 'S4', 'S5']) })
    expect((await directory.actor('UTHREE')).groups).toEqual(['S3'])
    expect(asked).toEqual(['UTHREE', 'S2', 'S1', 'S3', 'S4', 'S5'])
    script.sources = named(['S3', 'S4', 'S5', 'S6'])
    script.groups = () => [...GROUPS, { id: 'S5', users: ['UTHREE'], date_delete: 1_763_640_000 }]
    clock.turn(MINUTE_MS)
    expect((await directory.actor('UTHREE')).groups).toEqual(['S3'])
    expect(asked.slice(6)).toEqual(['UTHREE', 'usergroups.list'])
  })

  it('three times at most, however often it tells of a change meanwhile', async () => {
    const { asked, script, directory } = bench()
    script.groups = () => {
      void directory.groupChanged(undefined)
      return GROUPS
    }
    expect((await directory.actor('UONE')).role).toBe('operator')
    // Of each of the three groups it tells once.
    expect(asksForGroups(asked)).toBe(3)
  })

  it.each([
    ['answer', (answer: PromiseWithResolvers<typeof GROUPS>) => answer.resolve(GROUPS)],
    ['failure', (answer: PromiseWithResolvers<typeof GROUPS>) => answer.reject(new SlackError('x', 'no_answer'))],
  ])('again when a change is told of while it answers, and the older %s counts for nothing', async (_, end) => {
    const answers = [Promise.withResolvers<typeof GROUPS>(), Promise.withResolvers<typeof GROUPS>()]
    let calls = 0
    const only = {
      ...sources,
      file: { ...NO_GRANTS, operator: grant({ groups: ['S1'] }) },
      approvingGroups: new Set<string>(),
    }
    const groups = async () => (await answers[calls++]?.promise) ?? []
    const { directory } = bench({ sources: only, groups })
    const before = directory.actor('UONE')
    void directory.groupChanged(undefined)
    const after = directory.actor('UONE')
    answers[1]?.resolve([])
    expect((await after).role).toBe('none')
    end(answers[0]!)
    expect((await before).role).toBe('none')
    expect(await directory.actor('UONE')).not.toHaveProperty('unsure')
    expect(calls).toBe(2)
    expect(await directory.roster('v')).toBeDefined()
  })

  it('not before its own time after it refused', async () => {
    const refused = () => Promise.reject(new SlackError('usergroups.users.list', 'ratelimited', 30_000))
    const { clock, asked, script, directory } = bench({ groups: refused })
    await directory.actor('UONE')
    script.groups = refuses('no_answer')
    clock.turn(29_999)
    await directory.actor('UONE', { fresh: true })
    expect(asksForGroups(asked)).toBe(1)
    clock.turn(1)
    await directory.actor('UONE')
    script.groups = () => GROUPS
    clock.turn(4_999)
    expect((await directory.actor('UONE')).role).toBe('none')
    clock.turn(1)
    expect((await directory.actor('UONE')).role).toBe('operator')
    expect(asksForGroups(asked)).toBe(3)
  })
})

describe('while Slack does not say who is in its user groups', () => {
  it('what it said last holds for ten minutes; after that those who rest on a group only read', async () => {
    const { clock, script, directory } = bench()
    await directory.actor('UONE')
    script.groups = refuses('no_answer')
    clock.turn(10 * MINUTE_MS)
    const still = await directory.actor('UONE')
    expect([still.role, still.groups, still.writesBarred]).toEqual(['operator', ['S1', 'S3'], undefined])
    clock.turn(4 * MINUTE_MS)
    expect(await directory.actor('UONE', { fresh: true })).toMatchObject({
      role: 'operator',
      groups: [],
      writesBarred:
        'Slack has not said for 14 minutes who is in its user groups, and the role operator rests on one here. ' +
        'Until it does, nothing but reading goes. The reason: it does not answer.',
    })
    clock.turn(MINUTE_MS)
    script.groups = () => GROUPS
    expect((await directory.actor('UONE')).writesBarred).toBeUndefined()
  })

  it('nothing is sure of anybody: what waits for them is not given up', async () => {
    const { clock, script, directory } = bench({ groups: refuses('no_answer') })
    const unsure = 'Slack has not said who is in its user groups: it does not answer'
    expect(await directory.actor('UONE')).toMatchObject({ role: 'none', unsure })
    clock.turn(MINUTE_MS)
    script.groups = () => GROUPS
    expect((await directory.actor('UONE')).unsure).toBeUndefined()
    // A group that is named from now on is one of which Slack has not spoken yet.
    script.sources = { ...sources, file: { ...NO_GRANTS, operator: grant({ groups: ['S4'] }) } }
    script.groups = refuses('no_answer')
    expect(await directory.actor('UFOUR')).toMatchObject({ role: 'none', unsure })
    script.sources = sources
    clock.turn(11 * MINUTE_MS)
    expect(await directory.actor('UONE')).toMatchObject({ writesBarred: expect.any(String), unsure })
  })

  it('nothing changes for those whom a list gives as much, but that no group of theirs counts', async () => {
    const { clock, script, directory } = bench()
    await directory.actor('UADA')
    script.groups = refuses('no_answer')
    clock.turn(11 * MINUTE_MS)
    expect(await directory.actor('UADA')).toMatchObject({ role: 'admin', groups: [] })
    expect((await directory.actor('UADA')).writesBarred).toBeUndefined()
    // A list makes her operator, a group admin: what rests on the group is for reading.
    expect(await directory.actor('UOLGA')).toMatchObject({ role: 'admin', writesBarred: expect.any(String) })
  })

  test.each([
    [
      'missing_scope',
      'the Slack app lacks the scope usergroups:read; who manages the app can add it and install it again, or who runs CDN Ops lists people by id instead',
    ],
    [
      'plan_upgrade_required',
      'this workspace’s plan has no user groups; who runs CDN Ops can list people by id instead',
    ],
    ['ratelimited', 'it asks to wait'],
    ['http_error', 'it does not answer'],
    ['team_access_not_granted', 'it answers team_access_not_granted'],
  ])('groups give no role when it never did, and the person is told why: %s', async (code, why) => {
    const { directory } = bench({ groups: refuses(code) })
    const note = `Slack has not said who is in its user groups: ${why}`
    expect(await directory.actor('UONE')).toMatchObject({
      role: 'none',
      groups: [],
      roleSource: `nothing gives this id a role, and ${note}`,
    })
    expect((await directory.actor('UOLGA')).roleSource).toBe(`listed in OPERATORS, and ${note}`)
    expect((await directory.actor('UADA')).roleSource).toBe('listed in ADMINS')
  })

  it('an answer of another kind is none', async () => {
    const { directory } = bench({ groups: () => [{ id: 'S1', users: [5 as never] }] }) // not what Slack's reference says
    const actor = await directory.actor('UONE')
    expect(actor).toMatchObject({ role: 'none', roleSource: expect.stringMatching(/it answers unreadable_answer$/) })
  })
})

describe('a change that Slack told another process of', () => {
  /** As the store has it for all. */
  class Board {
    value: unknown
    failing: 'not' | 'at once' | 'late' = 'not'
    get = async (): Promise<{ readonly value: unknown; readonly at: Date } | undefined> => {
      if (this.failing === 'at once') throw new Error('locked')
      if (this.failing === 'late') await new Promise(() => undefined)
      return this.value === undefined ? undefined : { value: this.value, at: new Date(0) }
    }
    set = async (_: string, value: unknown): Promise<boolean> => {
      this.value = value
      return true
    }
  }
  let board: Board
  let heard: ReturnType<typeof bench>
  let told: ReturnType<typeof bench>
  beforeEach(async () => {
    board = new Board()
    heard = bench({ remembered: board })
    told = bench({ remembered: board })
    for (const { directory } of [heard, told]) await directory.actor('UONE')
    for (const { script } of [heard, told]) script.groups = () => [{ id: 'S1', users: [] }]
  })

  it.each([true, false])('is heard at the next look-up, fresh: %s, and once', async (fresh) => {
    await told.directory.groupChanged('S1')
    expect((await heard.directory.actor('UONE', { fresh })).role).toBe('none')
    expect((await told.directory.actor('UONE', { fresh })).role).toBe('none')
    for (const { directory } of [heard, told]) await directory.actor('UONE', { fresh })
    expect([asksForGroups(heard.asked), asksForGroups(told.asked)]).toEqual([2, 2])
  })

  it('is heard of not, where it is about a group that gives nothing', async () => {
    await told.directory.groupChanged('S9')
    expect((await heard.directory.actor('UONE')).role).toBe('operator')
    expect(board.value).toBeUndefined()
  })

  it('lets nobody write while the store does not say whether there was one; reading goes on', async () => {
    board.failing = 'at once'
    await expect(heard.directory.actor('UONE', { fresh: true })).rejects.toThrow('locked')
    expect((await heard.directory.actor('UONE')).role).toBe('operator')
    board.failing = 'late'
    const reading = heard.directory.actor('UONE')
    heard.clock.turn(300)
    expect((await reading).role).toBe('operator')
  })
})
