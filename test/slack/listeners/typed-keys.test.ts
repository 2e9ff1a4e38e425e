import { formView } from '../../../src/slack/form/form-view.ts'
import { describe, expect, it } from 'vitest'
import { DECLINE_VIEW, FORM_VIEW, REVIEW_VIEW, writePlace } from '../../../src/slack/form/form-place.ts'
import { ALONE_BLOCK, DECLINE_BLOCK, MAX_REASON_CHARACTERS } from '../../../src/slack/form/review-view.ts'
import { refuseEcho, refuseKeys } from '../../../src/slack/listeners/typed-keys.ts'
import { type KeyShape, keyShapes } from '../../fixtures/key-shapes.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { deliver, TYPED_READ } from '../../support/recording-app.ts'
import { newTrigger, submission, useSlackBench } from '../../support/slack-bench.ts'
import { submittedState } from '../../support/submitted-state.ts'

const bench = useSlackBench()

const SHAPES = keyShapes('typed')
/** Thirty letters and digits, as ids are. */
const CHANCE = 'random'
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

/** No eight characters of it in a row but those that keys of its kind have in common. */
function piecesOf({ value }: Pick<KeyShape, 'value'>): readonly string[] {
  return [value.slice(-8), value.slice(-16, -8)]
}

describe('a key that somebody types', () => {
  /** Every kind of key in turn, each a while after the other, as nobody may ask for much at once; then nothing has any piece of any. */
  async function eachKey(work: (key: KeyShape, said: () => readonly string[]) => Promise<unknown>): Promise<string> {
    for (const key of SHAPES) {
      const before = bench.said().length
      await work(key, () => bench.said().slice(before))
      bench.clock.turn(10_000)
    }
    const all = JSON.stringify([bench.calls, await bench.store.audit.list({ limit: 1_000 })])
    expect(SHAPES.flatMap(piecesOf).filter((piece) => all.includes(piece))).toEqual([])
    return all
  }

  it('instead of an operation is not repeated, and to be made anew', async () => {
    const all = await eachKey(async ({ kind, value }, said) => {
      await types(value)
      await types(`rotate ${value} now`)
      expect([kind, ...said()]).toEqual([kind, expect.stringMatching(ROTATE), expect.stringMatching(ROTATE)])
    })
    expect(all.split('A key or password was typed').length).toBeGreaterThan(2 * SHAPES.length)
  })

  // What only chance gives away is not looked for among values, where ids and the like belong.
  it('after an operation, as its value or too much, is not repeated either', async () => {
    const unrefused: string[] = []
    await eachKey(async ({ kind, value }, said) => {
      await types(`lines list ${value}`)
      await types(`lines list --token ${value}`)
      if (!ROTATE.test(said().at(-1) ?? '')) unrefused.push(kind)
    })
    expect(unrefused).toEqual([CHANCE])
  })

  it('in a mention, which all can read, is not repeated', async () => {
    await eachKey(async ({ kind, value }, said) => {
      await mentions(value)
      expect([kind, ...said()]).toEqual([kind, expect.stringMatching(ROTATE)])
    })
  })

  it('in a mention, as a value of what is asked, is refused and not used, but for what only looks like one by chance', async () => {
    const used: string[] = []
    let current = ''
    bench.acts.read = async () => {
      used.push(current)
      return plainAnswer('Three lines.')
    }
    const all = await eachKey(async ({ kind, value }, said) => {
      current = kind
      await mentions(`lines list ${value}`)
      expect([kind, ...said()]).toEqual([kind, kind === CHANCE ? 'Three lines.' : expect.stringMatching(ROTATE)])
    })
    expect(used).toEqual([CHANCE])
    expect(all.split('A key or password was typed').length).toBeGreaterThanOrEqual(SHAPES.length)
  })

  it('in a form is not kept', async () => {
    const operation = bench.operation('record add')
    await eachKey(async ({ kind, value }) => {
      if (kind === CHANCE) return
      const change = await bench.changes.begin(operation, { zone: '301' }, OLGA, 'C1')
      const entered = { zone: '301', value: value.slice(0, MAX_ENTERED) }
      const view = formView({ operation, step: 0, values: entered, change, zones: [] })
      const acks: unknown[] = []
      const page = submission(FORM_VIEW, view.private_metadata ?? '', submittedState(view))
      await deliver(bench.slack, 'view_submission', page, async (answer) => void acks.push(answer))
      const all = JSON.stringify([kind, acks, await bench.store.changes.get(change.id)])
      for (const piece of piecesOf({ value })) expect(all).not.toContain(piece)
      expect(all).toMatch(ROTATE)
    })
  })

  it('as a reason, which others are shown, is neither kept nor shown', async () => {
    const { change } = await reviewed(bench, { ...RECORD, billed: 'on' }, OLGA)
    const eachReason = (kind: string, block: string, user: string) =>
      eachKey(async ({ kind: key, value }) => {
        if (key === CHANCE) return
        const entered = { value: { type: 'plain_text_input', value: value.slice(0, MAX_REASON_CHARACTERS) } }
        const page = submission(kind, writePlace({ change: change.id, step: 0 }), { [block]: entered }, user)
        const acks: unknown[] = []
        await deliver(bench.slack, 'view_submission', page, async (answer) => void acks.push(answer))
        const all = JSON.stringify([key, acks, await bench.store.changes.get(change.id)])
        for (const piece of piecesOf({ value })) expect(all).not.toContain(piece)
        expect(all).toMatch(ROTATE)
      })
    await eachReason(REVIEW_VIEW, ALONE_BLOCK, 'UOLGA')
    await bench.changes.submit(change.id, OLGA)
    await eachReason(DECLINE_VIEW, DECLINE_BLOCK, 'UOTTO')
    expect(await bench.store.changes.get(change.id)).toMatchObject({ state: 'waiting' })
  })

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
