import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADA, OLGA, OPERATORS_GROUP, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import {
  approves,
  asks,
  cardOf,
  cardSays,
  clicks,
  CREATED,
  eventsOf,
  groupHas,
  inRounds,
  isTold,
  nextRound,
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
const ONE_MORE = /Your approval counts\. It goes on once it has all approvals it needs\./
const CHANGED = /the rules for it, have changed since it was reviewed/

let scene: Scene
beforeAll(async () => void (scene = await Scene.start({ config: ONE })))
afterAll(async () => scene.close())
beforeEach(async () => {
  await groupHas(scene, OPERATORS_GROUP, [OLGA, OTTO])
})
const sent = (): number => scene.stage.cdn.count('createVideoLibrary')
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
})

describe('while it waits', () => {
  beforeEach(async () => scene.bot.configure(ONE))

  test('the requester loses the role: it is cancelled, and they are told', async () => {
    const id = await asks(scene)
    await groupHas(scene, OPERATORS_GROUP, [OTTO])
    expect(await isCancelled(id)).toEqual(['requested', 'cancelled'])
    await cardSays(scene, id, /Cancelled: nothing was sent[\s\S]*Whoever asked may not do this any more/)
    nextRound(scene)
    await isTold(scene, OLGA, new RegExp(`may not do this any more[\\s\\S]*${id.slice(0, 8)}`))
  })

  test('the rules change: it is cancelled and told, and the change of rules is on record', async () => {
    const before = sent()
    const id = await asks(scene)
    await scene.bot.configure(TWO_BY_ROLE)
    await cardSays(scene, id, CHANGED)
    nextRound(scene)
    await isTold(scene, OLGA, new RegExp(`have changed since it was reviewed[\\s\\S]*${id.slice(0, 8)}`))
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
    await cardSays(scene, id, CREATED)
    expect(cardOf(scene, id)).toMatchObject({ edited: true })
    expect(sent()).toBe(before + 1)
  })
})
