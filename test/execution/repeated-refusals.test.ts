import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/operations/role.ts'
import { createSqliteHarness, type SqliteHarness } from '../store/sqlite-harness.ts'
import { actor, type Bench, createBench, HeardConversation } from '../support/execution-bench.ts'
import { invocationOf } from '../support/operation-context.ts'

const MINUTE_MS = 60_000

let bench: Bench
let harness: SqliteHarness
beforeEach(async () => {
  harness = createSqliteHarness()
  bench = await createBench(harness)
})
afterEach(() => bench.close())

async function ask(name: string, by: Actor): Promise<readonly string[]> {
  const heard = new HeardConversation()
  await bench.executor.answer(invocationOf(bench.operation(name), {}), by, heard, { channelId: 'C1' })
  return heard.said
}
const entries = async () =>
  (await bench.store.audit.list({ limit: 100 }))
    .toReversed()
    .map(
      ({ actor: who, operation, detail = '' }) =>
        `${who} ${operation}: ${detail.replace(/^lines list needs.*/, 'first')}`,
    )

describe('refusals of somebody without a role', () => {
  const [nobody, other] = [actor('none', 'UNOBODY'), actor('none', 'UOTHER2')]

  it('are answered each time, and put on record as one and how many more there were in its minute', async () => {
    for (let n = 0; n < 120; n += 1) expect(await ask('lines list', nobody)).toHaveLength(1)
    expect(await entries()).toEqual(['UNOBODY lines list: first'])
    bench.clock.turn(MINUTE_MS)
    await expect.poll(entries).toEqual(['UNOBODY lines list: first', expect.stringMatching(/: Refused 119 more times/)])
    expect(bench.counted.filter((count) => count === 'lines list denied')).toHaveLength(120)
  })

  it('that go on for an hour make an entry a minute', async () => {
    for (let minute = 0; minute < 60; minute += 1) {
      for (let n = 0; n < 10; n += 1) await ask('lines list', nobody)
      bench.clock.turn(MINUTE_MS)
      await expect.poll(entries).toHaveLength(2 + minute)
    }
    expect((await entries()).at(-1)).toMatch(/Refused 10 more times/)
  })

  it('are counted for each person and each operation', async () => {
    for (let n = 0; n < 2; n += 1)
      for (const name of ['lines list', 'keys list']) for (const who of [nobody, other]) await ask(name, who)
    bench.clock.turn(MINUTE_MS)
    await expect.poll(entries).toHaveLength(8)
    expect((await entries()).slice(4)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/Refused once more/) as string),
    )
  })

  it('begin anew after a minute of quiet', async () => {
    await ask('lines list', nobody)
    bench.clock.turn(2 * MINUTE_MS)
    await ask('lines list', nobody)
    expect(await entries()).toEqual(['UNOBODY lines list: first', 'UNOBODY lines list: first'])
    expect(bench.clock.timers).toBe(1)
  })

  it('are written when the bot stops before the minute ends', async () => {
    for (let n = 0; n < 3; n += 1) await ask('lines list', nobody)
    await bench.store.close()
    const { audit } = await harness.open({ clock: bench.clock })
    expect(await audit.list({ limit: 1 })).toMatchObject([{ seq: 2, detail: 'Refused 2 more times within a minute.' }])
    expect(await audit.verify()).toMatchObject({ ok: true, entries: 2 })
  })
})

it('refusals of somebody with a role are each put on record', async () => {
  for (let n = 0; n < 5; n += 1) await ask('keys list', actor('viewer'))
  expect(await entries()).toHaveLength(5)
})
