import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import {
  ADA,
  BOT_USER_ID,
  GENERAL,
  GUS,
  NORA,
  OLGA,
  OPS,
  OTHER_TEAM_ID,
  OTTO,
  SAM,
  TEAM,
  VERA,
} from '../../src/playground/slack/state/seed.ts'
import {
  approves,
  asks,
  cardOf,
  cardSays,
  clicks,
  clicksLate,
  CREATED,
  entriesBy,
  eventsOf,
  isTold,
  nextRound,
  PREMIUM,
  recordOf,
} from './approving.ts'
import type { Scene } from './scene.ts'
import { onBothStores } from './stores.ts'

/** How long what Slack said of a person is used: before a write, and else. */
const FRESH_MS = 3_000
const CACHED_MS = 60_000

onBothStores((start) => {
  let scene: Scene
  beforeAll(async () => void (scene = await start()))
  afterAll(async () => scene.close())
  const sent = (): number => scene.stage.cdn.count('createVideoLibrary')

  test('what one asks for and another approves is sent once, and the one message about it says so', async () => {
    const id = await asks(scene)
    expect(sent()).toBe(0)
    const asking = cardOf(scene, id)
    expect(renderMessage(asking)).toMatch(/Waiting for approval[\s\S]*films[\s\S]*@olga needs[\s\S]*Premium/)
    expect(renderMessage(asking)).toMatch(/@(otto|ada): @olga needs/)
    const prompt = await clicks(scene, OTTO, id, 'approve', { until: /═══ Approve\? ═══/ })
    expect(prompt.text).toMatch(/films[\s\S]*Asked by @olga[\s\S]*Nobody has approved it yet[\s\S]*Premium/)
    expect(sent()).toBe(0)
    await scene.submits(OTTO, {}, { until: /═══ Done ═══[\s\S]*created video library/ })
    await scene.person(OTTO).closeView()
    await cardSays(scene, id, CREATED)
    expect(cardOf(scene, id)).toMatchObject({ ts: asking.ts, channel: OPS, edited: true })
    expect(await cardSays(scene, id, /Approved by @otto/)).toMatch(/@olga created/)
    nextRound(scene)
    const told = await isTold(scene, OLGA, new RegExp(id.slice(0, 8)))
    expect(told).toContain('Done')
    expect(told.match(/Create the video library/g)).toHaveLength(1)
    expect(sent()).toBe(1)
    expect(await eventsOf(scene, id)).toEqual(['requested', 'approval', 'approved', 'sending', 'done'])
  })

  describe('who may not decide', () => {
    let id: string
    beforeAll(async () => void (id = await asks(scene)))
    const entries = async () => (await recordOf(scene)).filter(({ changeId }) => changeId === id)
    const entriesSince = async (before: number) => (await entries()).slice(before)

    test.each(['approve', 'decline'] as const)('is who asked: %s', async (action) => {
      const before = (await entries()).length
      const { view } = await clicks(scene, OLGA, id, action, { until: /You asked for this yourself.*Nothing was done/ })
      expect(view).toBeUndefined()
      expect(await entriesSince(before)).toMatchObject([{ event: 'denied', actor: OLGA, operation: 'library create' }])
    })

    test.each([
      { name: 'a viewer', who: VERA },
      { name: 'a member without a role', who: NORA },
      { name: 'a guest', who: GUS },
      { name: 'a stranger', who: SAM },
      { name: 'a person of another workspace', who: NORA, teamId: OTHER_TEAM_ID },
    ])('is $name, who may not cancel or settle it either', async ({ who, teamId }) => {
      const { workspace } = scene.stage.slack
      if (teamId !== undefined) {
        workspace.changeMember(who, { teamId })
        onTestFinished(() => workspace.changeMember(who, { teamId: TEAM.id }))
      }
      for (const action of ['approve', 'decline', 'cancel'] as const) {
        const before = (await entries()).length
        const { view, messages } = await clicks(scene, who, id, action, { until: /Nothing was done/ })
        expect(view).toBeUndefined()
        expect(messages).toMatchObject([{ ephemeral: true }])
        expect(await entriesSince(before)).toMatchObject([{ event: 'denied', actor: who }])
      }
    })

    test('is somebody who has been deactivated since the prompt was opened', async () => {
      await clicks(scene, OTTO, id, 'approve', { until: /═══ Approve\? ═══/ })
      const before = (await entries()).length
      scene.stage.slack.workspace.changeMember(OTTO, { kind: 'deactivated' })
      scene.clock.turn(FRESH_MS)
      try {
        await scene.submits(OTTO, {}, { until: /Nothing was done/ })
        expect(await entriesSince(before)).toMatchObject([{ event: 'denied', actor: OTTO }])
      } finally {
        scene.stage.slack.workspace.changeMember(OTTO, { kind: 'member' })
        scene.clock.turn(CACHED_MS)
        await scene.person(OTTO).closeView()
      }
    })

    test('and after all that it still waits for somebody who may', async () => {
      expect(await eventsOf(scene, id)).not.toContain('approval')
      const before = sent()
      await approves(scene, ADA, id, CREATED)
      expect(sent()).toBe(before + 1)
    })
  })

  describe('a request that comes to nothing', () => {
    test('is declined, with the reason in its message and for who asked', async () => {
      const before = sent()
      const id = await asks(scene)
      await clicks(scene, OTTO, id, 'decline', { until: /═══ Decline\? ═══[\s\S]*Why not\?/ })
      await scene.submits(OTTO, { reason: 'Not before Monday' }, { until: /You have declined it/ })
      await scene.person(OTTO).closeView()
      expect(await cardSays(scene, id, /Declined/)).toMatch(/by @otto[\s\S]*Not before Monday/)
      nextRound(scene)
      await isTold(scene, OLGA, /Declined: nothing was sent[\s\S]*Not before Monday/)
      expect(await eventsOf(scene, id)).toEqual(['requested', 'denied'])
      expect(sent()).toBe(before)
    })

    test.each(['by button', 'by command'])('is cancelled by who asked: %s', async (way) => {
      const before = sent()
      const id = await asks(scene)
      if (way === 'by button') await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled: nothing was sent/ })
      else await scene.types(OLGA, `/cdn changes cancel ${id.slice(0, 8)}`, { until: /cancelled/i })
      expect(await cardSays(scene, id, /Cancelled: nothing was sent/)).toMatch(/by @olga/)
      expect(await eventsOf(scene, id)).toEqual(['requested', 'cancelled'])
      expect(sent()).toBe(before)
    })

    test('is not cancelled by somebody else', async () => {
      const id = await asks(scene)
      await clicks(scene, OTTO, id, 'cancel', { until: /Only who asked for a change may cancel it/ })
      await scene.types(OTTO, `/cdn changes cancel ${id.slice(0, 8)}`, {
        until: /Only who asked for a change may cancel it/,
      })
      expect(await eventsOf(scene, id)).toEqual(['requested', 'denied', 'denied'])
      await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled/ })
    })

    test('is answered with its state, whatever is clicked later', async () => {
      const id = await asks(scene)
      await clicks(scene, OTTO, id, 'approve', { until: /═══ Approve\? ═══/ })
      await clicks(scene, ADA, id, 'decline', { until: /═══ Decline\? ═══/ })
      await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled/ })
      const late = { until: /Current state[\s\S]*Cancelled: nothing was sent[\s\S]*This click did nothing more/ }
      await scene.submits(OTTO, {}, late)
      await scene.submits(ADA, {}, late)
      await Promise.all([scene.person(OTTO).closeView(), scene.person(ADA).closeView()])
      const found = /Cancelled: nothing was sent[\s\S]*This click did nothing more/
      await clicksLate(scene, OTTO, id, 'approve', found)
      await clicksLate(scene, ADA, id, 'decline', found)
      await clicksLate(scene, OTTO, id, 'exists', found)
      await clicksLate(scene, OLGA, id, 'cancel', /Cancelled: nothing was sent[\s\S]*This click did nothing more/)
      expect(await eventsOf(scene, id)).toEqual(['requested', 'cancelled'])
    })
  })

  test('the same is warned about for a day, to who asks and to who approves', async () => {
    const id = await asks(scene)
    const warning = /The same was asked for already/
    const { text } = await scene.types(OTTO, `/cdn ${PREMIUM}`, { until: warning })
    expect(text).toContain(id.slice(0, 8))
    await scene.person(OTTO).closeView()
    await clicks(scene, ADA, id, 'approve', { until: warning })
    await scene.person(ADA).closeView()
    await clicks(scene, OLGA, id, 'cancel', { until: /Cancelled/ })
    scene.clock.turn(24 * 3_600_000 + 60_000)
    // One of the two links may end with such a turn: each is used once, and known by then.
    for (const _link of [1, 2]) await scene.person(OTTO).command(OPS, '/cdn whoami')
    const later = await scene.types(OTTO, `/cdn ${PREMIUM}`, { until: /═══ Review ═══/ })
    expect(later.text).not.toMatch(warning)
    await scene.person(OTTO).closeView()
  })

  describe('what nobody could approve is refused at once', () => {
    test('because CDN Ops is not in the channel where it would be asked for; once it is invited, others are asked', async () => {
      const { workspace } = scene.stage.slack
      const before = sent()
      workspace.setMembership(OPS, BOT_USER_ID, false)
      const refused = { channel: GENERAL, until: /CDN Ops is not in OPS_CHANNEL.*Nothing was done.*\/invite/s }
      const { text } = await scene.types(OLGA, `/cdn ${PREMIUM}`, refused)
      expect(text).not.toContain('[Ask for approval]')
      expect((await entriesBy(OLGA, scene)).at(-1)).toMatchObject({ event: 'denied', operation: 'library create' })
      workspace.setMembership(OPS, BOT_USER_ID, true)
      await clicks(scene, OLGA, await asks(scene, { channel: GENERAL }), 'cancel', { until: /Cancelled/ })
      expect(sent()).toBe(before)
    })

    test.each([
      { name: 'because no channel is set in which to ask', settings: { OPS_CHANNEL: '' }, why: /OPS_CHANNEL/ },
      {
        name: 'because there is nobody else',
        settings: { OPERATORS: OLGA, ADMINS: '' },
        why: /there are not enough people who could give it/,
      },
    ])('$name', async ({ settings, why }) => {
      const other = await start({ settings })
      try {
        const { text } = await other.types(OLGA, `/cdn ${PREMIUM}`, { until: why })
        expect(text).toContain('Nothing was done')
        expect(text).not.toContain('[Ask for approval]')
        expect((await entriesBy(OLGA, other)).at(-1)).toMatchObject({ event: 'denied' })
        expect(other.stage.cdn.requests).toEqual([])
      } finally {
        await other.close()
      }
    })
  })
})
