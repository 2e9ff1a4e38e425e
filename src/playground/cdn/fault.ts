/** A way in which the platform, or the network before it, can fail. What each does to a write is in {@link carriesOut}. */
export type Fault =
  /** An answer with another status, by default with the error body of the interface. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: 'error' | 'empty' | 'text' | 'html'
      /** Sent as `Retry-After`, whatever it says. */
      readonly retryAfter?: string
    }
  /** The connection is reset instead of an answer. */
  | { readonly kind: 'reset'; readonly carriedOut: boolean }
  /** No answer ever comes. */
  | { readonly kind: 'hang'; readonly carriedOut: boolean }
  /** The right answer comes late. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The right answer comes a few bytes at a time. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Half of the right answer, then a reset. */
  | { readonly kind: 'cut' }
  /** The right status without a body. */
  | { readonly kind: 'empty' }
  /** A page of some proxy with status 200. */
  | { readonly kind: 'html' }
  /** Every value of the right answer has another type. */
  | { readonly kind: 'wrong types' }
  /** The right answer with fields nobody described. */
  | { readonly kind: 'extra fields' }
  /** Text that stops in the middle of a value. */
  | { readonly kind: 'bad JSON' }
  /** The right answer with a byte that is no UTF-8. */
  | { readonly kind: 'bad UTF-8' }
  /** Arrays in arrays, 100,000 deep. */
  | { readonly kind: 'deep' }
  /** The right answer behind that many bytes of white space; with `gzip` a thousandth of them travels. */
  | { readonly kind: 'huge'; readonly bytes: number; readonly gzip: boolean }
  /** The right answer compressed, asked for or not. */
  | { readonly kind: 'gzip' }
  | { readonly kind: 'redirect'; readonly location: string }

/** Whether a write takes effect although it is answered wrongly or not at all. */
export function carriesOut(fault: Fault | undefined): boolean {
  if (fault === undefined) return true
  if (fault.kind === 'reset' || fault.kind === 'hang') return fault.carriedOut
  return fault.kind !== 'status' && fault.kind !== 'redirect'
}

const MIB = 1_048_576
const SENTINEL_IDS = 9_000n
const CODED_MIN = 9_400n
const CODED_MAX = 9_599n

/**
 * The faults a person can reach by hand. By name: a video library called `fault-hang`, a DNS record named `fault-hang` or
 * `fault-hang.www`. By id, as a storage zone, a pull zone, a DNS zone or a page of the keys: the number in front.
 * `fault-503` and 9503 answer with that status, and so on from 400 to 599.
 */
export const SENTINELS: Readonly<Record<string, { readonly id: bigint; readonly fault: Fault }>> = {
  'fault-slow': { id: 9_001n, fault: { kind: 'slow', delayMs: 3_000 } },
  'fault-hang': { id: 9_002n, fault: { kind: 'hang', carriedOut: false } },
  'fault-accepted-hang': { id: 9_003n, fault: { kind: 'hang', carriedOut: true } },
  'fault-reset': { id: 9_004n, fault: { kind: 'reset', carriedOut: false } },
  'fault-accepted-reset': { id: 9_005n, fault: { kind: 'reset', carriedOut: true } },
  'fault-cut': { id: 9_006n, fault: { kind: 'cut' } },
  'fault-empty': { id: 9_007n, fault: { kind: 'empty' } },
  'fault-html': { id: 9_008n, fault: { kind: 'html' } },
  'fault-wrong-types': { id: 9_009n, fault: { kind: 'wrong types' } },
  'fault-extra-fields': { id: 9_010n, fault: { kind: 'extra fields' } },
  'fault-bad-json': { id: 9_011n, fault: { kind: 'bad JSON' } },
  'fault-bad-utf8': { id: 9_012n, fault: { kind: 'bad UTF-8' } },
  'fault-deep': { id: 9_013n, fault: { kind: 'deep' } },
  'fault-huge': { id: 9_014n, fault: { kind: 'huge', bytes: 64 * MIB, gzip: false } },
  'fault-bomb': { id: 9_015n, fault: { kind: 'huge', bytes: 256 * MIB, gzip: true } },
  'fault-gzip': { id: 9_016n, fault: { kind: 'gzip' } },
  'fault-redirect': { id: 9_017n, fault: { kind: 'redirect', location: 'http://elsewhere.example/' } },
  'fault-drip': { id: 9_018n, fault: { kind: 'drip', bytes: 16, everyMs: 200 } },
}

/** The fault a name stands for, if it stands for one. */
export function faultByName(name: string): Fault | undefined {
  const [word = ''] = name.split('.')
  const status = /^fault-([45]\d\d)$/.exec(word)?.[1]
  return status === undefined ? SENTINELS[word]?.fault : { kind: 'status', status: Number(status) }
}

/** The fault an id stands for, if it stands for one. */
export function faultById(id: bigint): Fault | undefined {
  if (id >= CODED_MIN && id <= CODED_MAX) return { kind: 'status', status: Number(id - SENTINEL_IDS) }
  return Object.values(SENTINELS).find((sentinel) => sentinel.id === id)?.fault
}
