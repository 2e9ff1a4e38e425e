import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Delivery, DeliveryType } from '../../src/playground/slack/wire/deliveries.ts'
import { SIGNING_SECRET } from '../support/http-mode.ts'
import { signatureHeaders } from '../support/request-signature.ts'
import { OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { Scene } from './scene.ts'

/** Found again by it when one fails. */
const SEED = 20_261_123
const TRIES = 1_000
const TIMEOUT_MS = 60_000
/** As many as all people together may do at once, and how long it takes until they may again. */
const [AT_ONCE, REST_MS] = [50, 30_000]
const MINUTE_MS = 60_000
const STATISTICS = { until: /Number of files, by day/ }

type Payload = Delivery['payload']
type Path = readonly string[]

interface Sample {
  readonly type: DeliveryType
  readonly payload: Payload
}

let scene: Scene
let samples: readonly Sample[]

beforeAll(async () => {
  scene = await Scene.start({ http: true })
  await playAll()
  const { deliveries } = scene.stage.slack
  const byKind = new Map(deliveries.map(({ type, payload }) => [kindOf(payload), { type, payload }]))
  const event = byKind.get('app_home_opened')
  const played = [...byKind.values()]
  samples = [
    ...played,
    ...NOT_PLAYED.map((inner) => ({ type: 'events_api', payload: { ...event?.payload, event: inner } }) as const),
  ]
})
afterAll(async () => scene.close())

const KINDS = [
  '/cdn',
  'block_actions message',
  'block_actions view',
  'view_submission',
  'view_closed',
  'block_suggestion',
  'shortcut',
  'app_home_opened',
  'app_mention',
  'message',
  'subteam_updated',
]

/** What else Slack tells apps of, in the forms of its documentation. */
const NOT_PLAYED: readonly Payload[] = [
  { type: 'reaction_added', user: OLGA, item: { type: 'message', channel: OPS, ts: '1.2' } },
  { type: 'channel_created', channel: { id: OPS, name: 'ops', creator: OLGA } },
  { type: 'function_executed', function: { id: 'Fn1' }, inputs: { a: 'b' }, function_execution_id: 'Fx1' },
  { type: 'subteam_members_changed', subteam_id: 'S1', team_id: 'T1', added_users: [OLGA] },
  { type: 'message', channel: OPS, user: OLGA, text: 'hello', ts: '1.2', message: { thread_ts: '1.1' } },
  { type: 'tokens_revoked', tokens: { bot: ['U1'] } },
  { type: 'app_uninstalled' },
]

/** One delivery of each kind, by people. */
async function playAll(): Promise<void> {
  const { slack } = scene.stage
  await scene.types(VERA, '/cdn storage stats 101', STATISTICS)
  await scene.presses(VERA, 'Share in channel', { until: /Shared by @vera/ })
  const olga = scene.person(OLGA)
  await olga.openHome()
  await olga.shortcut('dns_add')
  await slack.until(() => olga.view()?.callbackId === 'form')
  await olga.choose('type', 'TXT')
  await olga.suggest('zone:dns', 'value', '201')
  await olga.closeView()
  await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { until: /═══ Review ═══/ })
  await scene.submits(OLGA, {}, { until: /═══ Done ═══/ })
  await olga.closeView()
  await olga.say(OPS, '@cdn-ops help')
  await olga.say(olga.direct(), 'help')
  const [group] = slack.workspace.groups
  slack.workspace.changeGroup(group?.id ?? '', { users: [OTTO] })
}

function kindOf(payload: Payload): string {
  const { command, event, type, view } = payload
  if (typeof command === 'string') return command
  if (typeof event === 'object' && event !== null && 'type' in event) return String(event.type)
  return type === 'block_actions' ? `${type} ${view === undefined ? 'message' : 'view'}` : String(type)
}

/** In place of what is there: every kind of value, and names that mean something to the language. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1.5,
  '',
  ' ',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  '<!channel>\u0000\uD800',
  [],
  [null],
  {},
  { id: 5 },
  { channel: null },
]
/** Fields that a reader may look at, though the delivery has none of them. */
const ADDED: readonly Path[] = [
  'channel team user enterprise team_id enterprise_id actions view message container',
  'name command authorizations is_enterprise_install function_data bot_access_token __proto__',
  'event.item event.channel event.channel_id event.user event.subteam event.assistant_thread',
  'event.message event.function_execution_id',
]
  .flatMap((paths) => paths.split(' '))
  .map((path) => path.split('.'))

function pathsIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    ...(at.length > 0 ? [at] : []),
    ...Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...at, name])),
  ]
}

/** The same with another value at one place; left out where that is undefined. */
function withOdd(value: unknown, [name, ...rest]: Path, odd: unknown): unknown {
  if (name === undefined) return odd
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const others = entries.filter(([each]) => each !== name)
  const inner = withOdd(entries.find(([each]) => each === name)?.[1], rest, odd)
  const all = [...others, ...(inner === undefined ? [] : [[name, inner] as const])]
  return Array.isArray(value) ? all.map(([, each]) => each) : Object.fromEntries(all)
}

let sent = 0
/** Sends it as Slack does, signed; what makes Slack's deliveries differ from each other is new. */
async function deliver({ type, payload }: Sample): Promise<number> {
  sent += 1
  const fresh = {
    ...payload,
    ...('trigger_id' in payload && { trigger_id: `${sent}.odd` }),
    ...('event_id' in payload && { event_id: `Ev${sent}` }),
  }
  const form = type !== 'events_api'
  const fields =
    type === 'interactive'
      ? { payload: JSON.stringify(fresh) }
      : Object.fromEntries(
          Object.entries(fresh).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        )
  const body = form ? new URLSearchParams(fields).toString() : JSON.stringify(fresh)
  const signed = signatureHeaders(body, SIGNING_SECRET, Math.floor(scene.clock.now().getTime() / 1_000))
  const answer = await fetch(scene.bot.requestUrl, {
    method: 'POST',
    headers: { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json', ...signed },
    body,
  })
  await answer.body?.cancel()
  return answer.status
}

test('a delivery of every kind is among the samples', () => {
  expect(samples.map(({ payload }) => kindOf(payload))).toEqual(expect.arrayContaining(KINDS))
})

test(
  'a signed delivery, however odd its fields, is answered: never a 500, and no stack in the log',
  async () => {
    const mutants = fc.sample(
      fc.constantFrom(...samples).chain((sample) =>
        fc.record({
          sample: fc.constant(sample),
          path: fc.constantFrom(...pathsIn(sample.payload), ...ADDED),
          odd: fc.constantFrom(...ODD),
        }),
      ),
      { seed: SEED, numRuns: TRIES },
    )
    // What Slack tells of the bot's own messages would be signed at another time than the bot's, refused, and counted.
    scene.stage.slack.parts.messages.listener = () => undefined
    const wrong: string[] = []
    const statuses = new Map<number, number>()
    const before = scene.log.length
    for (const [index, { sample, path, odd }] of mutants.entries()) {
      if (index % AT_ONCE === 0) scene.clock.turn(REST_MS)
      const status = await deliver({ ...sample, payload: withOdd(sample.payload, path, odd) as Payload })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500) wrong.push(`${status} ${kindOf(sample.payload)} ${path.join('.')} ${JSON.stringify(odd)}`)
    }
    expect(wrong).toEqual([])
    const lines = scene.log.slice(before)
    // A response address that was used up says nothing of the delivery.
    const stacks = lines.filter((line) => /"stack"|\\n\s+at /.test(line) && !line.includes('"type":"SlackError"'))
    expect(stacks.map((line) => line.slice(0, 300))).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(100)
    expect(statuses.get(400)).toBeGreaterThan(100)
    const told = lines.filter((line) => line.includes('"reason":"signed, in an unknown form"'))
    expect(told.length).toBeGreaterThan(0)
    expect(told.length).toBeLessThanOrEqual((TRIES / AT_ONCE) * (REST_MS / MINUTE_MS) + 1)
    const [command] = samples
    expect(command && (await deliver(command))).toBe(200)
  },
  TIMEOUT_MS,
)
