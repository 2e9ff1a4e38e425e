import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/index.ts'
import { ADA, GUS, OLGA, OPERATORS_GROUP, OPS, OTTO, SAM, VERA } from '../../src/playground/slack/state/seed.ts'
import type { Person } from '../../src/playground/slack/person.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { forger } from '../support/forger.ts'
import { auditIn } from '../support/store-file.ts'
import { groupHas } from './approving.ts'
import { Scene } from './scene.ts'

const PEOPLE = { viewer: VERA, operator: OLGA, admin: ADA } as const
type Role = keyof typeof PEOPLE
type Way = 'run' | 'review' | 'approval' | 'refused'

interface Asked {
  readonly command: string
  /** The operation's name in the audit log. */
  readonly operation: string
  readonly ways: Readonly<Record<Role, Way>>
  /** What is seen when it runs. */
  readonly answer: RegExp
}

const READ = { viewer: 'run', operator: 'run', admin: 'run' } as const
const SENSITIVE = { viewer: 'refused', operator: 'run', admin: 'run' } as const
const WRITE = { viewer: 'refused', operator: 'review', admin: 'review' } as const
/** An operator reviews it, too, and asks others with it. */
const BILLED = { viewer: 'refused', operator: 'approval', admin: 'review' } as const

/** One of each effect; the matrix of roles plays all there are. */
const ASKED: readonly Asked[] = [
  { command: 'storage stats 101', operation: 'storage stats', ways: READ, answer: /Number of files, by day/ },
  { command: 'keys list', operation: 'keys list', ways: SENSITIVE, answer: /Page 1 of 50/ },
  { command: 'library create demo', operation: 'library create', ways: WRITE, answer: /═══ Review ═══/ },
  {
    command: 'library create films --encoding-tier premium',
    operation: 'library create',
    ways: BILLED,
    answer: /═══ Review ═══[\s\S]*costs money/,
  },
  { command: 'zones add pull 301 web', operation: 'zones add', ways: SENSITIVE, answer: /web.*pull zone 301/ },
  {
    command: 'zones remove pull web',
    operation: 'zones remove',
    ways: SENSITIVE,
    answer: /The name web of pull zone 301 is removed/,
  },
]

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

describe.each(Object.keys(PEOPLE) as Role[])('a person with the role %s', (role) => {
  test.each(ASKED)('types $command', async ({ command, operation, ways, answer }) => {
    const who = PEOPLE[role]
    const before = { calls: scene.stage.cdn.requests.length, audit: auditIn(scene.store).length }
    const until = ways[role] === 'refused' ? /Nothing was done[\s\S]*(admin|Admin)/ : answer
    const { view, messages } = await scene.types(who, `/cdn ${command}`, { until })
    const entries = auditIn(scene.store)
      .slice(before.audit)
      .filter(({ actor }) => actor === who)
    switch (ways[role]) {
      case 'run':
        expect(messages).toMatchObject([{ ephemeral: !isForAll(operation) }])
        expect(view).toBeUndefined()
        expect(entries).not.toContainEqual(expect.objectContaining({ event: 'denied' }))
        break
      case 'review':
      case 'approval':
        expect(view?.title).toBe('Review')
        expect(view?.submit === 'Ask for approval').toBe(ways[role] === 'approval')
        expect(scene.stage.cdn.requests).toHaveLength(before.calls)
        await scene.person(who).closeView()
        break
      case 'refused':
        expect(view).toBeUndefined()
        expect(messages).toMatchObject([{ ephemeral: true }])
        expect(scene.stage.cdn.requests).toHaveLength(before.calls)
        expect(entries).toMatchObject([{ event: 'denied', operation }])
        break
    }
  })
})

test('an admin finds who was refused by their name', async () => {
  const { text } = await scene.types(ADA, '/cdn audit Vera', { until: /of the audit log/ })
  expect(text).toMatch(/refused or declined/)
})

test('reading keys is on record before it is read, and so is every name given to a zone', () => {
  const events = auditIn(scene.store).map(({ event, operation, actor }) => `${event} ${operation} ${actor}`)
  for (const who of [OLGA, ADA]) {
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

/** What an operation's declaration says of who sees its answer. */
function isForAll(name: string): boolean {
  return OPERATIONS.find((operation) => operation.name === name)?.audience === 'channel'
}
