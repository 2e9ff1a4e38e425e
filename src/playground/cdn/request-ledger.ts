import type { EndpointName } from '../../cdn/contract/endpoints.ts'

/** A request that reached the emulator. No header is kept, so no key is. */
export interface LedgerEntry {
  /** Undefined when no endpoint of the table fits. */
  readonly endpoint: EndpointName | undefined
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** What the JSON said, whole numbers beyond 2^53 as bigint; undefined without a body or before it was read. */
  readonly body: unknown
  readonly at: Date
  /** The status answered; undefined while there is no answer, and for good when none was given. */
  readonly status: number | undefined
  /** Whether a handler ran and, for a write, something was added. */
  readonly carriedOut: boolean
  /** What went wrong on purpose, in a word or two. */
  readonly fault: string | undefined
}

const MAX_ENTRIES = 10_000

/** The newest requests, each kept from the moment it arrives and completed as it is served. */
export class RequestLedger {
  readonly #entries: LedgerEntry[] = []
  readonly #listeners = new Set<() => void>()
  readonly #counts = new Map<EndpointName | undefined, number>()

  /** Notes an arrival; the returned function adds to the note later. */
  arrive(entry: Pick<LedgerEntry, 'endpoint' | 'method' | 'path' | 'query' | 'at'>): (more: Progress) => void {
    const kept = { ...entry, body: undefined, status: undefined, carriedOut: false, fault: undefined }
    this.#entries.push(kept)
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift()
    this.#counts.set(entry.endpoint, this.count(entry.endpoint) + 1)
    const tell = () => this.#listeners.forEach((listener) => listener())
    tell()
    return (more) => {
      Object.assign(kept, more)
      tell()
    }
  }

  get entries(): readonly LedgerEntry[] {
    return this.#entries.map((entry) => ({ ...entry }))
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  count(endpoint: EndpointName | undefined): number {
    return this.#counts.get(endpoint) ?? 0
  }
}

export type Progress = Partial<Pick<LedgerEntry, 'body' | 'status' | 'carriedOut' | 'fault'>>
