import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { REVIEW_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import type { ViewAck } from '../../src/slack/result-view.ts'
import { onViewSubmission } from '../../src/slack/view-listener.ts'
import { SlackError } from '../../src/slack/web-api.ts'
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

const olga = actor('operator', 'UOLGA')
const ack = async (answer: ViewAck): Promise<void> => void acks.push(answer)
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state
const review = (id: string) => submission(REVIEW_VIEW, writePlace({ change: id, step: 2 }))
const ackText = () => JSON.stringify(acks)

/** Turns the clock for as long as the work waits for it. */
async function turnedUntilOver(work: Promise<void>): Promise<void> {
  let over = false
  const done = work.finally(() => (over = true))
  await expect.poll(() => (bench.clock.turn(400), over)).toBe(true)
  await done
}

async function reviewing(values = RECORD): Promise<string> {
  return (await reviewed(bench, values, olga)).change.id
}

describe('submitting a review', () => {
  it('is acknowledged before the call, tells the channel and shows the result', async () => {
    const id = await reviewing()
    bench.acts.write = async () => {
      expect(acks).toHaveLength(1)
      return 'stored'
    }
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('Add 192.0.2.10 to zone 301: being sent …')
    expect(acks).toMatchObject([{ response_action: 'update', view: { external_id: `change-${id}-UOLGA` } }])
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
    expect(bench.shown('views.update')).toContain('It was stored.')
  })

  it('sends once for two clicks; the second hears what became of the first', async () => {
    const id = await reviewing()
    let calls = 0
    bench.acts.write = async () => {
      calls += 1
      return 'stored'
    }
    await onViewSubmission(review(id), ack, bench.reception)
    await onViewSubmission(review(id), ack, bench.reception)
    expect(calls).toBe(1)
    expect(JSON.stringify(acks[1])).toMatch(/Done.*This click did nothing more/)
  })

  it('takes back what Slack cannot be told of, since the person sees that it failed', async () => {
    const id = await reviewing()
    bench.acts.write = () => expect.unreachable('It was taken back')
    const lost = () => Promise.reject(new Error('the link was lost'))
    await expect(onViewSubmission(review(id), lost, bench.reception)).rejects.toThrow('the link was lost')
    expect(await stateOf(id)).toBe('cancelled')
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toMatch(/Cancelled: nothing was sent.*This click did nothing more/)
  })

  it('does not say that nothing was done when the answer of the record was lost: it goes on, and is sent', async () => {
    const id = await reviewing()
    const { changes } = bench.store
    const move = changes.move.bind(changes)
    changes.move = async (...step) => {
      changes.move = move
      await move(...step)
      throw new StoreError('unanswered')
    }
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toMatch(/it is not known whether this was written down.*changes list/)
    expect(ackText()).not.toMatch(/nothing was/i)
    bench.clock.turn(10_000)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('done')
  })

  it('asks Slack anew who it is: a guest since the review sends nothing', async () => {
    const id = await reviewing()
    await bench.reception.actor({ userId: 'UOLGA' })
    bench.script.profile = { is_restricted: true }
    bench.clock.turn(3_000)
    bench.acts.write = () => expect.unreachable('A guest may not')
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('needs the role operator; you have none. Nothing was done.')
    expect(await stateOf(id)).toBe('denied')
  })

  it('is refused to anybody but the person who asked', async () => {
    const id = await reviewing()
    await onViewSubmission({ ...review(id), user: { id: 'UADA' } }, ack, bench.reception)
    expect(ackText()).toContain('so it was refused. Nothing was done.')
    expect(await stateOf(id)).toBe('draft')
    expect((await bench.record()).at(-1)).toBe('denied: The view names a change of somebody else.')
  })

  it('says how it ended when the platform refused, in the channel and in the view', async () => {
    bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 400 }))
    await onViewSubmission(review(await reviewing()), ack, bench.reception)
    expect(bench.board.in('C1')).toEqual([expect.stringMatching(/^Refused by the platform: nothing was changed\./)])
    expect(bench.shown('views.update')).toContain('Refused')
  })

  it('shows the result once Slack knows the view that it is for', async () => {
    let early = 2
    bench.script.before = ({ method }) => {
      if (method !== 'views.update' || early === 0) return
      early -= 1
      throw new SlackError('views.update', 'not_found')
    }
    await turnedUntilOver(onViewSubmission(review(await reviewing()), ack, bench.reception))
    expect(bench.calls.filter(({ method }) => method === 'views.update')).toHaveLength(3)
    expect(bench.log).toEqual([])
  })

  it('gives up on a view that was closed: the channel has the answer', async () => {
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError('views.update', 'not_found')
    }
    await turnedUntilOver(onViewSubmission(review(await reviewing()), ack, bench.reception))
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
    expect(bench.log.map(({ sentence }) => sentence)).toContain('a result view was not updated')
  })

  it('does nothing, and says so, when the store fails', async () => {
    const id = await reviewing()
    await bench.store.close()
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('without its record CDN Ops does not act')
  })
})

describe('a review that takes an approval', () => {
  const BILLED = { ...RECORD, billed: 'on' }
  const alone = (text: string) => ({ alone: { value: { type: 'plain_text_input', value: text } } })
  const submitted = (id: string, state: unknown) =>
    onViewSubmission(submission(REVIEW_VIEW, writePlace({ change: id, step: 2 }), state), ack, bench.reception)
  /** From now on Olga is in a group that may go without approval. */
  const inGroup = (): void => {
    bench.rules.policy = { ...bench.rules.policy, breakGlassGroups: ['S1'] }
    bench.people.list({ ...olga, groups: ['S1'] })
    bench.script.groups = { S1: ['UOLGA'] }
  }

  it('asks others in the operations channel, and shows that it waits', async () => {
    const id = await reviewing(BILLED)
    bench.acts.write = () => expect.unreachable('Nobody has approved it')
    await submitted(id, {})
    expect(ackText()).toContain('others are being asked')
    expect(await stateOf(id)).toBe('waiting')
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Waiting for approval/)])
    expect(bench.shown('views.update')).toContain('Others have been asked, until')
  })

  it('asks once for two clicks; the second sees that it waits', async () => {
    const id = await reviewing(BILLED)
    await submitted(id, {})
    await submitted(id, {})
    expect(bench.board.posted).toHaveLength(1)
    expect(JSON.stringify(acks[1])).toMatch(/Waiting for approval.*This click did nothing more/)
  })

  it('goes without one, for a reason, where the group may', async () => {
    inGroup()
    const id = await reviewing(BILLED)
    await submitted(id, alone('The shop is down'))
    expect(await stateOf(id)).toBe('done')
    expect(await bench.record()).toContain('break_glass: The shop is down')
  })

  it('still asks where the reason is left empty', async () => {
    inGroup()
    const id = await reviewing(BILLED)
    await submitted(id, alone('  '))
    expect(await stateOf(id)).toBe('waiting')
  })

  it('sends nothing for a reason of somebody outside of the group, on record', async () => {
    const id = await reviewing(BILLED)
    bench.acts.write = () => expect.unreachable('Nobody has approved it')
    await submitted(id, alone('I am in a hurry'))
    expect(await stateOf(id)).toBe('denied')
    expect((await bench.record()).at(-1)).toMatch(/^denied: Only a named group/)
  })

  it.each([
    ['a field of the form', { value: { value: { type: 'plain_text_input', value: 'x' } } }],
    ['a longer reason than it takes', alone('x'.repeat(1_001))],
    ['a reason of another kind', { alone: { value: { type: 'static_select', selected_option: { value: 'x' } } } }],
    ['an unreadable state', 'hush'],
  ])('refuses %s, on record', async (_, state) => {
    const id = await reviewing(BILLED)
    await submitted(id, state)
    expect(ackText()).toContain('so it was refused. Nothing was done.')
    expect(await stateOf(id)).toBe('draft')
    expect((await bench.record()).at(-1)).toBe('denied: It has a value that a review does not ask for.')
  })
})
