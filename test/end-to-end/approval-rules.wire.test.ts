import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADA, ADMINS_GROUP, NORA, OLGA, OPERATORS_GROUP, OTTO, VERA } from '../../src/playground/slack/seed.ts'
import {
  approves,
  asks,
  cardOf,
  cardSays,
  clicks,
  CREATED,
  entriesBy,
  eventsOf,
  groupHas,
  inRounds,
  isTold,
  nextRound,
  PREMIUM,
  recordOf,
} from './approving.ts'
import { Scene } from './scene.ts'

const ROLES = `roles:
  admin: { users: [${ADA}] }
  operator: { groups: [${OPERATORS_GROUP}] }
  viewer: { users: [${VERA}] }
`
const ONE = ROLES
const TWO_BY_ROLE = `${ROLES}approvals: { count: 2, roles: [operator, admin] }\n`
/** Whoever is in the group may approve, whatever their role. */
const TWO_BY_GROUP = `${ROLES}approvals: { count: 2, groups: [${ADMINS_GROUP}] }\n`
const ONE_MORE = /Your approval is on record\. It goes on once it has all approvals it takes\./
const CHANGED = /the rules for it, have changed since it was reviewed/

let scene: Scene
beforeAll(async () => void (scene = await Scene.start({ config: ONE })))
afterAll(async () => scene.close())
beforeEach(async () => {
  await groupHas(scene, OPERATORS_GROUP, [OLGA, OTTO])
  await inGroup(ADA)
})
const sent = (): number => scene.stage.cdn.count('createVideoLibrary')
const inGroup = (...users: readonly string[]): Promise<void> => groupHas(scene, ADMINS_GROUP, users)
const isCancelled = (id: string): Promise<readonly string[]> =>
  inRounds(
    scene,
    () => eventsOf(scene, id),
    (events) => events.length > 1,
  )

describe('two of many', () => {
  test('by role: one person counts once, and the second approval sends it', async () => {
    await scene.bot.configure(TWO_BY_ROLE)
    const before = sent()
    const id = await asks(scene)
    await approves(scene, OTTO, id, ONE_MORE)
    expect(await cardSays(scene, id, /Approved by @otto/)).toContain('(1 more needed)')
    await clicks(scene, OTTO, id, 'approve', { until: /You have approved this before; it counts once/ })
    await scene.person(OTTO).closeView()
    expect(sent()).toBe(before)
    await approves(scene, ADA, id, CREATED)
    expect(await cardSays(scene, id, CREATED)).toMatch(/Approved by @otto, @ada/)
    expect(sent()).toBe(before + 1)
    expect(await eventsOf(scene, id)).toEqual(['requested', 'approval', 'approval', 'approved', 'sending', 'done'])
  })

  test('by user group: an operator outside of it does not count, a member without a role does', async () => {
    await inGroup(ADA, NORA)
    await scene.bot.configure(TWO_BY_GROUP)
    const before = sent()
    const id = await asks(scene)
    await clicks(scene, OTTO, id, 'approve', { until: /Nothing was done/ })
    expect((await entriesBy(OTTO, scene)).at(-1)).toMatchObject({ event: 'denied', changeId: id })
    await approves(scene, NORA, id, ONE_MORE)
    await approves(scene, ADA, id, CREATED)
    expect(sent()).toBe(before + 1)
  })

  test('whoever has left the group since is not counted when it is to be sent', async () => {
    await inGroup(ADA, NORA, VERA)
    await scene.bot.configure(TWO_BY_GROUP)
    const before = sent()
    const id = await asks(scene)
    await approves(scene, NORA, id, ONE_MORE)
    await inGroup(ADA, VERA)
    await approves(scene, ADA, id, ONE_MORE)
    expect(await eventsOf(scene, id)).toEqual(['requested', 'approval', 'approval'])
    expect(sent()).toBe(before)
    await approves(scene, VERA, id, CREATED)
    expect(sent()).toBe(before + 1)
    const approved = (await recordOf(scene)).find(({ event, changeId }) => event === 'approved' && changeId === id)
    expect(approved?.detail).toContain(ADA)
    expect(approved?.detail).toContain(VERA)
    expect(approved?.detail).not.toContain(NORA)
  })

  test('a group that is too small is said at once, and nobody is asked', async () => {
    await inGroup(ADA)
    await scene.bot.configure(TWO_BY_GROUP)
    const until = /there are not enough people who could give it[\s\S]*Nothing was done/
    const { view } = await scene.types(OLGA, `/cdn ${PREMIUM}`, { until })
    expect(view?.submit).toBeUndefined()
  })
})

describe('while it waits', () => {
  beforeEach(async () => scene.bot.configure(ONE))

  test('the requester leaves: it is cancelled, and the message about it says why', async () => {
    const before = sent()
    const id = await asks(scene, { who: OTTO })
    scene.stage.slack.workspace.changeMember(OTTO, { kind: 'deactivated' })
    try {
      expect(await isCancelled(id)).toEqual(['requested', 'cancelled'])
      await cardSays(scene, id, /Cancelled: nothing was sent[\s\S]*Whoever asked may not do this any more/)
      expect(sent()).toBe(before)
    } finally {
      scene.stage.slack.workspace.changeMember(OTTO, { kind: 'member' })
    }
  })

  test('the requester loses the role: it is cancelled, and they are told', async () => {
    const id = await asks(scene)
    await groupHas(scene, OPERATORS_GROUP, [OTTO])
    expect(await isCancelled(id)).toEqual(['requested', 'cancelled'])
    await cardSays(scene, id, /Cancelled: nothing was sent[\s\S]*Whoever asked may not do this any more/)
    nextRound(scene)
    await isTold(scene, OLGA, new RegExp(`may not do this any more[\\s\\S]*${id}`))
  })

  test('the rules change: it is cancelled and told, and the change of rules is on record', async () => {
    const before = sent()
    const id = await asks(scene)
    await scene.bot.configure(TWO_BY_ROLE)
    await cardSays(scene, id, CHANGED)
    nextRound(scene)
    await isTold(scene, OLGA, new RegExp(`have changed since it was reviewed[\\s\\S]*${id}`))
    expect(await eventsOf(scene, id)).toEqual(['requested', 'cancelled'])
    expect((await recordOf(scene)).map(({ event }) => event)).toContain('policy_changed')
    expect(sent()).toBe(before)
  })

  test('the rules change under an open prompt: what is approved is not sent', async () => {
    const before = sent()
    const id = await asks(scene)
    await clicks(scene, OTTO, id, 'approve', { until: /═══ Approve\? ═══/ })
    await scene.bot.configure(TWO_BY_ROLE)
    await scene.submits(OTTO, {}, { until: /Cancelled: nothing was sent[\s\S]*This click did nothing more/ })
    await scene.person(OTTO).closeView()
    expect(await eventsOf(scene, id)).toEqual(['requested', 'cancelled'])
    expect(sent()).toBe(before)
  })

  test('a file with a mistake changes nothing, and the operations channel hears of it', async () => {
    const before = sent()
    const id = await asks(scene)
    const watch = scene.watch(VERA)
    await scene.bot.configure(`${ROLES}approvals: { count: two }\npolicies: [{ decision: allow }]\n`)
    await scene.stage.slack.until(() => /The configuration file was not taken/.test(watch().text))
    expect(watch().text).toMatch(/everything stays as it was[\s\S]*approvals\.count[\s\S]*policies\[0\]\.decision/)
    nextRound(scene)
    await scene.answersOthers(VERA)
    expect(await eventsOf(scene, id)).toEqual(['requested'])
    await approves(scene, OTTO, id, CREATED)
    expect(cardOf(scene, id)).toMatchObject({ edited: true })
    expect(sent()).toBe(before + 1)
  })
})
