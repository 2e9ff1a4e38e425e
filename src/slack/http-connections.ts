import type { Socket } from 'node:net'

/** Many times what Slack and a proxy before the bot open. */
const MAX_CONNECTIONS = 256

/**
 * Open connections, of which there are so many at most. One more makes the oldest give way that has never brought a
 * request of Slack's: whoever opens connections to fill them all shuts out only themselves.
 */
export class Connections {
  readonly #most: number
  readonly #unproven = new Set<Socket>()
  readonly #proven = new Set<Socket>()

  constructor(most = MAX_CONNECTIONS) {
    this.#most = most
  }

  get count(): number {
    return this.#unproven.size + this.#proven.size
  }

  /** Takes up a new connection. */
  admit(socket: Socket): void {
    this.#unproven.add(socket)
    socket.once('close', () => this.#forget(socket))
    // What breaks off while nothing of it is awaited is nobody's concern.
    socket.on('error', () => undefined)
    if (this.count <= this.#most) return
    const [oldest = socket] = this.#unproven
    this.#forget(oldest)
    oldest.destroy()
  }

  /** A request on this connection was Slack's. */
  prove(socket: Socket): void {
    if (this.#unproven.delete(socket)) this.#proven.add(socket)
  }

  #forget(socket: Socket): void {
    this.#unproven.delete(socket)
    this.#proven.delete(socket)
  }
}
