import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/index.ts'
import { ADA, GUS, OLGA, SAM, VERA } from '../../src/playground/slack/seed.ts'
import { auditIn } from '../support/store-file.ts'
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

const ASKED: readonly Asked[] = [
  { command: 'help', operation: 'help', ways: READ, answer: /Your role is (viewer|operator|admin)/ },
  { command: 'whoami', operation: 'whoami', ways: READ, answer: /viewer|operator|admin/ },
  { command: 'storage stats 101', operation: 'storage stats', ways: READ, answer: /Number of files, by day/ },
  { command: 'keys list', operation: 'keys list', ways: SENSITIVE, answer: /Page 1 of 50/ },
  { command: 'library create demo', operation: 'library create', ways: WRITE, answer: /═══ Review ═══/ },
  {
    command: 'library create films --encoding-tier premium',
    operation: 'library create',
    ways: BILLED,
    answer: /═══ Review ═══[\s\S]*costs money/,
  },
  { command: 'dns add 201 A www 192.0.2.10', operation: 'dns add', ways: WRITE, answer: /═══ Review ═══/ },
  {
    command: 'dns add 201 A www 192.0.2.10 --accelerated on',
    operation: 'dns add',
    ways: BILLED,
    answer: /═══ Review ═══/,
  },
  { command: 'logs 301 --since 10m', operation: 'logs', ways: READ, answer: /Log of pull zone 301/ },
  { command: 'zones add pull 301 web', operation: 'zones add', ways: SENSITIVE, answer: /web.*pull zone 301/ },
  { command: 'zones list', operation: 'zones list', ways: READ, answer: /zones|names?/i },
  {
    command: 'zones remove pull web',
    operation: 'zones remove',
    ways: SENSITIVE,
    answer: /The name web of pull zone 301 is removed/,
  },
  {
    command: 'changes list',
    operation: 'changes list',
    ways: READ,
    answer: /Nothing has been asked for|the newest first/,
  },
  {
    command: `changes show ${'0'.repeat(32)}`,
    operation: 'changes show',
    ways: READ,
    answer: /no change|not there|No change/i,
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

  test.each(['library create', 'dns add', 'zones add'])('asks for the form of %s', async (operation) => {
    const who = PEOPLE[role]
    const until = role === 'viewer' ? /needs the role operator; yours is viewer/ : /═══ .* ═══/
    const { view } = await scene.types(who, `/cdn ${operation}`, { until })
    expect(view === undefined).toBe(role === 'viewer')
    if (view !== undefined) await scene.person(who).closeView()
  })
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
  { name: 'a guest', who: GUS, why: /guests have no role/ },
  { name: 'a person of another workspace', who: SAM, why: /people of other workspaces have no role/ },
])('$name may ask for help, and for nothing of the platform', async ({ who, why }) => {
  const before = scene.stage.cdn.requests.length
  await scene.types(who, '/cdn help', { until: /\/cdn/ })
  for (const command of ['storage stats 101', 'keys list', 'dns add 201 A www 192.0.2.10', 'logs 301']) {
    const { text } = await scene.types(who, `/cdn ${command}`, { until: /Nothing was done/ })
    expect(text).toMatch(why)
  }
  expect(scene.stage.cdn.requests).toHaveLength(before)
})

/** What an operation's declaration says of who sees its answer. */
function isForAll(name: string): boolean {
  return OPERATIONS.find((operation) => operation.name === name)?.audience === 'channel'
}
