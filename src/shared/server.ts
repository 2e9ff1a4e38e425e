import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Where only programs of the same machine can reach. */
export const LOOPBACK = '127.0.0.1'

/** Takes a port, any free one for 0, and resolves with its number. Rejects when it is taken already. */
export async function listen(server: Server, port: number, host = LOOPBACK): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a TCP server has this form of address
}

/** Ends all connections, hanging ones too, and resolves when the port is free. */
export async function shut(server: Server & { closeAllConnections(): void }): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** The whole body of a request; undefined when it is larger than `mostBytes`. Rejects when the connection breaks. */
export async function readWholeBody(
  request: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    // Read to its end but not kept: breaking off would close the connection before the refusal is out.
    if (bytes <= mostBytes) parts.push(part)
  }
  return bytes > mostBytes ? undefined : Buffer.concat(parts)
}
