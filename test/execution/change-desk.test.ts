import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_OPEN_CHANGES_PER_PERSON } from '../../src/store/changes.ts'
import { actor, type Bench, createBench, RECORD, reviewed } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const olga = actor('operator')
const PROMPT_MS = 10 * 60_000
const expired = (sentence: RegExp) =>
  expect.objectContaining({ code: 'expired', message: expect.stringMatching(sentence), hint: 'Ask again.' })
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

describe('a draft', () => {
  it('belongs to the person who began it', async () => {
    const { change } = await reviewed(bench)
    expect(await bench.desk.draft(change.id, olga)).toMatchObject({ id: change.id, values: RECORD })
    await expect(bench.desk.draft(change.id, actor('admin'))).rejects.toEqual(expired(/not known any more/))
    await expect(bench.desk.draft('0'.repeat(32), olga)).rejects.toEqual(expired(/not known any more/))
  })

  it('ends after ten minutes, to the moment', async () => {
    const { change } = await reviewed(bench)
    bench.clock.turn(PROMPT_MS - 1)
    expect(await bench.desk.draft(change.id, olga)).toMatchObject({ state: 'draft' })
    bench.clock.turn(1)
    await expect(bench.desk.draft(change.id, olga)).rejects.toEqual(expired(/more than 10 minutes/))
    await expect(bench.desk.submit(change.id, olga)).rejects.toEqual(expired(/more than 10 minutes/))
    expect(await bench.record()).toEqual([])
  })

  it('has ten minutes anew with each page that is entered, so that a review can be confirmed for as long as it says', async () => {
    const { change } = await reviewed(bench)
    bench.clock.turn(PROMPT_MS - 1)
    await bench.desk.review(change, RECORD, olga)
    bench.clock.turn(PROMPT_MS - 1)
    await bench.desk.submit(change.id, olga)
    expect(await stateOf(change.id)).toBe('approved')
  })

  it('is refused to somebody with twenty changes open', async () => {
    for (let open = 0; open < MAX_OPEN_CHANGES_PER_PERSON; open += 1) await bench.confirmed()
    await expect(reviewed(bench)).rejects.toMatchObject({
      code: 'busy',
      message: 'You have 20 changes open. Nothing was done.',
      hint: 'See /cdn changes list --mine, and let some of them end first.',
    })
  })

  it('cannot be saved any more once it is answered', async () => {
    const change = await bench.confirmed()
    await expect(bench.desk.save(change, {})).rejects.toEqual(expired(/answered already/))
    expect((await bench.store.changes.get(change.id))?.values).toEqual(RECORD)
  })
})

describe('ending a change of which nothing was sent', () => {
  it('erases secret values, and says who did it and why', async () => {
    const { change } = await reviewed(bench)
    await bench.desk.close(change.id, olga.id)
    expect(await bench.store.changes.get(change.id)).toMatchObject({
      state: 'cancelled',
      values: { ...RECORD, variables: '••••' },
      outcome: 'closed without being sent',
    })
    expect(await bench.record()).toEqual(['cancelled: closed without being sent'])
  })

  it('records a form that was never filled in, and one whose sentence is too long for the record', async () => {
    const empty = await bench.desk.begin(bench.operation('record add'), {}, olga, 'C1')
    await bench.desk.close(empty.id, olga.id)
    const long = await reviewed(bench, { ...RECORD, value: 'x'.repeat(2_999) })
    await bench.desk.close(long.change.id, olga.id)
    const [newest, oldest] = await bench.store.audit.list({ limit: 2 })
    expect(oldest?.summary).toBe('record add, not filled in')
    expect(newest?.summary).toMatch(/^Add x{1000,}…$/)
  })

  it('lets a confirmed one go on when its view is closed', async () => {
    const change = await bench.confirmed()
    await bench.desk.close(change.id, olga.id)
    expect(await stateOf(change.id)).toBe('approved')
  })

  it('takes a confirmed one back, but not one that is being sent', async () => {
    const [first, second] = [await bench.confirmed(), await bench.confirmed()]
    await bench.desk.takeBack(first.id, olga.id, 'too slow')
    expect(await stateOf(first.id)).toBe('cancelled')
    let during: string | undefined
    bench.acts.write = async () => {
      await bench.desk.takeBack(second.id, olga.id, 'too slow')
      during = await stateOf(second.id)
      return 'stored'
    }
    expect((await bench.sender.send(second)).outcome).toBe('done')
    expect(during).toBe('sending')
  })

  it('is for its owner alone', async () => {
    const { change } = await reviewed(bench)
    await bench.desk.close(change.id, 'UOTHER')
    expect(await stateOf(change.id)).toBe('draft')
    expect(await bench.record()).toEqual([])
  })
})
