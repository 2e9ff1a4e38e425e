import { randomUUID } from 'node:crypto'
import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises'

/** Time, timers and randomness: nothing else in the program reads them, so a test can turn the clock. */
export interface Clock {
  now(): Date
  /** Milliseconds that never go back, for measuring durations. */
  monotonicMs(): number
  /** Runs `work` once after `delayMs`, without keeping the process alive. */
  after(delayMs: number, work: () => void): Timer
  /** Resolves after `delayMs`; rejects when the signal is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
  /** A new random identifier of 128 bits, as 32 lower-case hexadecimal digits. */
  newId(): string
}

export interface Timer {
  cancel(): void
}

/** The true time of the machine, and its source of chance. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs).unref()
    return { cancel: () => clearTimeout(timer) }
  },
  async sleep(delayMs, signal) {
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal })
  },
  newId: () => randomUUID().replaceAll('-', ''),
}

/** Lets everything else that is ready run, between two steps of long work. No time has to pass for it. */
export async function turnOfTheLoop(): Promise<void> {
  await immediately()
}

const LONGEST_DELAY_MS = 2 ** 31 - 1

/** Keeps the process alive until `work` has ended, whatever it waits for: timers of `after` do not. Ends as it does. */
export async function stayAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, LONGEST_DELAY_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

const LOOKS_APART_MS = 100

/** What `look` finds, looked for again and again until it is there; undefined when the time is over first. Rejects as it does. */
export async function lookFor<T>(
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
  limitMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const endMs = clock.monotonicMs() + limitMs
  for (;;) {
    const found = await look()
    if (found !== undefined || clock.monotonicMs() >= endMs) return found
    await clock.sleep(LOOKS_APART_MS)
  }
}

/** What `work` resolves with, or undefined when the time is over first: then nobody hears how it ends. Rejects as it does. */
export async function waitAtMost<T>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const limit = Promise.withResolvers<undefined>()
  const timer = clock.after(limitMs, () => limit.resolve(undefined))
  try {
    return await Promise.race([work.then((value) => ({ value })), limit.promise])
  } finally {
    timer.cancel()
  }
}

/** What `work` resolves with; its signal is aborted when the time is over first. Rejects as it does. */
export async function withTimeout<T>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = clock.after(limitMs, () => timeout.abort())
  try {
    return await work(timeout.signal)
  } finally {
    timer.cancel()
  }
}
