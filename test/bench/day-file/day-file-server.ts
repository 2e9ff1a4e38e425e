import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { constants, crc32, deflateRawSync } from 'node:zlib'

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** A last block with nothing in it. */
const END = Buffer.from([3, 0])
/** What servers compress with unless told otherwise. */
const LEVEL = 6

export interface DayFileServer extends Disposable {
  /** Base address. The id of the pull zone that is asked for is how many blocks its file has. */
  readonly url: string
}

/**
 * Sends day files, compressed, over loopback: a block of lines as many times as asked for, as one gzip stream. The block is
 * compressed once, and a stream put together of that, so that sending costs next to nothing.
 */
export async function startDayFileServer(block: Buffer, sizes: readonly number[]): Promise<DayFileServer> {
  const piece = deflateRawSync(block, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH })
  const streams = new Map(
    sizes.map((blocks) => [
      String(blocks),
      [HEADER, ...Array.from({ length: blocks }, () => piece), END, trailer(block, blocks)],
    ]),
  )
  const server = createServer((request, response) => {
    const parts = streams.get(/\/(\d+)\.log/.exec(request.url ?? '')?.[1] ?? '') ?? []
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'content-length': length })
    pipeline(Readable.from(parts), response, () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Checksum and length of what was compressed, as RFC 1952 has them. */
function trailer(block: Buffer, blocks: number): Buffer {
  let checksum = 0
  for (let count = 0; count < blocks; count += 1) checksum = crc32(block, checksum)
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(checksum, 0)
  bytes.writeUInt32LE((block.length * blocks) % 2 ** 32, 4)
  return bytes
}
