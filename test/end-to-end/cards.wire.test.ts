import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { ADA, OLGA, OTTO, RANDOM, VERA } from '../../src/playground/slack/seed.ts'
import {
  approves,
  asks,
  cardOf,
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
import { failNext } from '../support/failing-slack.ts'

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
      await isTold(scene, OLGA, new RegExp(`Expired: nothing was sent[\\s\\S]*${id}`))
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

  describe('the message about a change', () => {
    test('of a confirmed write stands where it was asked; what takes approval is asked for in the operations channel', async () => {
      const id = await asks(scene, { channel: RANDOM })
      expect(cardsOf(scene, id, RANDOM)).toEqual([])
      expect(renderMessage(cardOf(scene, id))).toContain('Waiting for approval')
      await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled/ })
    })

    test('is posted in the operations channel, once, where the bot is not in the other', async () => {
      await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.20', { channel: RANDOM, until: /═══ Review ═══/ })
      const doing = { channel: RANDOM, until: /was added to DNS zone[\s\S]*invite it with \/invite/ }
      await scene.submits(OLGA, {}, doing)
      await scene.person(OLGA).closeView()
      const card = await cardSays(scene, await newestChange(scene), /was added to DNS zone/)
      expect(card).toContain('192.0.2.20')
    })

    test('is posted anew with the next step when somebody has deleted it', async () => {
      const id = await asks(scene)
      const asking = cardOf(scene, id)
      failNext(scene.stage.slack, 'chat.update', { error: 'message_not_found' })
      await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled: nothing was sent/ })
      await scene.stage.slack.until(() => cardsOf(scene, id).length === 2)
      const [old, anew] = cardsOf(scene, id)
      expect(old?.ts).toBe(asking.ts)
      expect(renderMessage(anew ?? asking)).toContain('Cancelled: nothing was sent')
    })

    test('catches up once Slack takes messages again', async () => {
      const id = await asks(scene)
      failNext(scene.stage.slack, 'chat.update', { status: 500 })
      await scene.types(OLGA, `/cdn changes cancel ${id}`, { until: /cancelled/i })
      const look = (): string => renderMessage(cardOf(scene, id))
      expect(await inRounds(scene, look, (text) => text.includes('Cancelled'))).toMatch(/nothing was sent/)
    })
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
        settle: (id: string) => scene.types(OTTO, `/cdn changes settle ${id} happened`, { until: /done/i }),
        event: 'done',
      },
      {
        way: 'a command that it did not',
        settle: (id: string) =>
          scene.types(OTTO, `/cdn changes settle ${id} not-happened`, { until: /did not happen/i }),
        event: 'not_done',
      },
    ])('is settled by $way, once', async ({ settle, event }) => {
      const before = scene.stage.cdn.count('addDnsRecord')
      const id = await unknown()
      await clicks(scene, VERA, id, 'exists', {
        until: /Settling a change needs the role operator[\s\S]*Nothing was done/,
      })
      await settle(id)
      const said = await cardSays(scene, id, /(Done|It did not happen)\*? \(by @otto\)|by @otto/)
      expect(said).not.toContain('[It exists]')
      await clicksLate(scene, ADA, id, 'absent', /This click did nothing more/)
      expect(await eventsOf(scene, id)).toEqual(['requested', 'sending', 'unknown', 'denied', event])
      expect(scene.stage.cdn.count('addDnsRecord')).toBe(before + 1)
    })

    test('can be looked for by the mark in the comment of the record', async () => {
      const id = await unknown()
      const mark = `cdn-ops ${id}`
      const asked = scene.stage.cdn.requests.findLast(({ endpoint }) => endpoint === 'addDnsRecord')
      expect(asked?.body).toMatchObject({ Comment: mark })
      expect(await cardSays(scene, id, UNKNOWN)).toContain(`whose comment is ${mark}`)
    })
  })

  test('a comment that was given is left alone', async () => {
    const { text } = await scene.types(OLGA, '/cdn dns add 201 A mine 192.0.2.31 --comment "from me"', {
      until: /═══ Review ═══/,
    })
    expect(text).toContain('from me')
    expect(text).not.toContain('The comment was left empty')
    await scene.person(OLGA).closeView()
  })
})
