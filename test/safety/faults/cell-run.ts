import { inspect } from 'node:util'
import { expect, vi } from 'vitest'
import type { CallReport } from '../../../src/cdn/http/transport.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { endedMessage, wordEnding, explain } from '../../../src/execution/messages/error-messages.ts'
import { type Outcome, classifyFailure } from '../../../src/execution/messages/write-outcome.ts'
import { systemClock, turnOfTheLoop } from '../../../src/shared/clock.ts'
import { clientFor, KEY } from '../../cdn/platform-server.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import type { Cell, Place } from './fault.ts'

const STEP_MS = 1_000
const TURNS_TO_READ = 20
/** What people are told was and was not done, by hand. */
const DONE_OR_NOT: Readonly<Record<Outcome, RegExp>> = {
  done: /^Done, but the answer could not be read\n[\s\S]*It was carried out/,
  rejected: /^Refused by the CDN: nothing was changed\n[\s\S]*(Ask|Check|Correct|If you do not see why)/,
  not_sent: /^Not sent: nothing was changed\n[\s\S]*Ask again/,
  unknown:
    /^Unknown: it may or may not have happened\n[\s\S]*1\.[\s\S]*2\. Look[\s\S]*3\. Press[\s\S]*never sent again by itself/,
}
const READ = /^(?![\s\S]*Nothing was changed)[\s\S]*(Ask|Check|Correct|If (it happens|you))/

/** A clock whose pauses are over at once, and are counted. All else waits until it is turned. */
class NappingClock extends TurnedClock {
  readonly startedAtMs = this.monotonicMs()

  override async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    this.turn(delayMs)
    signal?.throwIfAborted()
    await turnOfTheLoop()
  }

  get elapsedMs(): number {
    return this.monotonicMs() - this.startedAtMs
  }
}

/** Plays one cell, and holds it to what is expected. Gives the name of the fault that was withstood. */
export async function runCell({ fault, operation, expected }: Cell): Promise<string> {
  await using place = await fault.place(operation)
  const clock = new NappingClock()
  const reports: CallReport[] = []
  const client = clientFor(place.url, { clock, onCall: (report) => void reports.push(report) })
  try {
    const call = settled(operation.call(client, clock.now()))
    if (place.silent !== undefined) await letTimePass(place, clock, call)
    const result = await call.outcome
    const { ends, sends, tries, lastsMs = 0 } = expected
    const told = [
      result.error === undefined ? 'answer' : failureOf(result.error),
      place.requests(),
      reports[0]?.attempts,
    ]
    expect(told).toEqual([ends === 'answer' ? ends : expect.objectContaining(ends), sends, tries])
    expect(clock.elapsedMs).toBeLessThanOrEqual(operation.deadlineMs)
    expect(clock.elapsedMs).toBeGreaterThanOrEqual(lastsMs)
    if (result.error === undefined) expect(await operation.call(client, clock.now())).toEqual(result.answer)
    else holdWords(result.error, expected)
    return fault.name
  } finally {
    await client.close()
  }
}

interface Settled {
  readonly outcome: Promise<{ readonly answer?: unknown; readonly error?: unknown }>
  isOver: boolean
}

function settled(call: Promise<unknown>): Settled {
  const state: Settled = {
    isOver: false,
    outcome: call.then(
      (answer) => ((state.isOver = true), { answer }),
      (error: unknown) => ((state.isOver = true), { error }),
    ),
  }
  return state
}

async function letTimePass({ silent, pace }: Place, clock: NappingClock, call: Settled): Promise<void> {
  await Promise.race([silent?.(), call.outcome])
  // The call's own time begins when it has its slot; and what was passed on before the silence has to be read first.
  await vi.waitFor(() => expect(clock.timers > 0 || call.isOver).toBe(true), { interval: 1 })
  for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await turnOfTheLoop()
  while (!call.isOver) {
    clock.turn(pace?.turnMs ?? STEP_MS)
    await (pace === undefined ? turnOfTheLoop() : systemClock.sleep(pace.realMs))
  }
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof CdnError)) throw new Error(`Not a CdnError: ${inspect(error)}`)
  expect(inspect(error, { showHidden: true, depth: 9 })).not.toMatch(new RegExp(`${KEY}|127\\.0\\.0\\.1`))
  return error.failure
}

function holdWords(error: unknown, { outcome, says }: Cell['expected']): void {
  if (outcome === undefined) {
    const text = explain(error)?.text
    expect(text).toMatch(READ)
    if (says !== undefined) expect(text).toMatch(says)
    return
  }
  expect(classifyFailure(error)).toBe(outcome)
  const newIncident = (): string => {
    throw new Error('This is no bug')
  }
  const words = wordEnding(error, newIncident)
  const { text } = endedMessage({
    ...words,
    sentence: 'Add it',
    outcome,
    lookFor: 'Look for it.',
    panel: undefined,
  })
  expect(text).toMatch(DONE_OR_NOT[outcome])
  if (says !== undefined) expect(text).toMatch(says)
}
