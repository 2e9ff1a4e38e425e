import { describe, expect, it, vi } from 'vitest'
import { createReplica } from '../../src/process/replica.ts'
import type { Standing } from '../../src/store/replicas.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const SELF = { id: 'a', name: 'host-a', version: '1' }
const row = (id: string, configuration = 'x') => {
  return { id, name: `host-${id}`, version: '1', configuration, startedAt: new Date(0), seenAt: new Date(0) }
}
const standing = (more: Partial<Standing> = {}): Standing => {
  return { fence: undefined, holder: 'b', since: new Date(0), replicas: [row('a'), row('b')], ...more }
}
const HELD = standing({ fence: 4, holder: 'a' })

function setUp(answers: (Standing | Error)[], isFit = () => true, leave = async () => undefined) {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  const fences: (number | undefined)[] = []
  const terms: AbortSignal[] = []
  const left: string[] = []
  const letGo: boolean[] = []
  const last = answers.at(-1)
  const replica = createReplica({
    replicas: {
      beat: async (_, beat) => {
        letGo.push(beat?.letsGo === true)
        const answer = answers.shift() ?? last
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('There is none')
        return answer
      },
      leave: (id) => leave().then(() => void left.push(id)),
      holdAs: (fence) => void fences.push(fence),
    },
    self: SELF,
    configuration: () => 'x',
    hasLinks: true,
    isFit,
    work: (stopping) => {
      terms.push(stopping)
      return new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()))
    },
    clock,
    log,
  })
  const beats = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      clock.turn(1_000)
      await vi.waitFor(() => expect(clock.timers).toBeGreaterThan(0), { interval: 1 })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const begin = async (): Promise<() => Promise<void>> => {
    await replica.enter()
    const stopping = new AbortController()
    const running = replica.run(stopping.signal)
    await new Promise((resolve) => setImmediate(resolve))
    return async () => {
      stopping.abort()
      await running
    }
  }
  return { replica, clock, fences, terms, left, letGo, lines, beats, begin }
}

describe('a replica', () => {
  it('works in the background while it holds the lease, and under its fence', async () => {
    const { replica, fences, terms, left, lines, begin } = setUp([HELD])
    const stop = await begin()
    expect([terms.length, replica.isWorking, fences]).toEqual([1, true, [undefined, 4]])
    await stop()
    expect([terms[0]?.aborted, left]).toEqual([true, ['a']])
    // What was being committed at the end still may be.
    expect(fences).toEqual([undefined, 4])
    expect(lines.map(({ level, sentence }) => `${level}: ${sentence}`)).toEqual([
      'warn: shares its store with host-b',
      'info: working in the background from now on',
    ])
  })

  it('ends though the store does not take back its lease, which ends by time', async () => {
    const { lines, begin } = setUp([HELD], undefined, () => Promise.reject(new StoreError('unreachable')))
    const stop = await begin()
    await stop()
    expect(lines.at(-1)).toMatchObject({ level: 'warn', sentence: 'the lease ends by time' })
  })

  it('is on standby until it gets the lease', async () => {
    const { replica, terms, beats, begin } = setUp([standing(), standing(), HELD])
    const stop = await begin()
    expect([terms.length, replica.isWorking]).toEqual([0, false])
    await beats(2)
    expect([terms.length, replica.isWorking]).toEqual([1, true])
    await stop()
  })

  it('lets another one try that may reach Slack, where it has not for half a minute', async () => {
    let isFit = false
    const { letGo, lines, beats, begin } = setUp([HELD], () => isFit)
    const stop = await begin()
    await beats(29)
    expect(letGo).not.toContain(true)
    await beats(1)
    expect(letGo.at(-1)).toBe(true)
    await beats(29)
    expect(letGo.filter(Boolean)).toHaveLength(1)
    expect(lines.at(-1)?.sentence).toBe('Slack cannot be reached from here: the lease is left to another replica')
    isFit = true
    await beats(2)
    isFit = false
    await beats(29)
    expect(letGo.filter(Boolean)).toHaveLength(1)
    await stop()
  })

  it('works on alone where nobody else could', async () => {
    const { letGo, beats, begin } = setUp([standing({ fence: 4, holder: 'a', replicas: [row('a')] })], () => false)
    const stop = await begin()
    await beats(40)
    expect(letGo).not.toContain(true)
    await stop()
  })

  it('begins a new term under a new fence, where the lease was somebody else’s between two beats', async () => {
    const { replica, fences, terms, beats, begin } = setUp([HELD, standing({ fence: 6, holder: 'a' })])
    const stop = await begin()
    await beats(2)
    expect([terms.map(({ aborted }) => aborted), replica.isWorking]).toEqual([[true, false], true])
    expect(fences).toEqual([undefined, 4, undefined, 6])
    await stop()
  })

  it('ends its term before the lease can be somebody else’s, while the store does not answer', async () => {
    const { terms, lines, beats, begin } = setUp([HELD, new StoreError('unreachable')])
    const stop = await begin()
    await beats(8)
    expect(terms[0]?.aborted).toBe(false)
    await beats(1)
    expect(terms[0]?.aborted).toBe(true)
    await stop()
    expect(lines.map(({ sentence }) => sentence)).toEqual([
      'shares its store with host-b',
      'working in the background from now on',
      'the store does not say who works in the background',
      'the lease is over: on standby from now on',
    ])
  })

  it('only reads while the one that works has another configuration', async () => {
    const { replica, lines, begin } = setUp([standing({ replicas: [row('a'), row('b', 'y')] })])
    const stop = await begin()
    expect(replica.writesBarred).toBe(
      'This copy of CDN Ops runs with another configuration than the one on host-b, which decides. Until both are the same it only reads. Whoever runs CDN Ops can mend that',
    )
    expect(lines.map(({ sentence }) => sentence)).toEqual([replica.writesBarred])
    await stop()
  })

  it.each([
    [['b', 'c', 'd', 'e', 'f', 'a'], 'Slack allows links for 5 replicas, and this is one more: stop one'],
    [['b', 'c', 'd', 'e', 'a', 'f'], 'shares its store with host-b, host-c, host-d, host-e, host-f'],
  ])('says that it is one too many where it is: %j', async (ids, said) => {
    const { lines, begin } = setUp([standing({ replicas: ids.map((id) => row(id)) })])
    const stop = await begin()
    expect(lines.map(({ sentence }) => sentence)).toEqual([said])
    await stop()
  })

  it('does everything where nobody shares the store, and ends after it', async () => {
    const clock = new TurnedClock()
    const { log } = recordingLog()
    let worked = 0
    const work = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      worked += 1
    }
    const replica = createReplica({
      replicas: undefined,
      self: SELF,
      configuration: () => 'x',
      hasLinks: true,
      isFit: () => true,
      work,
      clock,
      log,
    })
    await replica.enter()
    await replica.run(new AbortController().signal)
    expect([worked, replica.isWorking, replica.writesBarred]).toEqual([1, true, undefined])
  })
})
