import type { ServerResponse } from 'node:http'
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { type Answer, json, PlatformServer, raw } from './platform-server.ts'

const PAGE = json({ data: [{ requestId: 'a' }], pagination: { hasMore: false } })

it.each<[string, Answer]>([
  ['comes and does not end', endless],
  ['is only said to come', (response) => response.writeHead(200, { 'content-length': 9_000_000 }).flushHeaders()],
  ['comes packed', raw(gzipSync(Buffer.alloc(9_000_000, ' ')), 200, { 'content-encoding': 'gzip' })],
])('a page of over 8 MB that %s is asked for once more, and half of it', async (_, answer) => {
  await using platform = await PlatformServer.start(answer, PAGE)
  const { entries, pages } = await platform.client().queryLogs(1n, {}, { maxEntries: 10 })
  expect([entries.length, pages]).toEqual([1, 2])
  expect(platform.received.map(({ url }) => url?.split('?')[1])).toEqual(['limit=10', 'limit=5'])
})

/** Sends spaces for as long as somebody reads. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const spaces = Buffer.alloc(1_000_000, ' ')
  const more = (): void => {
    while (response.write(spaces));
  }
  response.on('drain', more)
  more()
}

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['x-gzip', gzipSync],
  ['identity', (body: string) => Buffer.from(body)],
] as const)('an answer is read though it was sent as %s without being asked for', async (encoding, pack) => {
  const keys = { Items: [{ Id: 7, Key: 'listed-key-canary-abcd', Roles: ['User'] }] }
  const answer = raw(pack(JSON.stringify(keys)), 200, { 'content-encoding': encoding })
  await using platform = await PlatformServer.start(answer)
  const { Items } = await platform.client().listApiKeys({})
  expect(Items).toEqual([{ Id: 7n, redactedKey: '…abcd', Roles: ['User'] }])
})
