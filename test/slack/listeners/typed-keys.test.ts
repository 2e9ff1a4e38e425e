import { formView } from '../../../src/slack/form/form-view.ts'
import { describe, expect, it } from 'vitest'
import { DECLINE_VIEW, FORM_VIEW, REVIEW_VIEW, writePlace } from '../../../src/slack/form/form-place.ts'
import { ALONE_BLOCK, DECLINE_BLOCK, MAX_REASON_CHARACTERS } from '../../../src/slack/form/review-view.ts'
import { refuseEcho, refuseKeys } from '../../../src/slack/listeners/typed-keys.ts'
import { keyShapes } from '../../fixtures/key-shapes.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { deliver, TYPED_READ } from '../../support/recording-app.ts'
import { newTrigger, submission, useSlackBench } from '../../support/slack-bench.ts'
import { submittedState } from '../../support/submitted-state.ts'

const bench = useSlackBench()

const SHAPES = keyShapes('typed')
const OLGA = actor('operator', 'UOLGA')
/** More than a form takes in one line. */
const MAX_ENTERED = 3_000
const ROTATE = /looks like a key or a password[\s\S]*make a new one/
let acknowledgements = 0

async function types(text: string): Promise<void> {
  const payload = { ...TYPED_READ, text, user_id: 'UOLGA', trigger_id: newTrigger() }
  await deliver(bench.slack, 'command', payload, async () => void (acknowledgements += 1))
}

async function mentions(text: string): Promise<void> {
  const event = { type: 'app_mention', channel: 'C1', user: 'UOLGA', team: 'T1', ts: '1.1', text: `<@UBOT> ${text}` }
  await deliver(bench.slack, 'app_mention', event)
}

/** All that left, and all that was put on record. */
async function kept(): Promise<string> {
  return JSON.stringify([bench.calls, await bench.store.audit.list({ limit: 100 })])
}

/** No eight characters of it in a row but those that keys of its kind have in common. */
function piecesOf(value: string): readonly string[] {
  return [value.slice(-8), value.slice(-16, -8)]
}

describe('a key that somebody types', () => {
  it.each(SHAPES)('instead of an operation is not repeated, and to be made anew: $kind', async ({ value }) => {
    await types(value)
    await types(`rotate ${value} now`)
    expect(bench.said()).toEqual([expect.stringMatching(ROTATE), expect.stringMatching(ROTATE)])
    const all = await kept()
    for (const piece of piecesOf(value)) expect(all).not.toContain(piece)
    expect(all).toContain('A key or password was typed')
  })

  it.each(SHAPES)(
    'after an operation, as its value or too much, is not repeated either: $kind',
    async ({ kind, value }) => {
      await types(`lines list ${value}`)
      await types(`lines list --token ${value}`)
      // What only chance gives away is not looked for among values, where ids and the like belong.
      if (kind !== 'random') expect(bench.said().at(-1)).toMatch(ROTATE)
      const all = await kept()
      for (const piece of piecesOf(value)) expect(all).not.toContain(piece)
    },
  )

  it.each(SHAPES)('in a mention, which all can read, is not repeated: $kind', async ({ value }) => {
    await mentions(value)
    const all = await kept()
    for (const piece of piecesOf(value)) expect(all).not.toContain(piece)
    expect(all).toMatch(ROTATE)
  })

  it.each(SHAPES.filter(({ kind }) => kind !== 'random'))(
    'in a mention, as a value of what is asked, is refused and not used: $kind',
    async ({ value }) => {
      bench.acts.read = () => expect.unreachable('It was used')
      await mentions(`lines list ${value}`)
      expect(bench.said()).toEqual([expect.stringMatching(ROTATE)])
      const all = await kept()
      for (const piece of piecesOf(value)) expect(all).not.toContain(piece)
      expect(all).toContain('A key or password was typed')
    },
  )

  it.each(SHAPES.filter(({ kind }) => kind === 'random'))(
    'in a mention may look like one by chance among values, where ids and the like belong: $kind',
    async ({ value }) => {
      await mentions(`lines list ${value}`)
      expect(bench.said()).toEqual(['Three lines.'])
    },
  )

  it.each(SHAPES.filter(({ kind }) => kind !== 'random'))('in a form is not kept: $kind', async ({ value }) => {
    const change = await bench.changes.begin(bench.operation('record add'), { zone: '301' }, OLGA, 'C1')
    const entered = { zone: '301', value: value.slice(0, MAX_ENTERED) }
    const operation = bench.operation('record add')
    const page = { operation, step: 0, values: entered, change, zones: [] }
    const view = formView(page)
    const acks: unknown[] = []
    const ack = async (answer: unknown): Promise<void> => void acks.push(answer)
    await deliver(
      bench.slack,
      'view_submission',
      submission(FORM_VIEW, view.private_metadata ?? '', submittedState(view)),
      ack,
    )
    const all = JSON.stringify([acks, await bench.store.changes.get(change.id)]) + (await kept())
    for (const piece of piecesOf(value)) expect(all).not.toContain(piece)
    expect(all).toMatch(ROTATE)
  })

  it.each(SHAPES.filter(({ kind }) => kind !== 'random'))(
    'as a reason, which others are shown, is neither kept nor shown: $kind',
    async ({ value }) => {
      const { change } = await reviewed(bench, { ...RECORD, billed: 'on' }, OLGA)
      const entered = { value: { type: 'plain_text_input', value: value.slice(0, MAX_REASON_CHARACTERS) } }
      const acks: unknown[] = []
      const submit = (kind: string, block: string, user: string) => {
        const page = submission(kind, writePlace({ change: change.id, step: 0 }), { [block]: entered }, user)
        return deliver(bench.slack, 'view_submission', page, async (answer) => void acks.push(answer))
      }
      await submit(REVIEW_VIEW, ALONE_BLOCK, 'UOLGA')
      await bench.changes.submit(change.id, OLGA)
      await submit(DECLINE_VIEW, DECLINE_BLOCK, 'UOTTO')
      expect(await bench.store.changes.get(change.id)).toMatchObject({ state: 'waiting' })
      const all = JSON.stringify([acks, await bench.store.changes.get(change.id)]) + (await kept())
      for (const piece of piecesOf(value)) expect(all).not.toContain(piece)
      expect(acks.map((answer) => ROTATE.test(JSON.stringify(answer)))).toEqual([true, true])
    },
  )

  it('is acknowledged as every command is', async () => {
    acknowledgements = 0
    await types(SHAPES[0]?.value ?? '')
    expect(acknowledgements).toBe(1)
  })
})

describe('a value that is meant to be secret', () => {
  const operation = { name: 'x add', fields: { hidden: { secret: true }, shown: { secret: false } } } as never // no more is read of it

  it('may be a key, but not one of the program’s own', () => {
    const [{ value } = { value: '' }] = SHAPES
    const none = (): boolean => false
    expect(() => refuseKeys(operation, { hidden: [`TOKEN=${value}`], shown: 'a name' }, none)).not.toThrow()
    expect(() => refuseKeys(operation, { shown: ['a', value] }, none)).toThrow('looks like a key')
    expect(() => refuseKeys(operation, { hidden: 'own' }, (text) => text === 'own')).toThrow('looks like a key')
    expect(() => refuseEcho(['own'], (text) => text === 'own')).toThrow('looks like a key')
  })
})
