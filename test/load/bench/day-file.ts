import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { streamDayFile } from '../../../src/playground/cdn/log-handlers.ts'
import { World } from '../../../src/playground/cdn/world/world.ts'
import { type Bench, inTurn } from './bench.ts'
import { readDayFile } from './day-file-reading.ts'
import { residentBytes } from '../../support/bot.ts'
import { serve } from './testbed.ts'

const READING = import.meta.resolve('./day-file-reading.ts')
/** The emulator's file of a day is 13 MB: so many of them one after the other are read from disk, and over HTTP. */
const FULL = { rounds: 5, disk: 80, http: 40 }
const QUICK = { rounds: 3, disk: 8, http: 4 }
const GREP = "LC_ALL=C grep -c -E '^(MISS|STALE)\\|'"
const MIB = 1024 * 1024

/** MISS and STALE picked out of a day file and made into entries, and every line counted by its status. */
export const dayFileBench: Bench = {
  name: 'day-file',
  runs: 'alone',
  rows: {
    disk: {
      work: 'Day file of 1 GB from disk: MISS and STALE picked, parsed and masked, every line counted, CPU',
      reference: `\`${GREP}\``,
      unit: 'time',
      atMost: 8,
      quick: 20,
    },
    http: {
      work: 'The same of 500 MB, compressed over HTTP, through the client with all its checks',
      reference: `\`curl | gzip -dc | ${GREP}\``,
      unit: 'time',
      atMost: 2,
      quick: 4,
    },
    pause: { work: 'Longest pause of everything else meanwhile', unit: 'time', atMost: 50, quick: 250 },
    peak: { work: 'Most memory that it takes', unit: 'size', atMost: 160 * MIB, quick: 200 * MIB },
  },
  async *rounds(testbed, quick) {
    const { rounds, disk, http } = quick ? QUICK : FULL
    const day = emulatedDay()
    const [path, before] = [join(testbed.folder, 'day.log'), join(testbed.folder, 'day-before.log')]
    writeFileSync(before, Buffer.concat(Array.from<Buffer>({ length: QUICK.disk }).fill(day)))
    for (let written = 0; written < disk; written += 1) appendFileSync(path, day)
    // A gzip stream of many equal members, which costs next to nothing while it is measured.
    const members = Array.from({ length: http }).fill(gzipSync(day))
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      Readable.from(members).pipe(response)
    })
    const read = async (place: string) => {
      await using worker = await testbed.fork(READING, readDayFile)
      await worker.run(before) // as a bot that has read one already
      const startedAt = performance.now()
      const { picked, cpuMs, pauseMs } = await worker.run(place)
      const ms = performance.now() - startedAt
      return { picked, ms, cpuMs, pauseMs, peak: residentBytes(worker.pid, 'VmHWM') }
    }
    const run = async (command: string) => {
      const startedAt = performance.now()
      const shell = spawn('bash', ['-c', `${command}; times`], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [picked, , ofChildren = ''] = (await text(shell.stdout)).split('\n')
      const times = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)]
      const cpuMs = times.reduce(
        (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000,
        0,
      )
      return { picked: Number(picked), ms: performance.now() - startedAt, cpuMs, pauseMs: 0, peak: 0 }
    }
    for (let turn = 0; turn < rounds; turn += 1) {
      const [fromDisk, grep] = await inTurn(turn, [() => read(path), () => run(`${GREP} ${path}`)])
      const [overHttp, curl] = await inTurn(turn, [() => read(url), () => run(`curl -s '${url}' | gzip -dc | ${GREP}`)])
      if (fromDisk.picked !== grep.picked || overHttp.picked !== curl.picked)
        throw new Error(`${fromDisk.picked} and ${overHttp.picked} lines, not ${grep.picked} and ${curl.picked}`)
      const peak = Math.max(fromDisk.peak, overHttp.peak)
      yield { disk: [fromDisk.cpuMs, grep.cpuMs], http: [overHttp.ms, curl.ms], pause: overHttp.pauseMs, peak }
    }
  },
}

/** A busy video zone's file of a day with extended logging. Five lines in a hundred are MISS or STALE. */
function emulatedDay(): Buffer {
  const now = new Date('2026-11-20T18:00:00Z')
  const world = new World({ seed: 'bench', now, accessKey: 'bench-key-of-the-account', canaries: {} })
  const params = { YY: '26', MM: '11', DD: '19', pullZoneId: 302n }
  const { chunks } = streamDayFile({ params, query: new URLSearchParams(), body: undefined, world, now })
  return Buffer.from(Array.from(chunks).join(''))
}
