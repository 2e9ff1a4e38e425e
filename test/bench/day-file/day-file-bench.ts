import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startFlags } from '../../support/start-command.ts'
import { type Bench, type Figures, inTurn, type PreparedBench } from '../bench.ts'
import { usageOf } from '../process-usage.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { startChild } from '../wire/child.ts'
import { dayFileBlock } from './day-file-block.ts'
import type { Reading, ReadingResult } from './day-file-child.ts'
import { startDayFileServer } from './day-file-server.ts'

const CHILD = new URL('day-file-child.ts', import.meta.url)
const BOT_FLAGS = startFlags()
/** Bytes of a block, and how many of them: of the whole file, and of the file whose memory is compared. */
const SIZES = {
  full: { block: 50_000_000, whole: 20, small: 2 },
  quick: { block: 20_000_000, whole: 4, small: 1 },
} as const

const GREP = "LC_ALL=C grep -c -E '^(MISS|STALE)\\|'"
const MIB = 1024 * 1024

export const dayFileBench: Bench = {
  name: 'day-file',
  goals: [
    {
      work: 'Day file of 1 GB from disk: MISS and STALE picked, parsed and masked, every line counted',
      reference: `\`${GREP}\``,
      ours: 'pick',
      theirs: 'grep',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 1.45, quick: 5 },
    },
    {
      work: 'The same: lines and bytes of each status, over every line',
      reference: `\`${GREP}\``,
      ours: 'count',
      theirs: 'grep',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 0.95, quick: 3.5 },
    },
    {
      work: 'The same: MISS and STALE picked, parsed and masked',
      reference: 'readline and `split`, nothing masked',
      ours: 'pick',
      theirs: 'readline',
      unit: 'time',
      comparison: 'times faster',
      atLeast: { full: 8, quick: 1.5 },
    },
    {
      work: 'The same',
      reference: 'papaparse, nothing masked',
      ours: 'pick',
      theirs: 'papaparse',
      unit: 'time',
      comparison: 'times faster',
      atLeast: { full: 7, quick: 1.5 },
    },
    {
      work: 'The same as `/cdn logs` reads it: compressed over HTTP, through the client with all its checks',
      reference: `\`curl | gzip -dc | ${GREP}\``,
      ours: 'answer',
      theirs: 'curl',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 0.57, quick: 1.5 },
    },
    {
      work: 'Longest pause of everything else meanwhile',
      ours: 'pause',
      unit: 'time',
      comparison: 'ours',
      atMost: { full: 50, quick: 250 },
    },
    {
      work: 'Most memory any of ours takes',
      ours: 'peak',
      unit: 'size',
      comparison: 'ours',
      atMost: { full: 152 * MIB, quick: 200 * MIB },
    },
    {
      work: 'Memory for 1 GB beside that for 100 MB',
      reference: 'the same, 100 MB',
      ours: 'peak',
      theirs: 'peakSmall',
      unit: 'size',
      comparison: 'difference',
      atMost: { full: 15 * MIB, quick: 60 * MIB },
    },
  ],
  async prepare(scale) {
    const { whole, small, ...size } = SIZES[scale]
    const block = dayFileBlock(size.block)
    const folder = scratchFolder()
    const path = join(folder.path, 'day.log')
    writeBlocks(path, block.bytes, whole)
    const server = await startDayFileServer(block.bytes, [whole, small])
    const bytesOf = (blocks: number): number => block.bytes.length * blocks
    const day = { path, url: server.url }
    /** Reads in a process of its own; it is only timed once all of its program is loaded, as the bot's is. */
    const read = async (kind: Reading['kind'], blocks: number, flags: readonly string[] = []) => {
      await using child = await startChild(CHILD, [], flags)
      const reading: Reading = { ...day, kind, blocks, bytes: bytesOf(blocks) }
      const startedAt = performance.now()
      child.process.send(reading)
      const [result] = (await once(child.process, 'message')) as [ReadingResult]
      const ms = performance.now() - startedAt
      expectSame(kind, result.picked, block.picked * blocks)
      if (result.lines !== undefined) expectSame(kind, result.lines, block.lines * blocks)
      return { ms, peak: usageOf(child.pid).peakBytes, pause: result.longestPauseMs }
    }
    const shell = async (command: string): Promise<number> => {
      const startedAt = performance.now()
      const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
      const printed = await text(child.stdout)
      const ms = performance.now() - startedAt
      expectSame(command, Number(printed), block.picked * whole)
      return ms
    }
    return {
      async measure(turn): Promise<Figures> {
        const [pick, grep, count, readline, papaparse] = await inTurn(turn, [
          () => read('pick', whole, BOT_FLAGS),
          async () => ({ ms: await shell(`${GREP} ${path}`), peak: 0, pause: 0 }),
          () => read('count', whole, BOT_FLAGS),
          () => read('readline', whole),
          () => read('papaparse', whole),
        ])
        const [answer, curl] = await inTurn(turn, [
          () => read('answer', whole, BOT_FLAGS),
          async () => ({
            ms: await shell(`curl -s '${server.url}/${whole}.log' | gzip -dc | ${GREP}`),
            peak: 0,
            pause: 0,
          }),
        ])
        const smalls = await inTurn(turn, [
          () => read('pick', small, BOT_FLAGS),
          () => read('count', small, BOT_FLAGS),
          () => read('answer', small, BOT_FLAGS),
        ])
        const ms = Object.fromEntries(
          Object.entries({ pick, grep, count, answer, curl, readline, papaparse }).map(([name, run]) => [
            name,
            run?.ms ?? Number.NaN,
          ]),
        )
        const peakOf = (runs: readonly ({ readonly peak: number } | undefined)[]): number =>
          Math.max(...runs.map((run) => run?.peak ?? Number.NaN))
        return {
          ...ms,
          pause: answer?.pause ?? Number.NaN,
          peak: peakOf([pick, count, answer]),
          peakSmall: peakOf(smalls),
        }
      },
      async [Symbol.asyncDispose]() {
        server[Symbol.dispose]()
        folder[Symbol.dispose]()
      },
    } satisfies PreparedBench
  },
}

function writeBlocks(path: string, block: Buffer, count: number): void {
  const file = openSync(path, 'w')
  try {
    for (let index = 0; index < count; index += 1) writeSync(file, block)
  } finally {
    closeSync(file)
  }
}

function expectSame(what: string, found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`${what} found ${found} lines, and there are ${wanted}`)
}
