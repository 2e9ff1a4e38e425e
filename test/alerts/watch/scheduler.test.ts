import { describe, expect, it } from 'vitest'
import { hashText } from '../../../src/alerts/log/poll-plan.ts'
import { Scheduler, listSubjects } from '../../../src/alerts/watch/scheduler.ts'
import type { SubjectWatch } from '../../../src/alerts/watch/subject-watch.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const MINUTE_MS = 60_000

function round() {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  const scheduler = new Scheduler(clock, log)
  const stopping = new AbortController()
  const begun: string[] = []
  const open: (() => void)[] = []
  let fails = false
  const watch = (subject: string, waits: boolean): SubjectWatch => ({
    isHealthy: () => (begun.length > 0 ? !fails : undefined),
    look: async () => {
      begun.push(subject)
      if (waits) await new Promise<void>((resolve) => void open.push(resolve))
      if (fails) throw new Error('the store does not answer')
      return clock.now().getTime() + MINUTE_MS
    },
  })
  const keep = (subjects: Readonly<Record<string, string>>, waits = false): void => {
    scheduler.keep(new Map(Object.entries(subjects)), (subject) => watch(subject, waits))
  }
  const pass = async (ms: number): Promise<void> => {
    clock.turn(ms)
    scheduler.begin(stopping.signal)
    await turnOfTheLoop()
  }
  return { clock, scheduler, begun, open, keep, pass, lines, stopping, fail: (on: boolean) => void (fails = on) }
}

describe('subjects', () => {
  it('are looked at when they are due', async () => {
    const { keep, pass, begun } = round()
    keep({ a: '1', b: '2' })
    await pass(0)
    await pass(MINUTE_MS - 1)
    expect(begun).toEqual(['a', 'b'])
    await pass(1)
    expect(begun).toEqual(['a', 'b', 'a', 'b'])
  })

  it('are looked at 24 at once, and one never twice at once', async () => {
    const { keep, pass, begun, open } = round()
    const subjects = Array.from({ length: 60 }, (_, index) => `pull/${index}`)
    keep(Object.fromEntries(subjects.map((subject) => [subject, '1'])), true)
    await pass(10_000)
    await pass(10_000)
    // The longest due first.
    const byTurn = subjects.toSorted((a, b) => (hashText(a) % 8_000) - (hashText(b) % 8_000))
    expect(begun).toEqual(byTurn.slice(0, 24))
    for (const end of open.splice(0)) end()
    await turnOfTheLoop()
    await pass(0)
    expect(new Set(begun).size).toBe(48)
  })

  it('do not all have their first turn in the same second when they are many', async () => {
    const { keep, pass, begun } = round()
    keep(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`pull/${index}`, '1'])))
    for (let second = 0; second < 4; second += 1) await pass(1_000)
    expect(begun.length).toBeLessThan(1_200)
  })

  it('have their turn at once when their rules change, also during a look', async () => {
    const { keep, pass, begun, open } = round()
    keep({ a: '1' }, true)
    await pass(0)
    keep({ a: '1 2' }, true)
    await pass(0)
    expect(begun).toEqual(['a'])
    open.splice(0).forEach((end) => end())
    await turnOfTheLoop()
    await pass(0)
    expect(begun).toEqual(['a', 'a'])
  })

  it('are not looked at any more when no rule is about them', async () => {
    const { keep, pass, begun } = round()
    keep({ a: '1', b: '1' })
    await pass(0)
    keep({ b: '1' })
    await pass(MINUTE_MS)
    expect(begun).toEqual(['a', 'b', 'b'])
  })

  it('are tried again ever later while a look fails, each failure is logged, and it is not healthy', async () => {
    const { keep, pass, begun, lines, fail, scheduler } = round()
    keep({ a: '1' })
    expect(scheduler.isHealthy()).toBe(false)
    fail(true)
    for (const pauseMs of [0, 5_000, 10_000, 20_000, 40_000, 60_000]) {
      await pass(Math.max(0, pauseMs - 1))
      await pass(Math.min(1, pauseMs))
    }
    expect(begun).toHaveLength(6)
    const fields = { subject: 'a', failures: 6, err: new Error('the store does not answer') }
    expect(lines.at(-1)).toEqual({ level: 'error', sentence: 'looking at a subject of alerts failed', fields })
    expect(scheduler.isHealthy()).toBe(false)
    fail(false)
    await pass(MINUTE_MS)
    expect(scheduler.isHealthy()).toBe(true)
  })

  it.each([
    [5_000, 1],
    [5_001, 2],
    [3 * 86_400_000, 2],
  ])('are looked at although the clock was put back by %d ms: %i times', async (backMs, times) => {
    const { keep, pass, begun } = round()
    keep({ a: '1' })
    await pass(0)
    await pass(-backMs)
    await pass(1_000)
    expect(begun).toHaveLength(times)
  })

  it('are not looked at any more once the bot stops, which waits for what is under way', async () => {
    const { keep, pass, begun, open, stopping, scheduler, fail, lines } = round()
    keep({ a: '1' }, true)
    await pass(0)
    stopping.abort()
    fail(true)
    let ended = false
    const end = scheduler.end().then(() => (ended = true))
    await pass(MINUTE_MS)
    expect([begun.length, ended]).toEqual([1, false])
    open[0]?.()
    await end
    // That it fails by the stop is no failure.
    expect([ended, lines]).toEqual([true, []])
  })
})

it('what rules look at is each thing once; a star stands for every storage zone with a name', () => {
  const rule = (id: string, subject: string) => ({ id, subject }) as AlertRule // nothing else of it is looked at
  const rules = [rule('3', 'pull/301'), rule('1', 'pull/301'), rule('2', 'storage/*'), rule('4', 'storage/55')]
  const storage = ['55', '55', '56'].map((zoneId) => ({ kind: 'storage', zoneId }) as const)
  const zones = [...storage, { kind: 'pull', zoneId: '57' } as const]
  const odd = ['pull/*', 'pull/x', 'pull/0', 'dns/1', ''].map((subject, index) => rule(`9${index}`, subject))
  const subjects = listSubjects([...rules, rule('5', 'account'), ...odd], zones)
  expect([...subjects]).toEqual([
    ['pull/301', '1 3'],
    ['storage/55', '2 4'],
    ['storage/56', '2'],
    ['account', '5'],
  ])
})
