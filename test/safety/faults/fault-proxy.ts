import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { systemClock } from '../../../src/shared/clock.ts'

/** How far an exchange is: nothing read yet; request read; then so much of the answer passed on. */
export type Stage = 'accepted' | 'asked' | 'status line' | 'headers' | 'body'

/** What goes wrong on the way, if anything. */
export interface Toxics {
  /** At this stage nothing more is passed on: silence, a reset (RST), or a proper end (FIN). */
  readonly cut?: { readonly at: Stage; readonly how: 'hang' | 'reset' | 'end' }
  /** The answer, or only its body, goes on in pieces of so many bytes, one every so often. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number; readonly bodyOnly?: boolean }
}

/** Of the status line and of the body, what is passed on before a cut there. */
const STATUS_LINE_BYTES = 9
const BODY_BYTES = 60
const END_OF_HEADERS = '\r\n\r\n'

/** A TCP proxy on loopback, in this process, that passes everything on and spoils what it is told to. */
export class FaultProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #toxics: Toxics
  readonly #target: number
  readonly #cut = Promise.withResolvers<void>()

  private constructor(target: number, toxics: Toxics) {
    this.#target = target
    this.#toxics = toxics
    this.#server = createServer({ pauseOnConnect: true }, (client) => this.#accept(client))
  }

  /** In front of whatever listens at `target` on loopback. */
  static async start(target: number, toxics: Toxics = {}): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, toxics)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // a TCP server has this form of address
  }

  /** Resolves when the cut was made, or the first piece of a dripping answer is out, for the first time. */
  async reached(): Promise<void> {
    await this.#cut.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    this.#watch(client)
    if (this.#toxics.cut?.at === 'accepted') {
      // Only once the request lies there unread: a reset while it still connects would be another fault.
      client.once('data', () => this.#end(client)).resume()
      return
    }
    const platform = createConnection({ port: this.#target, host: '127.0.0.1' })
    this.#watch(platform)
    client.on('close', () => platform.destroy())
    client.pipe(platform)
    client.resume()
    void this.#answer(platform, client).catch(() => client.destroy())
  }

  async #answer(platform: Socket, client: Socket): Promise<void> {
    const { cut } = this.#toxics
    let held = Buffer.alloc(0)
    let passed = 0
    for await (const chunk of platform) {
      held = Buffer.concat([held, chunk as Buffer]) // without an encoding sockets give buffers
      const limit = cut === undefined ? Number.POSITIVE_INFINITY : limitOf(cut.at, held)
      if (limit === undefined) continue
      const piece = held.subarray(0, Math.max(0, limit - passed))
      const whole = this.#toxics.drip?.bodyOnly === true && passed === 0 ? endOfHeaders(piece) : 0
      client.write(piece.subarray(0, whole))
      await this.#passOn(piece.subarray(whole), client)
      passed += piece.length
      held = held.subarray(piece.length)
      if (passed >= limit) {
        this.#end(client)
        return
      }
    }
    client.end()
  }

  async #passOn(piece: Buffer, client: Socket): Promise<void> {
    const { bytes = piece.length, everyMs = 0 } = this.#toxics.drip ?? {}
    for (let at = 0; at < piece.length; at += bytes) {
      if (client.destroyed) throw new Error('The client is gone')
      if (!client.write(piece.subarray(at, at + bytes))) await this.#drained(client)
      if (this.#toxics.drip === undefined) continue
      await systemClock.sleep(everyMs)
      this.#cut.resolve()
    }
  }

  async #drained(client: Socket): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    client.once('drain', resolve).once('close', resolve)
    await promise
    client.off('drain', resolve).off('close', resolve)
  }

  #end(client: Socket): void {
    const how = this.#toxics.cut?.how
    // What was passed on has to be on its way, or a reset would take it back.
    if (how === 'reset') setImmediate(() => client.resetAndDestroy())
    else if (how === 'end') client.end()
    this.#cut.resolve()
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
  }
}

/** How many bytes of an answer may go before the cut; undefined while that is not known yet. */
function limitOf(stage: Stage, held: Buffer): number | undefined {
  if (stage === 'accepted' || stage === 'asked') return 0
  if (stage === 'status line') return STATUS_LINE_BYTES
  const end = endOfHeaders(held)
  if (end === 0) return undefined
  if (stage === 'headers') return end
  return held.length < end + BODY_BYTES ? undefined : end + BODY_BYTES
}

/** Where the body begins; 0 while the headers are not whole. */
function endOfHeaders(bytes: Buffer): number {
  const at = bytes.indexOf(END_OF_HEADERS)
  return at < 0 ? 0 : at + END_OF_HEADERS.length
}
