import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { json, PlatformServer } from '../../cdn/platform-server.ts'
import { copyProgram } from '../program-copy.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const CHILD = new URL('heap-child.ts', import.meta.url).pathname
const KEYS = 1_000

/** Each as long as a real one, and like no other in any eight characters. */
const values = Array.from({ length: KEYS }, (_, index) => {
  const part = (at: number): string => ((index + 1) * 2_654_435_761 * at).toString(36).padStart(12, 'q').slice(-12)
  return `${part(1)}-${part(3)}-${part(7)}-${part(11)}`
})
const list = { Items: values.map((Key, index) => ({ Id: index + 1, Key, Roles: ['User'] })), TotalItems: KEYS }

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'cdn-ops-heap-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** How many keys, or beginnings of them, are in the heap of a program at these moments. */
async function foundInHeap(
  program: string,
  page: object,
  ...moments: readonly ('reading' | 'afterwards')[]
): Promise<readonly number[]> {
  await using platform = await PlatformServer.start(json(page))
  const { stdout } = await promisify(execFile)(process.execPath, [
    CHILD,
    program,
    platform.url,
    folder,
    ...moments.slice(1),
  ])
  expect(stdout).toBe(`${KEYS} …${values[0]?.slice(-4)}\n`)
  return Promise.all(
    moments.map(async (moment) => {
      const heap = await readFile(join(folder, `${moment}.heapsnapshot`), 'latin1')
      expect(heap).toContain('redactedKey')
      return values.filter((value) => heap.includes(value.slice(0, 12))).length
    }),
  )
}

it('the heap holds none of a thousand keys, while they are listed and afterwards', async () => {
  expect(await foundInHeap(ROOT, list, 'reading', 'afterwards')).toEqual([0, 0])
})

it('the heap of a program that makes text of them first holds them all, so the search would have found them', async () => {
  await using copy = await copyProgram([
    { file: 'src/cdn/answer-reading.ts', from: 'blankApiKeys(bytes)', to: 'void blankApiKeys' },
  ])
  expect(await foundInHeap(copy.folder, list, 'reading')).toEqual([KEYS])
})
