import { describe, expect, it } from 'vitest'
import { withButtons } from '../../../src/execution/requests/answer-buttons.ts'
import type { Message } from '../../../src/block-kit/message.ts'
import type { Answer } from '../../../src/operations/declaration/answer.ts'
import type { Answers } from '../../../src/store/answers.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { actor, useBench } from '../../support/execution-bench.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { invocationOf, NOW } from '../../support/operation-context.ts'
import { recordingLog } from '../../support/recording-log.ts'

const bench = useBench()

const page = (label: string): NonNullable<Answer['buttons']>[number] => ({
  kind: 'page',
  label,
  values: { page: label },
})
const vera = actor('viewer')

async function shown(answer: Answer, operation = 'lines list', put?: Answers['put']) {
  const { log, lines } = recordingLog()
  const invocation = invocationOf(bench.operation(operation), operation === 'name add' ? { kind: 'dns' } : {})
  const answers = put === undefined ? bench.store.answers : { put }
  const place = { invocation, actor: vera, channelId: 'C1' }
  const message = await withButtons(answer, place, { store: { answers }, clock: bench.clock, log })
  const buttons = message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
  return {
    message,
    lines,
    buttons: buttons.map((button) => {
      if (button.type !== 'button') throw new Error('Only buttons are expected')
      return { label: button.text.text, id: button.value ?? '', action: button.action_id }
    }),
  }
}

describe('buttons under an answer', () => {
  it('carry an id alone; what they do is kept in one write for the person and place', async () => {
    const writes: number[] = []
    const put: Answers['put'] = async (...kept) => {
      writes.push(kept.length)
      return bench.store.answers.put(...kept)
    }
    const { buttons } = await shown({ ...plainAnswer('Lines.'), buttons: [page('Older')] }, 'lines list', put)
    expect(writes).toEqual([2])
    expect(buttons.map(({ label, action }) => `${label} ${action}`)).toEqual([
      'Older answer:page:0',
      'Share in channel answer:share',
    ])
    expect(await bench.store.answers.get(buttons[0]!.id, NOW)).toMatchObject({
      kind: 'page',
      operation: 'lines list',
      values: { page: 'Older' },
      actorId: vera.id,
      channelId: 'C1',
    })
    expect(await bench.store.answers.get(buttons[1]!.id, NOW)).toMatchObject({
      kind: 'share',
      operation: 'lines list',
      actorId: vera.id,
      team: 'T1',
      channelId: 'C1',
      message: { text: 'Lines.' },
    })
  })

  it('say by their action that what is shown stays', async () => {
    const { buttons } = await shown({
      ...plainAnswer('Lines.'),
      buttons: [{ kind: 'page', label: 'Shop', values: {}, beside: true }],
    })
    expect(buttons[0]).toMatchObject({ label: 'Shop', action: 'answer:page:0:beside' })
  })

  it('have the one that asks for access beside them, which needs no place in the store', async () => {
    const put = async () => Promise.reject(new StoreError('other', ''))
    const { buttons } = await shown({ ...plainAnswer('None.'), access: 'dns add' }, 'lines list', put)
    expect(buttons).toEqual([{ label: 'Ask for access', id: 'dns add', action: 'access:ask' }])
  })

  it('are absent where there are none and nothing may be shared', async () => {
    const { message } = await shown(plainAnswer('Named.'), 'name add')
    expect(message).toEqual(plainAnswer('Named.').message)
  })

  it('are at most six, Share among them', async () => {
    const { buttons } = await shown({ ...plainAnswer('Lines.'), buttons: ['a', 'b', 'c', 'd', 'e', 'f'].map(page) })
    expect(buttons.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e', 'Share in channel'])
  })

  it('stand under the details, too, as many as Slack takes, and are the same person’s', async () => {
    const forms = Array.from({ length: 30 }, (_, index) => {
      return { kind: 'form', label: `Change ${index}`, operation: 'name add', values: { kind: 'dns' } } as const
    })
    const more = { kind: 'more', label: 'All', message: plainAnswer('All of it.').message, buttons: forms } as const
    const { buttons } = await shown({ ...plainAnswer('Some.'), buttons: [more] })
    const kept = await bench.store.answers.get(buttons[0]!.id, NOW)
    const message = kept?.message as Message
    const inside = message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
    expect(inside).toHaveLength(25)
    const [first] = inside.map((element) => ('value' in element ? (element.value ?? '') : ''))
    expect(await bench.store.answers.get(first ?? '', NOW)).toMatchObject({
      kind: 'form',
      operation: 'name add',
      values: { kind: 'dns' },
      actorId: vera.id,
      channelId: 'C1',
    })
  })

  it('keep the details of a write for a week, and all else for half an hour', async () => {
    const more = { kind: 'more', label: 'More', message: plainAnswer('All of it.').message } as const
    const { buttons } = await shown({ ...plainAnswer('Done.'), buttons: [more, page('Undo')] }, 'name add')
    const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
    expect(await bench.store.answers.get(buttons[0]!.id, later(7 * 1_440 - 1))).toMatchObject({ operation: 'name add' })
    expect(await bench.store.answers.get(buttons[0]!.id, later(7 * 1_440 + 1))).toBeUndefined()
    expect(await bench.store.answers.get(buttons[1]!.id, later(29))).toBeDefined()
    expect(await bench.store.answers.get(buttons[1]!.id, later(31))).toBeUndefined()
  })

  it('lose only the one whose message is too large to keep', async () => {
    const large = plainAnswer('Short.')
    const blocks = Array.from({ length: 30 }, () => ({
      type: 'section',
      text: { type: 'mrkdwn', text: 'x'.repeat(2_900) },
    }))
    const more = { kind: 'more', label: 'More', message: { ...large.message, blocks: blocks as never } } as const
    const { message, buttons, lines } = await shown({ ...large, buttons: [more, page('Older')] })
    expect(message.text).toBe('Short.')
    expect(buttons.map(({ label }) => label)).toEqual(['Older', 'Share in channel'])
    expect(lines.map(({ sentence }) => sentence)).toEqual(['a button is left out: its message is too large'])
  })

  it('are left out when the store fails, which is asked only once, and the answer is shown', async () => {
    let asked = 0
    const put = () => ((asked += 1), Promise.reject(new StoreError('locked')))
    const { message, lines } = await shown({ ...plainAnswer('Lines.'), buttons: [page('Older')] }, 'lines list', put)
    expect(message).toEqual(plainAnswer('Lines.').message)
    expect(asked).toBe(1)
    expect(lines).toHaveLength(1)
  })
})
