import { beforeEach, describe, expect, it } from 'vitest'
import { type CdnFailure, CdnError } from '../../src/cdn/contract/errors.ts'
import { REVIEW_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import type { Message } from '../../src/block-kit/message.ts'
import type { View } from '../../src/block-kit/view.ts'
import { answerLate } from '../../src/slack/listeners/view-submission-listener.ts'
import { SlackError } from '../../src/slack/out/web-api.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { deliver } from '../support/recording-app.ts'
import { readText } from '../support/read-text.ts'
import { submission, useSlackBench } from '../support/slack-bench.ts'

const bench = useSlackBench()
let acks: unknown[]
beforeEach(() => {
  acks = []
})

const olga = actor('operator', 'UOLGA')
const ack = async (answer: unknown): Promise<void> => void acks.push(answer)
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state
const review = (id: string) => submission(REVIEW_VIEW, writePlace({ change: id, step: 2 }))
const submit = (page: ReturnType<typeof submission>) => deliver(bench.slack, 'view_submission', page, ack)
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
    await submit(review(id))
    expect(ackText()).toContain('Add 192.0.2.10 to zone 301: being sent …')
    expect(acks).toMatchObject([{ response_action: 'update', view: { external_id: `change-${id}-UOLGA` } }])
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
    expect(bench.shown('views.update')).toContain('It was stored.')
  })

  it('takes back what Slack cannot be told of, since the person sees that it failed', async () => {
    const id = await reviewing()
    bench.acts.write = () => expect.unreachable('It was taken back')
    const lost = () => Promise.reject(new Error('the link was lost'))
    await expect(deliver(bench.slack, 'view_submission', review(id), lost)).rejects.toThrow('the link was lost')
    expect(await stateOf(id)).toBe('cancelled')
    await submit(review(id))
    expect(ackText()).toMatch(/Cancelled: nothing was sent[\s\S]*This click did nothing more/)
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
    await submit(review(id))
    expect(ackText()).toMatch(/it is not known whether this was written down.*changes list/)
    expect(ackText()).not.toMatch(/nothing was/i)
    bench.clock.turn(10_000)
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('done')
  })

  it('asks Slack anew who it is: a guest since the review sends nothing', async () => {
    const id = await reviewing()
    await bench.slack.people.actor('UOLGA')
    bench.script.profile = { is_restricted: true }
    bench.clock.turn(3_000)
    bench.acts.write = () => expect.unreachable('A guest may not')
    await submit(review(id))
    expect(ackText()).toContain('Only operators and admins can use record add; you have no role. Nothing was done.')
    expect(await stateOf(id)).toBe('denied')
  })

  it('is nothing that somebody of another workspace may do', async () => {
    await submit({ ...review(await reviewing()), user: { id: 'UOLGA', team_id: 'T2' } })
    expect(ackText()).toContain('you have no role. Nothing was done.')
  })

  it('is refused to anybody but the person who asked', async () => {
    const id = await reviewing()
    await submit({ ...review(id), user: { id: 'UADA' } })
    expect(ackText()).toContain('so it was refused. Nothing was done.')
    expect(await stateOf(id)).toBe('draft')
    expect((await bench.record()).at(-1)).toBe('denied: The view names a change of somebody else.')
  })

  const lost = (sent: 'no' | 'maybe') => ({ kind: 'unreachable', reason: 'timeout', sent }) as const
  const BACK = '[Back to the form]'
  it.each<[string, CdnFailure | undefined, RegExp, boolean]>([
    ['Done', undefined, /^It was stored\.$/, false],
    ['Refused', { kind: 'rejected', status: 400 }, /^Refused by the CDN: nothing was changed\n/, true],
    ['Not sent', lost('no'), /nothing was/i, true],
    ['Unknown', lost('maybe'), /may or may not|Unknown|not known/i, false],
  ])(
    'says how it ended, in the channel and in the view, with a way back where nothing happened: %s',
    async (title, failure, said, leadsBack) => {
      if (failure !== undefined) bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', failure))
      await submit(review(await reviewing()))
      expect(bench.board.in('C1')).toEqual([expect.stringMatching(said)])
      const text = bench.read('views.update')
      expect([text.split('\n')[0], text.includes(BACK)]).toEqual([`═══ ${title} ═══`, leadsBack])
    },
  )

  it.each([
    [true, 'C1', 'COPS', 1],
    [false, 'C1', 'COPS', 0],
    [true, 'C2', 'C1', 0],
  ])(
    'answers a channel that the bot is not in through the address of the command, if there is one: %s',
    async (kept, refusing, posted, times) => {
      const id = await reviewing()
      if (kept) await bench.slack.responseAddresses.keep(id, 'https://slack.test/typed')
      bench.board.refusing.set(refusing, 'for good')
      await submit(review(id))
      expect(bench.board.in(posted)).toHaveLength(1)
      const answers = bench.calls.filter(({ method }) => method === 'respond').map(({ args }) => args)
      expect(answers).toMatchObject(
        Array.from({ length: times }, () => ({
          text: 'It was stored.',
          response_type: 'in_channel',
          replace_original: false,
        })),
      )
      for (const { blocks } of answers)
        expect(readText({ blocks: blocks as Message['blocks'] })).toBe(
          'It was stored.\nAsked by @UOLGA  CDN Ops is not in this channel: invite it with /invite, so that results stay here.',
        )
    },
  )

  it('is over also where that address does not take it', async () => {
    const id = await reviewing()
    await bench.slack.responseAddresses.keep(id, 'https://slack.test/typed')
    bench.board.refusing.set('C1', 'for good')
    bench.script.before = ({ method }) => {
      if (method === 'respond') throw new SlackError('respond', 'used_url')
    }
    await submit(review(id))
    expect(await stateOf(id)).toBe('done')
    expect(bench.log.map(({ sentence }) => sentence)).toEqual(['the channel of a change could not be answered'])
  })

  it('shows the result once Slack knows the view that it is for', async () => {
    let early = 2
    bench.script.before = ({ method }) => {
      if (method !== 'views.update' || early === 0) return
      early -= 1
      throw new SlackError('views.update', 'not_found')
    }
    await turnedUntilOver(submit(review(await reviewing())))
    expect(bench.calls.filter(({ method }) => method === 'views.update')).toHaveLength(3)
    expect(bench.log).toEqual([])
  })

  it('gives up on a view that was closed: the channel has the answer', async () => {
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError('views.update', 'not_found')
    }
    await turnedUntilOver(submit(review(await reviewing())))
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
    expect(bench.calls.filter(({ method }) => method === 'views.update')).toHaveLength(4)
    const fields = { reason: 'views.update: not_found' }
    expect(bench.log).toContainEqual({ level: 'info', sentence: 'a result view was not updated', fields })
  })
})

describe('a review that takes an approval', () => {
  const BILLED = { ...RECORD, billed: 'on' }
  const alone = (text: string) => ({ alone: { value: { type: 'plain_text_input', value: text } } })
  const submitted = (id: string, state: unknown) =>
    submit(submission(REVIEW_VIEW, writePlace({ change: id, step: 2 }), state))

  it('asks others in the operations channel, and shows that it waits', async () => {
    const id = await reviewing(BILLED)
    bench.acts.write = () => expect.unreachable('Nobody has approved it')
    await submitted(id, {})
    expect(ackText()).toContain('Others are being asked. It waits until')
    expect(await stateOf(id)).toBe('waiting')
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Waiting for approval/)])
  })

  it.each([['a longer reason than it takes', alone('x'.repeat(1_001))]])('refuses %s, on record', async (_, state) => {
    const id = await reviewing(BILLED)
    await submitted(id, state)
    expect(ackText()).toContain('so it was refused. Nothing was done.')
    expect(await stateOf(id)).toBe('draft')
    expect((await bench.record()).at(-1)).toBe('denied: It has a value that this view does not ask for.')
  })
})

describe('a review whose step Slack has not the patience for', () => {
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
    const submitted = submit(review(id))
    await committed.promise
    bench.clock.turn(2_000)
    await submitted
    expect(ackText()).toContain('took too long to be written down, so nothing was sent')
    const stopped = bench.slack.inFlight.drain(60_000)
    slow.resolve()
    expect(await stopped).toBe(true)
    expect(await stateOf(id)).toBe('cancelled')
    expect((await bench.record()).at(-1)).toMatch(/^cancelled: Slack gave up/)
  })
})

it('a step that came too late and cannot be taken back is in the log', async () => {
  const id = await reviewing()
  const committed = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const { changes } = bench.store
  const move = changes.move.bind(changes)
  changes.move = async (...step) => {
    changes.move = () => Promise.reject(new Error('locked'))
    const moved = await move(...step)
    committed.resolve()
    await slow.promise
    return moved
  }
  const submitted = submit(review(id))
  await committed.promise
  bench.clock.turn(2_000)
  await submitted
  slow.resolve()
  await bench.slack.inFlight.drain(60_000)
  expect(bench.log.at(-1)).toMatchObject({ level: 'error', sentence: 'what came too late for Slack went wrong' })
})

const DECISION =
  '═══ Too slow ═══\nThis takes long to be written down. Whether it was will show in the message about the change.\nIf that does not change in a minute, press the button again: it counts once.\n[Close]'
const WRITE =
  '═══ Too slow ═══\nThis took too long to be written down, so nothing was sent: what is written down still is taken back.\nLook at /cdn changes list before you ask again.\n[Close]'
it.each([
  ['approve', DECISION],
  ['decline', DECISION],
  ['review', WRITE],
  ['form', WRITE],
])('an answer that comes too late for Slack says only what cannot turn out wrong: %s', (kind, text) => {
  const late = answerLate(submission(kind, ''), '/cdn') as { readonly view: View }
  expect(readText(late.view)).toBe(text)
})

it('a page of a form that comes too late for Slack is led back to', () => {
  const late = answerLate(submission('form', writePlace({ change: 'c1', step: 1 })), '/cdn') as { readonly view: View }
  expect(readText(late.view)).toMatch(
    /^═══ Too slow ═══\n.* nothing was sent by this click\.\n.*\n\[Back to the form\]\n\[Done\]$/,
  )
})
