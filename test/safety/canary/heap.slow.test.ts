import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { json, PlatformServer } from '../../cdn/platform-server.ts'

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

it('the heap holds none of a thousand keys, while they are listed and afterwards', async () => {
  await using platform = await PlatformServer.start(json(list))
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, platform.url, folder])
  expect(stdout).toBe(`${KEYS} …${values[0]?.slice(-4)}\n`)
  for (const moment of ['reading', 'afterwards']) {
    const heap = await readFile(join(folder, `${moment}.heapsnapshot`), 'latin1')
    expect(heap).toContain('redactedKey')
    expect(values.filter((value) => heap.includes(value.slice(0, 12)))).toEqual([])
  }
})
