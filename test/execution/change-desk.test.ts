import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_OPEN_CHANGES_PER_PERSON } from '../../src/store/changes.ts'
import { actor, type Bench, createBench, RECORD, reviewed } from '../support/execution-bench.ts'
import { checkContext, invocationOf } from '../support/operation-context.ts'

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
    await expect(bench.desk.confirm(change.id, olga, checkContext())).rejects.toEqual(expired(/more than 10 minutes/))
    expect(await bench.record()).toEqual([])
  })

  it('has ten minutes anew with each page that is entered, so that a review can be confirmed for as long as it says', async () => {
    const { change, invocation } = await reviewed(bench)
    bench.clock.turn(PROMPT_MS - 1)
    await bench.desk.save(change, RECORD, invocation)
    bench.clock.turn(PROMPT_MS - 1)
    await bench.desk.confirm(change.id, olga, checkContext())
    expect(await stateOf(change.id)).toBe('approved')
  })

  it('is refused to somebody with twenty changes open', async () => {
    for (let open = 0; open < MAX_OPEN_CHANGES_PER_PERSON; open += 1) await bench.confirmed()
    await expect(reviewed(bench)).rejects.toMatchObject({
      code: 'busy',
      message: 'You have 20 changes open. Nothing was done.',
    })
  })

  it('cannot be saved any more once it is answered', async () => {
    const { change } = await bench.confirmed()
    await expect(bench.desk.save(change, {})).rejects.toEqual(expired(/answered already/))
    expect((await bench.store.changes.get(change.id))?.values).toEqual(RECORD)
  })
})

describe('confirming', () => {
  it('is on record before anything is sent', async () => {
    const { change, invocation, actor: by } = await bench.confirmed()
    expect(change.state).toBe('approved')
    expect(invocation.sentence).toBe('Add 192.0.2.10 to zone 301')
    expect(by).toEqual(olga)
    expect(await bench.record()).toEqual(['requested'])
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([
      { actor: olga.id, team: 'T1', changeId: change.id, operation: 'record add', summary: invocation.sentence },
    ])
  })

  it('works once: a second click hears that it was answered', async () => {
    const { change } = await reviewed(bench)
    const clicks = await Promise.allSettled([1, 2].map(() => bench.desk.confirm(change.id, olga, checkContext())))
    expect(clicks.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(bench.desk.confirm(change.id, olga, checkContext())).rejects.toEqual(expired(/it is approved/))
    expect(await bench.record()).toEqual(['requested'])
  })

  it('refuses when a name means another zone than it did in the review', async () => {
    const { change } = await reviewed(bench)
    const zones = [{ kind: 'dns', name: 'shop', zoneId: '666' }] as const
    await expect(bench.desk.confirm(change.id, olga, checkContext({ zones }))).rejects.toEqual(
      expired(/has changed since it was reviewed/),
    )
    expect(await stateOf(change.id)).toBe('draft')
  })

  it('refuses when a name is gone since, or values were changed behind the review', async () => {
    const { change } = await reviewed(bench)
    await expect(bench.desk.confirm(change.id, olga, checkContext({ zones: [] }))).rejects.toEqual(expired(/changed/))
    await bench.desk.save(change, { ...RECORD, value: '203.0.113.9' })
    await expect(bench.desk.confirm(change.id, olga, checkContext())).rejects.toEqual(expired(/changed/))
  })

  it('refuses a draft that no review was shown of', async () => {
    const change = await bench.desk.begin(bench.operation('record add'), RECORD, olga, 'C1')
    await expect(bench.desk.confirm(change.id, olga, checkContext())).rejects.toEqual(expired(/changed/))
  })

  it('takes a zone by its id where the review named it: what is done is the same', async () => {
    const values = { ...RECORD, zone: '301' }
    const invocation = invocationOf(bench.operation('record add'), RECORD)
    const change = await bench.desk.begin(invocation.operation, values, olga, 'C1', invocation)
    expect((await bench.desk.confirm(change.id, olga, checkContext())).change.state).toBe('approved')
  })

  it('ends the change, on record, when the role was lost since the review', async () => {
    const { change } = await reviewed(bench)
    const demoted = actor('viewer', olga.id)
    await expect(bench.desk.confirm(change.id, demoted, checkContext())).rejects.toMatchObject({
      code: 'not_permitted',
      message: expect.stringMatching(/needs the role operator; yours is viewer\. Nothing was done\.$/),
    })
    expect(await bench.store.changes.get(change.id)).toMatchObject({
      state: 'denied',
      values: { ...RECORD, variables: '••••' },
    })
    expect(await bench.record()).toEqual(['denied: record add needs the role operator; yours is viewer.'])
    expect(bench.counted).toEqual(['record add denied'])
  })

  it('ends it too when an admin who reviewed a billed write is only an operator now', async () => {
    const { change } = await reviewed(bench, { ...RECORD, billed: 'on' }, actor('admin', 'U1'))
    await expect(bench.desk.confirm(change.id, actor('operator', 'U1'), checkContext())).rejects.toMatchObject({
      code: 'not_permitted',
    })
    expect(await stateOf(change.id)).toBe('denied')
  })

  it('confirms nothing when the record cannot be written', async () => {
    const { change } = await reviewed(bench)
    await bench.store.close()
    await expect(bench.desk.confirm(change.id, olga, checkContext())).rejects.toMatchObject({ name: 'StoreError' })
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
    const { change } = await bench.confirmed()
    await bench.desk.close(change.id, olga.id)
    expect(await stateOf(change.id)).toBe('approved')
  })

  it('takes a confirmed one back, but not one that is being sent', async () => {
    const [first, second] = [await bench.confirmed(), await bench.confirmed()]
    await bench.desk.takeBack(first.change.id, olga.id, 'too slow')
    expect(await stateOf(first.change.id)).toBe('cancelled')
    let during: string | undefined
    bench.acts.write = async () => {
      await bench.desk.takeBack(second.change.id, olga.id, 'too slow')
      during = await stateOf(second.change.id)
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
