import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditOf, changesOf } from './facts.ts'
import { Play } from './play.ts'
import { hasStruck, type InsideFault, type KillStage, openStage } from './stage.ts'
import { playStory } from './stories.ts'

let stage: KillStage
beforeEach(async () => {
  stage = await openStage('sqlite')
})
afterEach(() => stage.close())

/** The state of the change that a bot with this fault leaves when it is killed, and the last entry about it. */
async function leftBy(fault: InsideFault): Promise<readonly [state: string | undefined, event: string | undefined]> {
  const victim = stage.start(fault)
  await victim.linked
  await playStory('record', new Play(stage, victim, 'k1x')).catch(() => undefined)
  expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' })
  expect(hasStruck(victim)).toBe(true)
  const [change] = await changesOf(stage.store, 'k1x')
  const entries = (await auditOf(stage.store)).filter(({ changeId }) => changeId === change?.id)
  return [change?.state, entries.at(-1)?.event]
}

test.each([
  ['sending', 'before', 'approved', 'requested', 0],
  ['sending', 'after', 'sending', 'sending', 0],
  ['done', 'before', 'sending', 'sending', 1],
  ['done', 'after', 'done', 'done', 1],
] as const)('%s:%s leaves the change %s', async (tag, side, state, event, created) => {
  expect(await leftBy({ tag, side })).toEqual([state, event])
  expect(stage.created()).toHaveLength(created)
})

test('the n-th of a kind can be meant', async () => {
  const victim = stage.start({ tag: 'sending', side: 'after', nth: 2 })
  await victim.linked
  await playStory('record', new Play(stage, victim, 'k1x'))
  await playStory('record', new Play(stage, victim, 'k2x')).catch(() => undefined)
  expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' })
  const states = await Promise.all(['k1x', 'k2x'].map((name) => changesOf(stage.store, name)))
  expect(states.flat()).toMatchObject([{ state: 'done' }, { state: 'sending' }])
})
