import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, ADMINS_GROUP, NORA, OLGA, OPERATORS_GROUP, OTTO } from '../../src/playground/slack/state/seed.ts'
import {
  asks,
  cardOf,
  cardSays,
  clicks,
  CREATED,
  entriesBy,
  eventsOf,
  groupHas,
  idIn,
  isTold,
  nextRound,
  PREMIUM,
  recordOf,
} from './approving.ts'
import { Scene } from './scene.ts'
import { forger } from '../support/forger.ts'

/** Olga may go without approval, Otto may not; Ada and Nora are admins. */
const CONFIG = `roles:
  admin: { users: [${ADA}, ${NORA}] }
  operator: { users: [${OLGA}, ${OTTO}] }
breakGlass: { groups: [${OPERATORS_GROUP}] }
`
const REASON = 'The shop is down and nobody else is awake'
const MAY = { until: /═══ Review ═══[\s\S]*To go without approval: why\?[\s\S]*\[Ask, or send with reason\]/ }

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start({ config: CONFIG })
  await groupHas(scene, OPERATORS_GROUP, [OLGA])
  await groupHas(scene, ADMINS_GROUP, [])
})
afterAll(async () => scene.close())
const sent = (): number => scene.stage.cdn.count('createVideoLibrary')

test('with a reason it is sent at once; the reason is on record and all admins are told', async () => {
  await scene.types(OLGA, `/cdn ${PREMIUM}`, MAY)
  await scene.submits(OLGA, { alone: REASON }, { until: /═══ Done ═══[\s\S]*created video library/ })
  await scene.person(OLGA).closeView()
  expect(sent()).toBe(1)
  const entry = (await recordOf(scene)).find(({ event }) => event === 'break_glass')
  expect(entry).toMatchObject({ actor: OLGA, operation: 'library create', detail: REASON })
  const id = entry?.changeId ?? ''
  expect(await cardSays(scene, id, CREATED)).toMatch(new RegExp(`Without approval, because: ${REASON}`))
  expect(await eventsOf(scene, id)).toEqual(['break_glass', 'sending', 'done'])
  nextRound(scene)
  for (const admin of [ADA, NORA]) {
    const told = await isTold(scene, admin, /confirmed alone what takes an approval/)
    expect(told).toMatch(new RegExp(`@olga[\\s\\S]*films[\\s\\S]*${REASON}`))
    expect(await idIn(scene, told)).toBe(id)
  }
  expect(scene.person(OTTO).messages(scene.person(OTTO).direct())).toEqual([])
})

test('without a reason others are asked, as for everybody', async () => {
  const before = sent()
  const id = await asks(scene)
  expect(cardOf(scene, id)).toMatchObject({ edited: false })
  expect(await eventsOf(scene, id)).toEqual(['requested'])
  expect(sent()).toBe(before)
  await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled/ })
})

test('who is not in the group is not asked for a reason, and one that is sent all the same is refused', async () => {
  const before = sent()
  const { text } = await scene.types(OTTO, `/cdn ${PREMIUM}`, { until: /\[Ask for approval\]/ })
  expect(text).not.toContain('To go without approval')
  await forger(scene.stage.slack, OTTO).submit({
    values: { alone: { value: { type: 'plain_text_input', value: REASON } } },
  })
  await scene.person(OTTO).closeView()
  expect((await entriesBy(OTTO, scene)).at(-1)).toMatchObject({ event: 'denied' })
  await scene.answersOthers(ADA)
  expect(sent()).toBe(before)
})

test('who has left the group since the review may not any more', async () => {
  const before = sent()
  await scene.types(OLGA, `/cdn ${PREMIUM}`, MAY)
  await groupHas(scene, OPERATORS_GROUP, [])
  try {
    await scene.submits(
      OLGA,
      { alone: REASON },
      { until: /Only a named group may go without approval.*Nothing was done/ },
    )
    await scene.person(OLGA).closeView()
    expect((await entriesBy(OLGA, scene)).at(-1)).toMatchObject({ event: 'denied' })
    expect(sent()).toBe(before)
  } finally {
    await groupHas(scene, OPERATORS_GROUP, [OLGA])
  }
})
