import { describe, expect, it, afterEach, beforeEach } from 'vitest'
import { refusal } from '../../src/execution/requests/refusals.ts'
import type { Actor, Decision } from '../../src/operations/declaration/role.ts'
import { actor, ask, type Bench, createBench } from '../support/execution-bench.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

const denied = {
  kind: 'deny',
  reason: 'Only operators and admins can use keys list; you are a viewer.',
  neededRole: 'operator',
} as const
const approve = { kind: 'approve', reason: 'It takes somebody else.' } as const
const ASKS = '"value":"keys list"'
const drawn = (...[decision, who, admins]: [Decision, Actor, readonly string[]]) => {
  const { text, blocks } = refusal(decision, who, admins, 'keys list')
  return { text, shown: JSON.stringify(blocks) }
}

describe('a refusal', () => {
  it('says why, that nothing was done, and whom a button asks', () => {
    const { text, shown } = drawn(denied, actor('viewer'), ['UADA', 'UBEN'])
    expect(text).toBe(`${denied.reason} Nothing was done.`)
    expect(shown).toContain('An admin can help: <@UADA>, <@UBEN>')
    expect(shown).toContain(ASKS)
  })

  it('has no button where it is no want of a role, or nobody could give one', () => {
    const { neededRole: _, ...byRule } = denied
    expect(drawn(byRule, actor('operator'), ['UADA']).shown).not.toContain(ASKS)
    expect(drawn(denied, actor('viewer'), []).shown).not.toContain(ASKS)
    expect(drawn(denied, { ...actor('none'), barred: true }, ['UADA']).shown).not.toContain(ASKS)
  })

  it('sends those to nobody who can have no role', () => {
    const { shown } = drawn(denied, { ...actor('none', 'U77'), barred: true }, ['UADA'])
    expect(shown).toContain('so nobody can give you one.')
    expect(shown).not.toMatch(/UADA|can help/)
  })

  it('says when Slack is silent about a user group', () => {
    const unsure = 'Slack has not said who is in it'
    expect(drawn(denied, { ...actor('none'), unsure }, ['UADA']).shown).toContain(unsure)
  })

  it('names who may do what takes an approval', () => {
    const { text, shown } = drawn(approve, actor('operator'), ['UADA'])
    expect(text).toBe('This costs money, so you cannot start it alone. Nothing was done.')
    expect(shown).toContain('An admin may do it: <@UADA>')
  })

  it('mentions five people at most, since each is notified', () => {
    const admins = Array.from({ length: 8 }, (_, index) => `UADA${index}`)
    const { shown } = drawn(denied, actor('viewer'), admins)
    expect(shown.match(/<@UA/g)).toHaveLength(5)
    expect(shown).toContain('and 3 more')
  })

  it('says which setting is missing when there is no admin', () => {
    expect(drawn(denied, actor('viewer', 'U77'), []).shown).toMatch(/`U77`, your Slack id, into ADMINS/)
  })
})

const MINUTE_MS = 60_000
let bench: Bench
const harness = forEachTest(createSqliteHarness)
beforeEach(async () => {
  bench = await createBench({ harness })
})
afterEach(() => bench.close())
const entries = async () =>
  (await bench.store.audit.list({ limit: 100 }))
    .toReversed()
    .map(
      ({ actor: who, operation, detail = '' }) =>
        `${who} ${operation}: ${detail.replace(/^Only people with a role can use lines list.*/, 'first')}`,
    )

describe('refusals of somebody without a role', () => {
  const [nobody, other] = [actor('none', 'UNOBODY'), actor('none', 'UOTHER2')]

  it('are answered each time, and put on record as one and how many more there were in its minute', async () => {
    for (let n = 0; n < 120; n += 1) expect(await ask(bench, 'lines list', nobody)).toHaveLength(1)
    expect(await entries()).toEqual(['UNOBODY lines list: first'])
    bench.clock.turn(MINUTE_MS)
    await expect.poll(entries).toEqual(['UNOBODY lines list: first', expect.stringMatching(/: Refused 119 more times/)])
    expect(bench.counted.filter((count) => count === 'lines list denied')).toHaveLength(120)
  })

  it('that go on make an entry a minute', async () => {
    for (let minute = 0; minute < 10; minute += 1) {
      for (let n = 0; n < 10; n += 1) await ask(bench, 'lines list', nobody)
      bench.clock.turn(MINUTE_MS)
      await expect.poll(entries).toHaveLength(2 + minute)
    }
    expect((await entries()).at(-1)).toMatch(/Refused 10 more times/)
  })

  it('are counted for each person and each operation', async () => {
    for (let n = 0; n < 2; n += 1)
      for (const name of ['lines list', 'keys list']) for (const who of [nobody, other]) await ask(bench, name, who)
    bench.clock.turn(MINUTE_MS)
    await expect.poll(entries).toHaveLength(8)
    expect((await entries()).slice(4)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/Refused once more/) as string),
    )
  })

  it('begin anew after a minute of quiet', async () => {
    await ask(bench, 'lines list', nobody)
    bench.clock.turn(2 * MINUTE_MS)
    await ask(bench, 'lines list', nobody)
    expect(await entries()).toEqual(['UNOBODY lines list: first', 'UNOBODY lines list: first'])
    expect(bench.clock.timers).toBe(1)
  })

  it('are written when the bot stops before the minute ends', async () => {
    for (let n = 0; n < 3; n += 1) await ask(bench, 'lines list', nobody)
    await bench.store.close()
    const { audit } = await harness.open({ clock: bench.clock })
    expect(await audit.list({ limit: 1 })).toMatchObject([{ seq: 2, detail: 'Refused 2 more times within a minute.' }])
    expect(await audit.verify()).toMatchObject({ ok: true, entries: 2 })
  })
})

it('refusals of somebody with a role are each put on record', async () => {
  for (let n = 0; n < 5; n += 1) await ask(bench, 'keys list', actor('viewer'))
  expect(await entries()).toHaveLength(5)
})
