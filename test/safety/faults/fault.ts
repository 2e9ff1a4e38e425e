import type { EndpointName } from '../../../src/cdn/contract/endpoints.ts'
import type { CdnFailure } from '../../../src/cdn/contract/errors.ts'
import type { Outcome } from '../../../src/execution/messages/write-outcome.ts'
import { type Answer, PlatformServer } from '../../cdn/platform-server.ts'
import { FaultProxy, type Toxics } from './fault-proxy.ts'
import { type FaultedOperation, type OperationKind, OPERATIONS, UNANSWERED } from './operations.ts'

/** What the matrix calls a fault, and what has to come of it: one cell for each operation. */
export interface Fault {
  readonly name: string
  /** Makes a platform with this fault, as the operation needs it. */
  readonly place: (operation: FaultedOperation) => Promise<Place>
  /** By the kind of the operation. There is no fault without a word on each kind that reads its answer. */
  readonly expected: Rows
  /** Where a write whose answer is not read differs from others. */
  readonly unread?: Expected
  /** Where an operation differs from others of its kind. */
  readonly own?: Readonly<Partial<Record<EndpointName, Expected>>>
}

export type Rows = Readonly<Record<Exclude<OperationKind, typeof UNANSWERED>, Expected>>

/** A platform as the client meets it. */
export interface Place extends AsyncDisposable {
  readonly url: string
  /** How many requests were read whole. */
  readonly requests: () => number
  /** For silence: resolves when there is nothing left but to wait. */
  readonly silent?: () => Promise<void>
  /** How the clock goes while there is silence; a second a turn of the loop unless said. */
  readonly pace?: { readonly turnMs: number; readonly realMs: number }
}

export interface Expected {
  /** An answer, or how the failure looks at least. */
  readonly ends: 'answer' | Readonly<{ kind: CdnFailure['kind'] } & Record<string, unknown>>
  /** Requests the platform read, each a chance to be carried out. */
  readonly sends: number
  /** Attempts of the client, those that reached nobody included. */
  readonly tries: number
  /** For a write: what is known of it. */
  readonly outcome?: Outcome
  /** What people are told happened. */
  readonly says?: RegExp
  /** How long it takes at least, by the client's clock. */
  readonly lastsMs?: number
}

/** A sound answer for an operation. */
export function good({ good, contentType }: FaultedOperation): Answer {
  return body(good, { 'content-type': contentType })
}

/** An answer of these bytes with 200. */
export function body(bytes: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer {
  const length = String(Buffer.byteLength(bytes))
  return (response) => void response.writeHead(200, { 'content-length': length, ...headers }).end(bytes)
}

/** A platform that answers so, behind a proxy that spoils it so. */
export async function place(answers: readonly Answer[], toxics: Toxics = {}, scheme = 'http'): Promise<Place> {
  const platform = await PlatformServer.start(...answers)
  const proxy = await FaultProxy.start(Number(new URL(platform.url).port), toxics)
  return {
    url: `${scheme}://127.0.0.1:${proxy.port}`,
    requests: () => platform.received.length,
    ...((toxics.cut?.how === 'hang' || toxics.drip !== undefined) && { silent: async () => proxy.reached() }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await platform[Symbol.asyncDispose]()
    },
  }
}

/** An address at which there is no platform at all. */
export function nowhere(url: string, more: Partial<Place> = {}): Place {
  return { url, requests: () => 0, [Symbol.asyncDispose]: async () => undefined, ...more }
}

/** One fault on one operation. */
export interface Cell {
  /** Of the test that plays it. */
  readonly name: string
  readonly fault: Fault
  readonly operation: FaultedOperation
  readonly expected: Expected
}

/** Every fault on every operation. */
export function cellsOf(faults: readonly Fault[]): readonly Cell[] {
  return faults.flatMap((fault) =>
    [...OPERATIONS].map(([endpoint, operation]) => {
      const name = `${fault.name}: ${endpoint}`
      const own = endpoint === UNANSWERED ? undefined : fault.own?.[endpoint]
      return { name, fault, operation, expected: own ?? expectedOf(fault, operation.kind) }
    }),
  )
}

/** What is wrong with the answer to a write does not matter where nothing of it is read. */
function expectedOf({ expected, unread }: Fault, kind: OperationKind): Expected {
  if (kind !== UNANSWERED) return expected[kind]
  const { write } = expected
  const isBodyWrong = write.ends !== 'answer' && write.ends.kind === 'malformed'
  return unread ?? (isBodyWrong ? { ends: 'answer', sends: 1, tries: 1 } : write)
}
