import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { FORM_VIEW, REVIEW_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import { onViewClosed } from '../../src/slack/form-listener.ts'
import { onViewSubmission, type ViewAck } from '../../src/slack/view-listener.ts'
import { SlackError } from '../../src/slack/web-api.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { createSlackBench, type SlackBench, submission } from '../support/slack-bench.ts'
import { submittedState } from '../support/submitted-state.ts'

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

describe('confirming a review', () => {
  it('is acknowledged before the call, tells the channel and shows the result', async () => {
    const id = await reviewing()
    bench.acts.write = async () => {
      expect(acks).toHaveLength(1)
      return 'stored'
    }
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('Add 192.0.2.10 to zone 301: being sent …')
    expect(acks).toMatchObject([{ response_action: 'update', view: { external_id: `change-${id}` } }])
    expect(bench.said()).toEqual(['It was stored.'])
    expect(bench.calls.find(({ method }) => method === 'chat.postMessage')?.args['channel']).toBe('C1')
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
    expect(JSON.stringify(acks[1])).toContain('This has been answered already: it is done. Nothing was sent.')
  })

  it('takes back what was written down too late, and says that nothing was sent', async () => {
    const id = await reviewing()
    const asked = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    bench.acts.write = () => expect.unreachable('It was taken back')
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
    await expect.poll(() => stateOf(id)).toBe('cancelled')
    expect(await bench.record()).toEqual([
      'zone_added',
      'requested',
      expect.stringMatching(/^cancelled: Slack gave up/),
    ])
  })

  it('takes it back too when Slack cannot be told, since the person sees that it failed', async () => {
    const id = await reviewing()
    bench.acts.write = () => expect.unreachable('It was taken back')
    const lost = () => Promise.reject(new Error('the link was lost'))
    await expect(onViewSubmission(review(id), lost, bench.reception)).rejects.toThrow('the link was lost')
    expect(await stateOf(id)).toBe('cancelled')
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('it is cancelled. Nothing was sent.')
  })

  it('asks Slack anew who it is: a guest since the review sends nothing', async () => {
    const id = await reviewing()
    await bench.reception.actor('UOLGA')
    bench.script.profile = { is_restricted: true }
    bench.acts.write = () => expect.unreachable('A guest may not')
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('needs the role operator; yours is none. Nothing was done.')
    expect(await stateOf(id)).toBe('denied')
  })

  it('is refused to anybody but the person who asked', async () => {
    const id = await reviewing()
    await onViewSubmission({ ...review(id), user: { id: 'UADA' } }, ack, bench.reception)
    expect(ackText()).toContain('This form is not known any more. Nothing was sent.')
    expect(await stateOf(id)).toBe('draft')
  })

  it('says how it ended when the platform refused, in the channel and in the view', async () => {
    bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 400 }))
    await onViewSubmission(review(await reviewing()), ack, bench.reception)
    expect(bench.said()).toEqual([expect.stringMatching(/^Refused by the platform: nothing was changed\./)])
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
    expect(bench.said()).toEqual(['It was stored.'])
    expect(bench.log.map(({ sentence }) => sentence)).toContain('a result view was not updated')
  })

  it('does nothing, and says so, when the store fails', async () => {
    const id = await reviewing()
    await bench.store.close()
    await onViewSubmission(review(id), ack, bench.reception)
    expect(ackText()).toContain('without its record CDN Ops does not act')
  })
})

describe('a page of a form', () => {
  async function form(values = {}, by = olga, name = 'record add') {
    const operation = bench.operation(name)
    const change = await bench.desk.begin(operation, values, by, 'C1')
    const view = bench.reception.formOf(operation, 0, values, [], change.id, await bench.reception.zones())
    return { change, view, metadata: view.private_metadata ?? '', state: submittedState(view) }
  }

  it('names its own mistakes at the inputs and keeps the page', async () => {
    const { metadata, state } = await form({ zone: '301' })
    await onViewSubmission(submission(FORM_VIEW, metadata, state), ack, bench.reception)
    expect(acks).toMatchObject([{ response_action: 'errors' }])
    expect(ackText()).toContain('Value is needed.')
  })

  it('leads page by page to the review, which is what gets bound', async () => {
    const { change, metadata, state } = await form({ zone: '301', value: '192.0.2.10' })
    await onViewSubmission(submission(FORM_VIEW, metadata, state), ack, bench.reception)
    const second = writePlace({ change: change.id, step: 1 })
    await onViewSubmission(submission(FORM_VIEW, second), ack, bench.reception)
    expect(acks).toMatchObject([{ view: { callback_id: FORM_VIEW } }, { view: { callback_id: REVIEW_VIEW } }])
    expect(await bench.store.changes.get(change.id)).toMatchObject({ sentence: 'Add 192.0.2.10 to zone 301' })
    await onViewSubmission(review(change.id), ack, bench.reception)
    expect(bench.said()).toEqual(['It was stored.'])
  })

  it('of a write to the bot closes and is answered in the channel', async () => {
    const { metadata, state } = await form({ kind: 'dns' }, olga, 'name add')
    await onViewSubmission(submission(FORM_VIEW, metadata, state), ack, bench.reception)
    expect(acks).toEqual([undefined])
    expect(bench.said()).toEqual(['Three lines.'])
  })

  it('of what takes an approval closes with a refusal that names who may do it', async () => {
    const { change } = await form({ zone: '301', value: 'x', billed: 'on' })
    await onViewSubmission(submission(FORM_VIEW, writePlace({ change: change.id, step: 1 })), ack, bench.reception)
    expect(acks).toEqual([undefined])
    expect(bench.said()).toEqual([expect.stringMatching(/your role cannot start it alone\. Nothing was done\./)])
    expect(await bench.record()).toContainEqual(expect.stringMatching(/^denied: /))
  })

  it.each([
    ['its place is not ours', FORM_VIEW, '{"change":7}'],
    ['its place is no JSON', FORM_VIEW, 'hush'],
    ['its kind is unknown', 'notice', writePlace({ change: 'c1', step: 0 })],
  ])('is told to be too late when %s', async (_, callbackId, metadata) => {
    await onViewSubmission(submission(callbackId, metadata), ack, bench.reception)
    expect(ackText()).toContain('This form has expired or was answered already.')
    expect(bench.calls).toEqual([])
  })

  it.each([['text'], [{ block: null }], [{ block: { action: { type: 7 } } }], [[[]]]])(
    'with an odd state ends as a notice, never as silence: %j',
    async (state) => {
      const { metadata } = await form()
      await onViewSubmission(submission(FORM_VIEW, metadata, state), ack, bench.reception)
      expect(acks).toHaveLength(1)
      expect(ackText()).toMatch(/Nothing was done|is needed/)
    },
  )
})

describe('closing a view', () => {
  const closed = (id: string) =>
    onViewClosed('UOLGA', submission(REVIEW_VIEW, writePlace({ change: id, step: 2 })).view, bench.reception)

  it('ends the draft and erases its secret values, without asking Slack', async () => {
    const id = await reviewing()
    await closed(id)
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'cancelled', values: { variables: '••••' } })
    expect(bench.calls).toEqual([])
  })

  it('that cannot be put on record is logged, and the form still ends with its time', async () => {
    const id = await reviewing()
    await bench.store.close()
    await closed(id)
    expect(bench.log.map(({ sentence }) => sentence)).toEqual(['a closed form could not be ended'])
  })
})
