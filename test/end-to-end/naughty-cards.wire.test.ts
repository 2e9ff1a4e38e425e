import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import { ADA, OLGA, OTTO } from '../../src/playground/slack/seed.ts'
import { NAUGHTY_STRINGS } from '../fixtures/naughty-strings.ts'
import { approves, cardOf, cardsOf, idIn } from './approving.ts'
import { Scene } from './scene.ts'

const CONFIG = `roles:
  admin: { users: [${ADA}] }
  operator: { users: [${OLGA}, ${OTTO}] }
policies:
  - { operations: [dns add], decision: approve }
`
const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'
/** Beside the list: what was drawn otherwise than the rest, for its backticks or its length. */
const VALUES: readonly string[] = [
  ...NAUGHTY_STRINGS,
  '`',
  'v=1 `x` y',
  '```',
  FAMILY.repeat(30),
  'a'.repeat(151),
  `two ${'long words '.repeat(40)}`,
]
const TIMEOUT_MS = 120_000
/** As fast as people may ask. */
const [AT_ONCE, REST_MS] = [10, 60_000]

let scene: Scene
beforeAll(async () => void (scene = await Scene.start({ config: CONFIG })))
afterAll(async () => scene.close())

/** Asks for a record with this text and comment; undefined where a record cannot have them. */
async function asks(name: string, value: string, comment = ''): Promise<string | undefined> {
  await scene.types(OLGA, `/cdn dns add 201 TXT ${name}`, { until: /═══ Add a DNS record ═══/ })
  await scene.person(OLGA).submit(comment === '' ? { value } : { value, comment })
  if (scene.person(OLGA).view()?.callbackId !== 'review') {
    await scene.person(OLGA).closeView()
    return undefined
  }
  const until = /═══ Waiting for approval ═══[\s\S]*Others have been asked/
  const { view } = await scene.submits(OLGA, {}, { until })
  await scene.person(OLGA).closeView()
  return idIn(view === undefined ? '' : renderView(view))
}

/** Has it approved; whether it has one message, which is the first one and shows how it ended. */
async function endsWell(id: string): Promise<boolean> {
  const asked = cardOf(scene, id)
  await approves(scene, OTTO, id, /═══ Done ═══/)
  const cards = (): readonly string[] => cardsOf(scene, id).map(renderMessage)
  await scene.stage.slack.until(() => cards().some((card) => card.includes('was added'))).catch(() => undefined)
  return cards().length === 1 && cards()[0]?.includes('was added') === true && cardsOf(scene, id)[0]?.ts === asked.ts
}

test(
  'whatever a value looks like, the request, its approval and its end are one message, which shows the end',
  async () => {
    const wrong: string[] = []
    const seen = new Set<string>()
    for (let index = 0; index < VALUES.length; index += 2) {
      if (index % AT_ONCE === 0) scene.clock.turn(REST_MS)
      const [value = '', comment] = VALUES.slice(index, index + 2)
      const both = await asks(`both-${index}`, value, comment)
      const tried = both === undefined ? [value, comment ?? ''] : []
      const ids = [both, ...(await inTurn(tried, (each, place) => asks(`one-${index}-${place}`, each)))]
      for (const id of ids.filter((each) => each !== undefined)) {
        if (!(await endsWell(id))) wrong.push(JSON.stringify([value, comment]))
        seen.add(id)
      }
    }
    expect(wrong).toEqual([])
    expect(seen.size).toBeGreaterThan(VALUES.length / 2)
  },
  TIMEOUT_MS,
)

async function inTurn<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (const [place, item] of items.entries()) results.push(await work(item, place))
  return results
}
