import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, GUS, OLGA, OPERATORS_GROUP, OPS, OTTO, SAM, VERA } from '../../src/playground/slack/state/seed.ts'
import type { Person } from '../../src/playground/slack/person.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { forger } from '../support/forger.ts'
import { auditIn } from '../support/store-file.ts'
import { groupHas } from './approving.ts'
import { Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

// The matrix of roles plays all commands there are; here is one of each effect.
test.each([
  ['keys list', 'keys list'],
  ['library create demo', 'library create'],
  ['library create films --encoding-tier premium', 'library create'],
  ['zones add pull 301 web', 'zones add'],
])('a viewer is refused: %s', async (command, operation) => {
  const before = { calls: scene.stage.cdn.requests.length, audit: auditIn(scene.store).length }
  const until = /Nothing was done[\s\S]*(admin|Admin)/
  const { view, messages } = await scene.types(VERA, `/cdn ${command}`, { until })
  expect(view).toBeUndefined()
  expect(messages).toMatchObject([{ ephemeral: true }])
  expect(scene.stage.cdn.requests).toHaveLength(before.calls)
  const entries = auditIn(scene.store).slice(before.audit)
  expect(entries.filter(({ actor }) => actor === VERA)).toMatchObject([{ event: 'denied', operation }])
})

test('what costs money an operator asks others for, and an admin confirms', async () => {
  for (const [who, submit] of [
    [OLGA, 'Ask for approval'],
    [ADA, 'Create library'],
  ] as const) {
    const until = /═══ Review ═══[\s\S]*costs money/
    expect((await scene.types(who, '/cdn library create films --encoding-tier premium', { until })).view).toMatchObject(
      {
        submit,
      },
    )
    await scene.person(who).closeView()
  }
  expect(scene.stage.cdn.requests).toEqual([])
})

test('an admin finds who was refused by their name', async () => {
  const { text } = await scene.types(ADA, '/cdn audit Vera', { until: /of the audit log/ })
  expect(text).toMatch(/refused or declined/)
})

test('reading keys is on record before it is read, and so is every name given to a zone', async () => {
  for (const who of [OLGA, ADA]) {
    const alone = await scene.types(who, '/cdn keys list', { until: /Page 1 of 50/ })
    expect(alone.messages).toMatchObject([{ ephemeral: true }])
    await scene.types(who, '/cdn zones add pull 301 web', { until: /web.*pull zone 301/ })
    await scene.types(who, '/cdn zones remove pull web', { until: /The name web of pull zone 301 is removed/ })
    const events = auditIn(scene.store).map(({ event, operation, actor }) => `${event} ${operation} ${actor}`)
    expect(events).toContain(`read keys list ${who}`)
    expect(events).toContain(`zone_added zones add ${who}`)
    expect(events).toContain(`zone_removed zones remove ${who}`)
  }
})

test.each([
  { name: 'a guest', who: GUS, why: /guests have no role/i },
  { name: 'a person of another workspace', who: SAM, why: /people of other workspaces have no role/i },
])('$name may ask for help, and for nothing of the platform', async ({ who, why }) => {
  const before = scene.stage.cdn.requests.length
  await scene.types(who, '/cdn help', { until: /no role here/ })
  for (const command of ['storage stats 101', 'keys list', 'dns add 201 A www 192.0.2.10', 'logs 301']) {
    const { text } = await scene.types(who, `/cdn ${command}`, { until: /Nothing was done/ })
    expect(text).toMatch(why)
  }
  expect(scene.stage.cdn.requests).toHaveLength(before)
})

describe('access', () => {
  const asked = () => auditIn(scene.store).filter(({ event }) => event === 'access_asked')
  const told = () => scene.person(ADA).messages(scene.person(ADA).direct()).map(renderMessage)
  const presses = (who: string, operation: string) => {
    const { ts } = scene.person(who).messages(OPS).at(-1)!
    return forger(scene.stage.slack, who).click({ channel: OPS, ts, actionId: 'access:ask', value: operation })
  }

  test('is asked for under a refusal: the admins hear of it once, and it is on record', async () => {
    await scene.types(VERA, '/cdn keys list', { until: /Nothing was done/ })
    await scene.presses(VERA, 'Ask for access', { until: /Asked @ada: they see that you wanted \*keys list\*/ })
    scene.clock.turn(15_000)
    await scene.stage.slack.until(() => told().length > 0)
    expect(told()).toEqual([
      expect.stringMatching(/@vera asks for access to \*keys list\*, which takes an operator\. They are a viewer\./),
    ])
    expect(told()[0]).toContain(
      `To grant it, write \`OPERATORS=…,${VERA}\` in the settings, or add \`${VERA}\` to \`roles.operator.users\` in the`,
    )
    await scene.presses(VERA, 'Ask for access', { until: /The admins know already: @ada/ })
    expect(asked()).toMatchObject([{ actor: VERA, operation: 'keys list' }])
  })

  test('is asked for in the review of whoever lost their role meanwhile, and answered there', async () => {
    const roles = `roles: { admin: { users: [${ADA}] }, operator: { groups: [${OPERATORS_GROUP}] } }`
    const grouped = await Scene.start({ config: roles })
    try {
      await grouped.types(OTTO, '/cdn dns add 201 A www 192.0.2.10', { until: /═══ Review ═══/ })
      await groupHas(grouped, OPERATORS_GROUP, [])
      await grouped.submits(OTTO, {}, { until: /were an operator until lately[\s\S]*\[Ask for access\]/ })
      const until = /═══ Access ═══[\s\S]*Asked @ada: they see that you wanted \*dns add\*/
      const press = (person: Person) => person.click({ view: person.view()! }, 'access', 'access:ask')
      expect((await grouped.does(OTTO, press, { until })).messages).toEqual([])
      const isTold = () => grouped.person(ADA).messages(grouped.person(ADA).direct()).map(renderMessage).join('')
      await expect
        .poll(isTold, { timeout: 8_000 })
        .toMatch(/To grant it, put them into @cdn-operators, write `OPERATORS=…,\w+` in/)
      expect(auditIn(grouped.store).at(-1)).toMatchObject({ event: 'access_asked', actor: OTTO, operation: 'dns add' })
    } finally {
      await grouped.close()
    }
  })

  test('is not asked for by those to whom nobody can give it, nor for what one may', async () => {
    const before = asked().length
    for (const [who, operation, said] of [
      [GUS, 'keys list', /nobody can give you one/],
      [OLGA, 'keys list', /You can use \*keys list\* now/],
    ] as const) {
      const watch = scene.watch(who)
      await presses(who, operation)
      await scene.stage.slack.until(() => said.test(watch().text))
    }
    await presses(VERA, 'no such thing')
    expect(asked()).toHaveLength(before)
  })
})
