import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointName } from '../../src/cdn/endpoints.ts'
import type { Fault } from '../../src/playground/cdn/faults.ts'
import { OLGA, VERA } from '../../src/playground/slack/seed.ts'
import type { ShownMessage } from '../../src/playground/slack/shown.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { Scene, type Seen } from './scene.ts'
import { faultOf, type Broken } from '../support/broken-answers.ts'

const DAY_MS = 86_400_000
/** Longer than a read may take in all, and than a day file may take to begin. */
const PATIENCE_MS = 10_500
const YESTERDAY = new Date(systemClock.now().getTime() - DAY_MS).toISOString().slice(0, 10)

interface Read {
  readonly endpoint: EndpointName
  readonly command: string
  /** What a good answer has. */
  readonly answer: RegExp
  /** Faults that mean something else here than for the others. */
  readonly own?: Readonly<Record<string, Partial<Case>>>
}

interface Case {
  readonly name: string
  readonly fault: Fault | Broken
  readonly sends: number
  /** Asked instead of the one that all others are asked. */
  readonly command?: string
  /** What the one message says; the good answer where not said. */
  readonly says?: RegExp
}

const NEXT = '[\\s\\S]*(Ask|Check|If it happens again)'
const failed = (what: string): RegExp => new RegExp(`:warning: [^\\n]*${what}[^\\n]*Nothing was changed\\.${NEXT}`)
const UNREADABLE = failed('answered 200, but unreadably')

const CASES: readonly Case[] = [
  { name: '429', fault: { kind: 'status', status: 429 }, sends: 3, says: failed('asked too often \\(429\\)') },
  { name: '401', fault: { kind: 'status', status: 401 }, sends: 1, says: failed('\\(401\\)') },
  { name: '403', fault: { kind: 'status', status: 403 }, sends: 1, says: failed('\\(403\\)') },
  { name: '404', fault: { kind: 'status', status: 404 }, sends: 1, says: failed('\\(404\\)') },
  { name: '500', fault: { kind: 'status', status: 500 }, sends: 3, says: failed('failed \\(500\\)') },
  {
    name: '500 with a page',
    fault: { kind: 'status', status: 500, body: 'html' },
    sends: 3,
    says: failed('failed \\(500\\)'),
  },
  { name: 'no answer', fault: { kind: 'hang', carriedOut: true }, sends: 1, says: failed('did not answer in time') },
  { name: 'a reset at once', fault: { kind: 'reset', carriedOut: false }, sends: 3, says: failed('broke') },
  { name: 'a reset after it was read', fault: { kind: 'reset', carriedOut: true }, sends: 3, says: failed('broke') },
  { name: 'half an answer', fault: { kind: 'cut' }, sends: 3, says: failed('broke') },
  { name: 'HTML', fault: { kind: 'html' }, sends: 1, says: failed('a web page came instead') },
  { name: 'nothing', fault: { kind: 'empty' }, sends: 1, says: UNREADABLE },
  { name: 'wrong types', fault: { kind: 'wrong types' }, sends: 1, says: UNREADABLE },
  { name: 'half a JSON', fault: { kind: 'bad JSON' }, sends: 1, says: UNREADABLE },
  { name: 'too much', fault: { kind: 'huge', bytes: 12_000_000, gzip: false }, sends: 1, says: UNREADABLE },
  { name: 'a bomb', fault: { kind: 'huge', bytes: 64_000_000, gzip: true }, sends: 1, says: UNREADABLE },
  { name: 'gzip', fault: { kind: 'gzip' }, sends: 1 },
  {
    name: 'a redirect',
    fault: { kind: 'redirect', location: 'http://127.0.0.1:1/' },
    sends: 1,
    says: failed('redirect \\(307\\), which is never followed'),
  },
]

const READS: readonly Read[] = [
  { endpoint: 'getStorageStatistics', command: 'storage stats 101', answer: /Number of files, by day/ },
  { endpoint: 'listApiKeys', command: 'keys list', answer: /Page 1 of 50/ },
  {
    endpoint: 'queryLogs',
    command: 'logs 301 --since 1h',
    answer: /Newest matching lines/,
    // Half a page may be readable: it is asked for down to one line, and of those for four. Other cases have used up most slots.
    own: {
      'too much': { command: 'logs 302 --since 1h', sends: 13 },
      'a bomb': { command: 'logs 302 --since 1h', sends: 13 },
    },
  },
  {
    endpoint: 'streamDayFile',
    command: `logs 304 --day ${YESTERDAY}`,
    answer: /matching lines of \d+ lines in the file of the day/,
    // Lines have no types and no end that shows: what can be read is shown, what cannot be is counted.
    own: {
      'half an answer': { sends: 1 },
      nothing: { says: /No line matches[\s\S]*0 lines of the day were looked at/ },
      'wrong types': { says: /No line matches[\s\S]*Unreadable, and in no count/ },
      'half a JSON': { says: /lines of the day were looked at|matching lines of/ },
      // A day file may be of any size: it is not kept.
      'too much': { says: /matching lines of/ },
      'a bomb': { says: /matching lines of/ },
    },
  },
]

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())
afterEach(() => scene.stage.cdn.faults.clear())

describe.each(READS)('$command', ({ endpoint, command: usual, answer, own = {} }) => {
  test.each(CASES.map((each) => ({ ...each, ...own[each.name] })))(
    'when the platform gives $name',
    async ({ fault, sends, command = usual, says = answer }) => {
      const { cdn } = scene.stage
      const before = cdn.count(endpoint)
      const watch = scene.watch(OLGA)
      cdn.faults.set(endpoint, faultOf(fault))
      const answered = scene.types(OLGA, `/cdn ${command}`, { until: says })
      if (fault.kind === 'hang') await outwaited(endpoint, before)
      await answered
      cdn.faults.clear()
      await scene.answersOthers(VERA)
      expect(answersIn(watch())).toHaveLength(1)
      expect(cdn.count(endpoint) - before).toBe(sends)
    },
  )

  test('is answered again after all that', async () => {
    const { text } = await scene.types(OLGA, `/cdn ${usual}`, { until: answer })
    expect(text).not.toContain(':warning:')
  })
})

/** Messages without those that only say that something is still under way. */
function answersIn({ messages }: Seen): readonly ShownMessage[] {
  return messages.filter(({ blocks, text }) => !JSON.stringify([text, blocks]).includes(':hourglass'))
}

async function outwaited(endpoint: EndpointName, before: number): Promise<void> {
  await expect.poll(() => scene.stage.cdn.count(endpoint)).toBe(before + 1)
  scene.clock.turn(PATIENCE_MS)
}
