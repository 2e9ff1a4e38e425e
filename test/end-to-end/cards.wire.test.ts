import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../src/playground/slack/person.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import {
  approves,
  asks,
  cardSays,
  cardsOf,
  clicks,
  clicksLate,
  CREATED,
  eventsOf,
  inRounds,
  isTold,
  newestChange,
  nextRound,
} from './approving.ts'
import type { Scene } from './scene.ts'
import { onBothStores, runOutOfTime } from './stores.ts'

const EXPIRED = /Expired: nothing was sent[\s\S]*Nobody approved this in time/
const UNKNOWN = /Unknown: it may or may not have happened[\s\S]*\[It exists\] \[It does not exist\]/

onBothStores((start) => {
  let scene: Scene
  beforeAll(async () => void (scene = await start()))
  afterAll(async () => scene.close())
  afterEach(() => scene.stage.cdn.faults.clear())
  const sent = (): number => scene.stage.cdn.count('createVideoLibrary')

  describe('a request that nobody approves in time', () => {
    test.each(['while the bot runs', 'while it does not'])('expires %s, and is told', async (when) => {
      const before = sent()
      const id = await asks(scene)
      if (when === 'while the bot runs') await runOutOfTime(scene, id)
      else await scene.bot.restart(() => runOutOfTime(scene, id))
      await inRounds(
        scene,
        () => eventsOf(scene, id),
        (events) => events.includes('expired'),
      )
      await cardSays(scene, id, EXPIRED)
      nextRound(scene)
      await isTold(scene, OLGA, new RegExp(`Expired: nothing was sent[\\s\\S]*${id.slice(0, 8)}`))
      await clicksLate(scene, OTTO, id, 'approve', /Expired: nothing was sent[\s\S]*This click did nothing more/)
      expect(await eventsOf(scene, id)).toEqual(['requested', 'expired'])
      expect(sent()).toBe(before)
    })
  })

  test('what waited through a restart is approved and sent as before', async () => {
    const before = sent()
    const id = await asks(scene)
    await scene.bot.restart()
    await approves(scene, OTTO, id, CREATED)
    expect(cardsOf(scene, id)).toHaveLength(1)
    expect(sent()).toBe(before + 1)
  })

  describe('what nobody knows', () => {
    async function unknown(): Promise<string> {
      scene.stage.cdn.faults.set('addDnsRecord', { kind: 'reset', carriedOut: true }, { times: 1 })
      await scene.types(OLGA, '/cdn dns add 201 A lost 192.0.2.30', { until: /═══ Review ═══/ })
      await scene.submits(OLGA, {}, { until: /═══ Unknown ═══/ })
      await scene.person(OLGA).closeView()
      const id = await newestChange(scene)
      await cardSays(scene, id, UNKNOWN)
      return id
    }

    test.each([
      { way: 'It exists', settle: (id: string) => clicks(scene, OTTO, id, 'exists', { until: /Done/ }), event: 'done' },
      {
        way: 'It does not exist',
        settle: (id: string) => clicks(scene, OTTO, id, 'absent', { until: /It did not happen/ }),
        event: 'not_done',
      },
      {
        way: 'a command that it happened',
        settle: (id: string) => scene.types(OTTO, `/cdn changes settle ${id.slice(0, 8)} happened`, { until: /done/i }),
        event: 'done',
      },
      {
        way: 'a command that it did not',
        settle: (id: string) =>
          scene.types(OTTO, `/cdn changes settle ${id.slice(0, 8)} not-happened`, { until: /did not happen/i }),
        event: 'not_done',
      },
      {
        way: 'a button in the list of changes',
        settle: async (id: string) => {
          await scene.types(OTTO, '/cdn changes list unknown', { until: /the newest first/ })
          const message = scene.person(OTTO).messages(OPS).at(-1)!
          const press = (person: Person) => person.click({ message }, `change:${id}`, 'home:exists')
          await scene.does(OTTO, press, { until: /A person looked: it is there/ })
        },
        event: 'done',
      },
    ])('is settled by $way, once', async ({ settle, event }) => {
      const before = scene.stage.cdn.count('addDnsRecord')
      const id = await unknown()
      await clicks(scene, VERA, id, 'exists', {
        until: /Only operators and admins can use changes settle[\s\S]*Nothing was done/,
      })
      await settle(id)
      const said = await cardSays(scene, id, /(Done|It did not happen)\*? \(by @otto\)|by @otto/)
      expect(said).not.toContain('[It exists]')
      await clicksLate(scene, ADA, id, 'absent', /This click did nothing more/)
      expect(await eventsOf(scene, id)).toEqual(['requested', 'sending', 'unknown', 'denied', event])
      expect(scene.stage.cdn.count('addDnsRecord')).toBe(before + 1)
    })
  })
})
