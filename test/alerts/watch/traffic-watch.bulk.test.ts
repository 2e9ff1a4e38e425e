import { describe, expect, it } from 'vitest'
import { hashText } from '../../../src/alerts/log/poll-plan.ts'
import { entry } from '../../store/harness.ts'
import type { AlertBench } from '../alert-bench.ts'
import { rejected, SUBJECT, watched } from '../watched-zone.ts'

const MINUTE_MS = 60_000

async function minutesOf({ store, clock }: AlertBench, back: number) {
  const until = Math.floor(clock.now().getTime() / MINUTE_MS)
  return store.minutes.read('301', until - back, until)
}

describe('a pull zone', () => {
  it('has each minute counted and looked at within seconds of being ready', async () => {
    const { bench, run, look, record, ready, log, isHealthy } = await watched()
    expect(isHealthy()).toBeUndefined()
    await run(10 * MINUTE_MS)
    expect(log.asked.length).toBeLessThanOrEqual(12)
    const { lag, since } = await record()
    const done = { since, readUntil: ready(), lookedUntil: ready(), perMinute: 60, lag }
    expect(await record()).toEqual(done)
    expect(since).toBe(ready() - 11)
    const minutes = await minutesOf(bench, 14)
    expect(minutes.map(({ minute }) => minute - ready()).slice(-3)).toEqual([-3, -2, -1])
    expect(minutes.every(({ hit, coveredMs }) => hit === 60 && coveredMs === MINUTE_MS)).toBe(true)
    const surge = ready()
    log.perMinute = (minute) => (minute < surge ? 60 : 90)
    expect(isHealthy()).toBe(true)
    expect(
      log.asked.slice(2).every(({ untilMs }, index) => untilMs - (log.asked[index + 1]?.untilMs ?? 0) === MINUTE_MS),
    ).toBe(true)
    await run(MINUTE_MS)
    expect((await record()).perMinute).toBe(90)
    expect(await look()).toBe((ready() + 1) * MINUTE_MS + lag.lagMs + (hashText(SUBJECT) % 8_000))
    bench.clock.turn(4 * MINUTE_MS)
    expect(isHealthy()).toBe(true)
    bench.clock.turn(MINUTE_MS)
    expect(isHealthy()).toBe(false)
  })

  it.each([0, 14, 17, 20, 30])(
    'fires when its origin fails, the clock put back by %d minutes just before',
    async (back) => {
      const { bench, run, log, posted } = await watched()
      await run(20 * MINUTE_MS)
      expect(posted).not.toHaveBeenCalled()
      bench.clock.turn(-back * MINUTE_MS)
      log.entry = () => ({ cacheStatus: 'STALE', path: '/cart', host: 'www.shop.example' })
      await run(4 * MINUTE_MS)
      expect(posted).toHaveBeenCalled()
      const incidents = await bench.store.alerts.incidents({ open: true, limit: 10 })
      expect(incidents).toMatchObject([{ subject: SUBJECT, channelId: 'C0TEAM' }])
      expect(JSON.stringify(incidents[0]?.doc)).toContain('/cart')
    },
  )

  it('goes on where it was after a stop, with every minute in between', async () => {
    const { bench, run, restart, record, ready, lines } = await watched()
    await run(5 * MINUTE_MS)
    bench.clock.turn(50 * MINUTE_MS)
    restart()
    await run(MINUTE_MS)
    expect(await record()).toMatchObject({ readUntil: ready(), lookedUntil: ready() })
    expect(await minutesOf(bench, 55)).toHaveLength(53)
    expect(lines).toEqual([])
  })

  it('knows after a start what it read before the clock was put back by some minutes', async () => {
    const { bench, run, log, restart, ready } = await watched(['cannot-look'])
    const { store, clock } = bench
    log.perMinute = () => 1_000
    await run(30 * MINUTE_MS)
    clock.turn(-11 * MINUTE_MS)
    restart()
    await run(25 * MINUTE_MS)
    expect(await store.minutes.known('301', ready() - 30, ready())).toBe(30 * MINUTE_MS)
    const { states } = await store.alerts.view(SUBJECT, clock.now())
    expect(states).toMatchObject([{ state: { last: { reading: { facts: { covered: 1 } } } } }])
  })

  it('passes over what is more than an hour behind, and says so', async () => {
    const { bench, run, restart, record, ready, lines } = await watched()
    await run(5 * MINUTE_MS)
    bench.clock.turn(180 * MINUTE_MS)
    restart()
    await run(MINUTE_MS)
    expect((await record()).lookedUntil).toBe(ready())
    expect(await minutesOf(bench, 180)).toHaveLength(60 + 1)
    const sentence = 'reading a log was too far behind: minutes were passed over'
    expect(lines).toEqual([{ level: 'warn', sentence, fields: { subject: SUBJECT, minutes: 120 } }])
  })

  it('does nothing when somebody else has committed first, and begins anew', async () => {
    const { bench, run, look, log, nowMs, record } = await watched()
    await run(3 * MINUTE_MS)
    const before = await record()
    const { store, clock } = bench
    clock.turn(MINUTE_MS)
    const view = await store.alerts.view(SUBJECT, clock.now())
    const revision = view.watch?.revision ?? 0
    let others: Promise<boolean> | undefined
    log.during = () => (others ??= store.alerts.commit({ subject: SUBJECT, revision, watch: before }))
    const next = await look()
    expect(await others).toBe(true)
    expect(next - nowMs()).toBe(1_000)
    expect(await record()).toEqual(before)
    await look()
    expect((await record()).lookedUntil).toBe(before.lookedUntil + 1)
  })

  it('heeds what people have done while its log was being read', async () => {
    const { bench, run, log, nowMs } = await watched()
    const { store, clock } = bench
    await run(20 * MINUTE_MS)
    log.entry = () => ({ cacheStatus: 'STALE' })
    // It is over before the next reading begins.
    log.during = () => {
      const [from, until] = [new Date(nowMs()), new Date(nowMs() + 30_000)]
      return store.silences.add([{ id: clock.newId(), subject: SUBJECT, from, until, by: 'U0ANNA' }], () =>
        entry('alert_silenced'),
      )
    }
    await run(8 * MINUTE_MS)
    const { states, incidents } = await store.alerts.view(SUBJECT, clock.now())
    expect(states).toMatchObject([{ state: { phase: 'firing' } }])
    expect(incidents).toEqual([])
  })

  it('keeps what it knows of a minute that was read better before', async () => {
    const { bench, run, log } = await watched()
    await run(10 * MINUTE_MS)
    const before = await minutesOf(bench, 8)
    log.perMinute = () => 60_000
    await run(MINUTE_MS)
    expect((await minutesOf(bench, 9)).slice(0, before.length)).toEqual(before)
  })
})

describe('a log that cannot be read', () => {
  it('is a finding, and not healthy', async () => {
    const { run, log, look, record, nowMs, isHealthy } = await watched()
    await run(3 * MINUTE_MS)
    log.failures = [rejected(404)]
    await look()
    expect((await record()).failure).toEqual({ cause: 'logging off or no such zone', sinceMs: nowMs() })
    expect(isHealthy()).toBe(false)
  })

  it('has its minutes looked at all the same, after some patience, and fills them in when it works again', async () => {
    const { bench, run, log, record, ready } = await watched(['origin-failing', 'traffic-gone'])
    await run(3 * MINUTE_MS)
    const fails = rejected(503)
    log.failures = Array.from({ length: 100 }, () => fails)
    await run(3 * MINUTE_MS + 45_000)
    expect(await record()).toMatchObject({
      lookedUntil: ready(),
      readUntil: ready() - 3,
      failure: { cause: 'platform error' },
    })
    expect((await minutesOf(bench, 6)).at(-1)?.minute).toBe(ready() - 4)
    log.failures = []
    await run(MINUTE_MS)
    expect(await record()).toMatchObject({ lookedUntil: ready(), readUntil: ready() })
    expect((await minutesOf(bench, 9)).map(({ minute }) => minute - ready())).toEqual([-7, -6, -5, -4, -3, -2, -1])
  })

  it.each<[string, readonly Error[], waits: readonly number[]]>([
    ['each 20 s when it fails', Array.from({ length: 4 }, () => rejected(503)), [20, 20, 20, 20]],
    ['ever later when it limits', Array.from({ length: 6 }, () => rejected(429)), [20, 40, 80, 160, 300, 300]],
    ['as late as it asks, which doubles nothing', [rejected(429, 150_000), rejected(429)], [150, 40]],
    ['not sooner than otherwise where it asks for less', [rejected(429), rejected(429, 1_000)], [20, 40]],
    ['after five minutes, however late it asks', [rejected(429, 900_000), rejected(503)], [300, 20]],
  ])('is asked for again %s', async (_, failures, waits) => {
    const { run, log, nowMs } = await watched()
    await run(3 * MINUTE_MS)
    log.failures = [...failures]
    const tries: number[] = []
    log.during = () => void tries.push(nowMs() / 1_000)
    await run(16 * MINUTE_MS)
    expect(tries.slice(1, waits.length + 1).map((at, index) => at - (tries[index] ?? 0))).toEqual(waits)
  })

  it('is looked at each 20 s while it is left alone', async () => {
    const { bench, run, look, log, nowMs, record, ready } = await watched()
    await run(3 * MINUTE_MS)
    log.failures = [rejected(429, 300_000)]
    await look()
    bench.clock.turn(3 * MINUTE_MS)
    expect((await look()) - nowMs()).toBe(20_000)
    expect((await record()).lookedUntil).toBe(ready() - 1)
  })

  it('is not waited for when the clock is put back meanwhile', async () => {
    const { bench, run, look, log } = await watched()
    await run(3 * MINUTE_MS)
    log.failures = [rejected(503)]
    await look()
    bench.clock.turn(-30 * MINUTE_MS)
    const before = log.asked.length
    await run(MINUTE_MS)
    expect(log.asked.length).toBeGreaterThan(before)
  })
})

it.each([undefined, 60_000])(
  'a zone whose log is refused twice in a row, to be asked for again in %s ms, is told of two minutes later at most',
  async (retryAfterMs) => {
    const toldAfterMs = async (refusals: number): Promise<number> => {
      const { bench, run, look, log, nowMs } = await watched(['origin-failing', 'cannot-look'])
      await run(40 * MINUTE_MS)
      const failsMs = nowMs()
      log.failures = Array.from({ length: refusals }, () => rejected(429, retryAfterMs))
      log.entry = (atMs) => (atMs < failsMs ? {} : { cacheStatus: 'STALE' })
      for (;;) {
        bench.clock.turn(Math.max(0, (await look()) - nowMs()))
        const incidents = await bench.store.alerts.incidents({ open: true, limit: 10 })
        const isTold = incidents.some(({ doc }) => JSON.stringify(doc).includes('origin-failing'))
        if (isTold || nowMs() > failsMs + 40 * MINUTE_MS) return nowMs() - failsMs
      }
    }
    expect((await toldAfterMs(2)) - (await toldAfterMs(0))).toBeLessThanOrEqual(2 * MINUTE_MS)
  },
)
