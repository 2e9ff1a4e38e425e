import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { REVIEW_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import type { ViewAck } from '../../src/slack/result-view.ts'
import { onViewSubmission } from '../../src/slack/view-listener.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { createSlackBench, type SlackBench, submission } from '../support/slack-bench.ts'

let bench: SlackBench
let acks: ViewAck[]
beforeEach(async () => {
  bench = await createSlackBench()
  acks = []
})
afterEach(() => bench.close())

const ack = async (answer: ViewAck): Promise<void> => void acks.push(answer)
const ackText = () => JSON.stringify(acks)
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state
const review = (id: string) => submission(REVIEW_VIEW, writePlace({ change: id, step: 2 }))
const reviewing = async () => (await reviewed(bench, RECORD, actor('operator', 'UOLGA'))).change.id

describe('a review whose step Slack has not the patience for', () => {
  it('writes nothing down once it is too late, and says that nothing was sent', async () => {
    const id = await reviewing()
    const asked = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    bench.acts.write = () => expect.unreachable('It was too late')
    bench.script.before = ({ method }) => {
      asked.resolve()
      return method === 'users.info' ? slow.promise : undefined
    }
    const submitted = onViewSubmission(review(id), ack, bench.reception)
    await asked.promise
    bench.clock.turn(2_000)
    await submitted
    expect(ackText()).toContain('took too long to be written down, so nothing was sent')
    slow.resolve()
    await expect
      .poll(() => bench.log.map(({ fields }) => fields['reason']))
      .toContainEqual(expect.stringMatching(/too long to be written down/))
    expect(await stateOf(id)).toBe('draft')
    expect(await bench.record()).toEqual(['zone_added'])
  })

  it.each([
    ['whose commit took too long', () => undefined],
    ['whose commit was not answered', () => Promise.reject(new StoreError('unanswered'))],
  ])('takes back a step %s', async (_, end) => {
    const id = await reviewing()
    const committed = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    bench.acts.write = () => expect.unreachable('It was taken back')
    const { changes } = bench.store
    const move = changes.move.bind(changes)
    changes.move = async (...step) => {
      changes.move = move
      const moved = await move(...step)
      committed.resolve()
      await slow.promise
      await end()
      return moved
    }
    const submitted = onViewSubmission(review(id), ack, bench.reception)
    await committed.promise
    bench.clock.turn(2_000)
    await submitted
    expect(ackText()).toContain('took too long to be written down, so nothing was sent')
    slow.resolve()
    await expect.poll(() => stateOf(id)).toBe('cancelled')
    expect((await bench.record()).at(-1)).toMatch(/^cancelled: Slack gave up/)
  })
})
