import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { utcDay } from '../../../src/cdn/contract/dates.ts'
import { type Answer, PlatformServer } from '../platform-server.ts'

const GIGABYTE = 1_000_000_000
const MAX_PEAK_KB = 200 * 1024
const CHILD_TIMEOUT_MS = 240_000
const LINES_PER_BLOCK = 5_000
const WANTED_OF_BLOCK = 175

/** About a megabyte of lines, 3.5 % of them MISS or STALE, every one different from the others. */
function block(): Buffer {
  const lines = Array.from({ length: LINES_PER_BLOCK }, (_, index) => {
    const cache = index < WANTED_OF_BLOCK ? (index % 2 === 0 ? 'MISS' : 'STALE') : 'HIT'
    const id = (index * 2_654_435_761).toString(16).padStart(32, '0')
    const url = `https://a.example/video/${index * 7919}/segment-${index}.ts?token=${index}`
    return `${cache}|200|${1_795_000_000_000 + index}|${index * 31}|390|192.0.2.0|-|${url}|WA|Mozilla/5.0 (X11; Linux x86_64)|${id}|DE\n`
  })
  return Buffer.from(lines.join(''))
}

const BLOCK = block()
const BLOCKS = Math.ceil(GIGABYTE / BLOCK.length)

function* blocks(): Generator<Buffer> {
  for (let index = 0; index < BLOCKS; index += 1) yield BLOCK
}

const plain: Answer = (response) => void pipeline(Readable.from(blocks()), response)
const gzipped: Answer = (response) => {
  response.setHeader('content-encoding', 'gzip')
  void pipeline(Readable.from(blocks()), createGzip({ level: 1, chunkSize: 256 * 1024 }), response)
}

it.each([
  ['plain', plain],
  ['gzipped', gzipped],
])('a gigabyte, %s, is filtered in under 200 MB', async (_, answer) => {
  await using platform = await PlatformServer.start(answer)
  const child = new URL('day-file-child.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [child, platform.url, utcDay(new Date())], {
    timeout: CHILD_TIMEOUT_MS,
  })
  const result = JSON.parse(stdout) as Record<string, number>
  expect(result).toMatchObject({
    bytes: BLOCKS * BLOCK.length,
    lines: BLOCKS * LINES_PER_BLOCK,
    matched: BLOCKS * WANTED_OF_BLOCK,
    checksum: BLOCKS * WANTED_OF_BLOCK * 200,
    malformedLines: 0,
  })
  expect(result['peakKb']).toBeGreaterThan(0)
  expect(result['peakKb']).toBeLessThan(MAX_PEAK_KB)
})
