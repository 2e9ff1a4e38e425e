import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ForgedClick, forger } from '../support/forger.ts'
import { OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { asks, cardOf, clicks, recordOf } from './approving.ts'
import type { Scene } from './scene.ts'
import { onBothStores } from './stores.ts'

/** Something that may happen once, however often somebody or Slack tries. */
interface Deed {
  readonly name: string
  readonly who: string
  /** Whether it is the submission of a view. */
  readonly isView: boolean
  /** Goes up to the last click and resolves with that click. */
  readonly ready: (scene: Scene) => Promise<() => Promise<unknown>>
  /** How often it has happened so far. */
  readonly happened: (scene: Scene) => Promise<number>
  /** What somebody is told who does it again. */
  readonly again: RegExp
}

const SOON = { timeout: 5_000 }
const ONCE = { times: 1, unacknowledged: 0 }
const FOUND = /This click did nothing more/
let names = 0

const DEEDS: readonly Deed[] = [
  {
    name: 'a confirmation',
    who: OLGA,
    isView: true,
    ready: async (scene) => {
      await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { until: /═══ Review ═══/ })
      return () => scene.person(OLGA).submit()
    },
    happened: async ({ stage }) => stage.cdn.count('addDnsRecord'),
    again: FOUND,
  },
  {
    name: 'an approval',
    who: OTTO,
    isView: true,
    ready: async (scene) => {
      await clicks(scene, OTTO, await asks(scene), 'approve', { until: /═══ Approve\? ═══/ })
      return () => scene.person(OTTO).submit()
    },
    happened: async ({ stage }) => stage.cdn.count('createVideoLibrary'),
    again: FOUND,
  },
  {
    name: 'a decline',
    who: OTTO,
    isView: true,
    ready: async (scene) => {
      await clicks(scene, OTTO, await asks(scene), 'decline', { until: /═══ Decline\? ═══/ })
      return () => scene.person(OTTO).submit()
    },
    happened: (scene) => countOf(scene, 'denied'),
    again: /You have declined it/,
  },
  {
    name: 'a cancellation',
    who: OLGA,
    isView: false,
    ready: async (scene) => {
      const id = await asks(scene)
      const { channel, ts } = cardOf(scene, id)
      return clicking(scene, { channel, ts, actionId: 'change:cancel', value: id })
    },
    happened: (scene) => countOf(scene, 'cancelled'),
    again: /Cancelled: nothing was sent[\s\S]*This click did nothing more/,
  },
  {
    name: 'a name for a zone',
    who: OLGA,
    isView: false,
    ready: async (scene) => {
      const typed = `/cdn zones add pull 301 ${newName()}`
      return () => scene.person(OLGA).command(OPS, typed)
    },
    happened: (scene) => countOf(scene, 'zone_added'),
    again: /done already, and not a second time|is already the name of/,
  },
  {
    name: 'Undo',
    who: OLGA,
    isView: false,
    ready: async (scene) => {
      const { messages } = await scene.types(OLGA, `/cdn zones add pull 301 ${newName()}`, { until: /\[Undo\]/ })
      const [message] = messages
      const block = message?.blocks.find((each) => each.type === 'actions')
      const button = block?.type === 'actions' ? block.elements[0] : undefined
      if (message === undefined || button?.type !== 'button') throw new Error('There is no Undo')
      const { action_id: actionId = '', value = '' } = button
      return clicking(scene, { channel: message.channel, ts: message.ts, actionId, value })
    },
    happened: (scene) => countOf(scene, 'zone_removed'),
    again: /done already, and not a second time/,
  },
]

onBothStores((start) => {
  let scene: Scene
  beforeAll(async () => void (scene = await start()))
  afterAll(async () => scene?.close())
  afterEach(async () => {
    for (const who of [OLGA, OTTO]) if (scene.person(who).view() !== undefined) await scene.person(who).closeView()
  })

  /** Tries it in some way: how often it has happened then, and how many deliveries were not acknowledged. */
  async function tried({ ready, happened }: Deed, tries: (act: () => Promise<unknown>) => Promise<void>) {
    const act = await ready(scene)
    const before = await happened(scene)
    const delivered = scene.stage.slack.deliveries.length
    await tries(act)
    await vi
      .waitUntil(async () => (await happened(scene)) > before, SOON)
      .catch(() => {
        throw new Error(`It has not happened:\n${scene.log.slice(-5).join('')}`)
      })
    // Whatever a second effect would take has had its time once somebody else is answered.
    await scene.answersOthers(VERA)
    return { times: (await happened(scene)) - before, unacknowledged: unacknowledged(delivered) }
  }

  /** A second try that is told how things stand. */
  async function isTold({ who, again }: Deed, act: () => Promise<unknown>): Promise<void> {
    const watch = scene.watch(who)
    const answer = JSON.stringify(await act())
    await scene.stage.slack
      .until(() => again.test(answer) || again.test(watch().text))
      .catch(() => {
        throw new Error(`${again} was not said, but:\n${watch().text}\n${answer}`)
      })
  }

  const redelivered = (who: string) => forger(scene.stage.slack, who).redeliver()
  /** Of what people did: what a bot says as it ends, Slack tells to none. */
  const unacknowledged = (from: number): number =>
    scene.stage.slack.deliveries.slice(from).filter(({ type, ackMs }) => type !== 'events_api' && ackMs === undefined)
      .length

  test.each(DEEDS)('$name: clicked twice at once', async (deed) => {
    const tries = await tried(deed, async (act) => void (await Promise.all([act(), act()])))
    expect(tries).toEqual(ONCE)
  })

  test.each(DEEDS.filter(({ isView }) => isView))('$name: in two tabs', async (deed) => {
    const tries = await tried(deed, async (act) => {
      const other = forger(scene.stage.slack, deed.who).submit({ id: 'V0OTHERTAB', hash: 'other' })
      await Promise.all([act(), other])
    })
    expect(tries).toEqual(ONCE)
  })

  test.each(DEEDS)('$name: delivered again over the other link', async (deed) => {
    const tries = await tried(deed, async (act) => {
      await act()
      await isTold(deed, () => redelivered(deed.who))
    })
    expect(tries).toEqual(ONCE)
  })

  test.each(DEEDS)('$name: delivered again to the next bot', async (deed) => {
    const tries = await tried(deed, async (act) => {
      await act()
      await scene.bot.restart()
      await isTold(deed, () => redelivered(deed.who))
    })
    expect(tries).toEqual(ONCE)
  })

  test.each(DEEDS)('$name: tried again, because Slack did not hear that it was done', async (deed) => {
    const tries = await tried(deed, async (act) => {
      scene.stage.slack.parts.deliveries.loseNextAck()
      await act()
      await isTold(deed, act)
    })
    expect(tries).toEqual(ONCE)
  })
})

function newName(): string {
  names += 1
  return `web${names}`
}

function clicking(scene: Scene, click: ForgedClick): () => Promise<unknown> {
  return () => forger(scene.stage.slack, OLGA).click(click)
}

async function countOf(scene: Scene, wanted: string): Promise<number> {
  return (await recordOf(scene)).filter(({ event }) => event === wanted).length
}
