import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChangeAnnouncer } from '../../../src/execution/changes/change-announcer.ts'
import {
  createPostgresDatabase,
  type PostgresDatabase,
  type PostgresHarness,
  whyNoPostgres,
} from '../../store/postgres-harness.ts'
import { actor, type Bench, createBench } from '../../support/execution-bench.ts'

const reason = await whyNoPostgres()
if (reason !== undefined) process.stderr.write(`Skipped, ${reason}\n`)

/** Two processes over one PostgreSQL database, which come to the message about a change at the same moment. */
describe.skipIf(reason !== undefined)('two processes', () => {
  let database: PostgresDatabase
  let harness: PostgresHarness
  let bench: Bench
  /** The announcer of the second process. */
  let another: ChangeAnnouncer
  beforeAll(async () => {
    database = await createPostgresDatabase()
  })
  beforeEach(async () => {
    harness = await database.harness()
    bench = await createBench({ harness })
    const store = await harness.open({ clock: bench.clock })
    another = new ChangeAnnouncer({ ...bench.services, store })
  })
  afterEach(() => bench.close())
  afterAll(() => database.drop())

  const places = () => bench.board.posted.map(({ channel }) => channel)
  const shown = async (id: string) => {
    const { revision, shownRevision } = (await bench.store.changes.get(id))!
    return shownRevision === revision
  }
  /** The first process posts, and Slack has not answered yet. */
  async function posting(id: string): Promise<() => Promise<unknown>> {
    const [reached, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bench.board.before = () => {
      bench.board.before = () => undefined
      reached.resolve()
      return answer.promise
    }
    const announced = bench.announcer.announce(id)
    await reached.promise
    return async () => {
      answer.resolve()
      return announced
    }
  }

  /** Lets time pass, a tenth of a second at a time, until it has ended. */
  async function turnUntil<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const ended = work.finally(() => (isOver = true))
    const look = () => {
      if (!isOver) bench.clock.turn(100)
      return isOver
    }
    await expect.poll(look, { interval: 5 }).toBe(true)
    return ended
  }

  it('post one message, whoever comes to it while it is on its way', async () => {
    const { id } = await bench.waiting()
    const answered = await posting(id)
    await another.announceAll()
    expect(await answered()).toEqual({ channel: 'COPS', ts: '1.0' })
    expect(await another.announce(id)).toEqual({ channel: 'COPS', ts: '1.0' })
    expect(places()).toEqual(['COPS'])
  })

  it('both know where it stands, at once for one that posts and soon for one that comes meanwhile', async () => {
    const { id } = await bench.waiting()
    const answered = await posting(id)
    const beganMs = bench.clock.monotonicMs()
    const place = turnUntil(another.announce(id, 10_000))
    // It has looked, and found none, by then.
    await expect.poll(() => bench.clock.monotonicMs()).toBeGreaterThan(beganMs + 2_000)
    await answered()
    expect(await place).toEqual({ channel: 'COPS', ts: '1.0' })
    expect(places()).toEqual(['COPS'])
  })

  it('wait for the place as long as they were told, and no longer', async () => {
    const { id } = await bench.waiting()
    await posting(id)
    const beganMs = bench.clock.monotonicMs()
    expect(await another.announce(id)).toBeUndefined()
    expect(bench.clock.monotonicMs()).toBe(beganMs)
    expect(await turnUntil(another.announce(id, 10_000))).toBeUndefined()
    expect(bench.clock.monotonicMs() - beganMs).toBeLessThan(11_000)
  })

  it('end with what is true, though one of them took the step while the other one posted', async () => {
    const { id } = await bench.waiting()
    const answered = await posting(id)
    await bench.approvals.cancel(id, actor('operator'))
    await another.announce(id)
    await answered()
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Cancelled/)])
    expect(await shown(id)).toBe(true)
  })

  it('end with all that the platform answered, though one of them was still saying that it is being sent', async () => {
    const { id } = await bench.confirmed()
    await bench.announcer.announce(id)
    const now = bench.clock.now()
    const entry = { at: now, actor: 'x', team: 'T1', operation: 'record add', summary: 's' } as const
    const lease = { holder: 'this process', durationMs: 60_000 }
    const { changes } = bench.store
    await changes.move(id, { from: ['approved'], to: 'sending', lease, now, audit: { ...entry, event: 'sending' } })
    const answered = await posting(id)
    const set = { answer: { text: 'It was stored, as record 5.', blocks: [] }, outcome: 'It was stored.' }
    await changes.move(id, { from: ['sending'], to: 'done', set, now, audit: { ...entry, event: 'done' } })
    await another.announce(id)
    await answered()
    expect(bench.board.in('C1')).toEqual([expect.stringContaining('It was stored, as record 5.')])
    expect(await shown(id)).toBe(true)
  })

  it('put nothing older over what the other one has shown meanwhile', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    const before = await bench.store.changes.get(id)
    await bench.approvals.cancel(id, actor('operator'))
    await another.announce(id)
    expect(await bench.store.changes.claimMessage(id, before!)).toBeUndefined()
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Cancelled/)])
  })

  it('leave no message to one that Slack refuses', async () => {
    const { id } = await bench.waiting()
    bench.board.refusing.set('COPS', 'for a while')
    await bench.announcer.announce(id)
    bench.board.refusing.clear()
    await another.announceAll()
    expect(places()).toEqual(['COPS'])
  })

  it('wait for one that died while it posted no longer than 45 s by the clock of the server', async () => {
    const { id } = await bench.waiting()
    await posting(id)
    const inSeconds = `select (announcing_until - extract(epoch from clock_timestamp()) * 1000) / 1000 as left from changes`
    const [left] = await harness.sql(inSeconds)
    expect(Number(left?.['left'])).toBeGreaterThan(30)
    expect(Number(left?.['left'])).toBeLessThanOrEqual(45)
    await another.announceAll()
    expect(places()).toEqual([])
    await harness.sql('update changes set announcing_until = (extract(epoch from clock_timestamp()) * 1000)::bigint')
    await another.announceAll()
    expect(places()).toEqual(['COPS'])
    expect(await shown(id)).toBe(true)
  })
})
