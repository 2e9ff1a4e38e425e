import { vi } from 'vitest'
import { TrafficWatch } from '../../src/alerts/watch/traffic-watch.ts'
import { findReadyMinute, ZoneRecord } from '../../src/alerts/log/zone-record.ts'
import { CdnError } from '../../src/cdn/contract/errors.ts'
import { recordingLog } from '../support/recording-log.ts'
import { benchOfTest } from './alert-bench.ts'
import { ScriptedLog } from './scripted-log.ts'

export const SUBJECT = 'pull/301'
const { signal } = new AbortController()

/** A call that the platform refused. */
export function rejected(status: number, retryAfterMs?: number): CdnError {
  return new CdnError('queryLogs', { kind: 'rejected', status, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** A pull zone of a scripted log that is watched by rules of these kinds. */
export async function watched(kinds: readonly string[] = ['origin-failing']) {
  // Ten seconds into a minute, every zone has had its turn.
  const bench = await benchOfTest('2026-01-20T12:00:10Z')
  const log = new ScriptedLog(bench.clock)
  const { log: told, lines } = recordingLog()
  await bench.watch(SUBJECT, ...kinds)
  const posted = vi.fn<() => void>()
  const { store, clock } = bench
  store.outbox.onPut(posted)
  const start = () => new TrafficWatch({ cdn: log.cdn, store, clock, log: told, webhook: false }, SUBJECT, 301n)
  const watch = { now: start() }
  const nowMs = (): number => clock.now().getTime()
  /** Looks whenever it is due, for a while. */
  const run = async (forMs: number): Promise<void> => {
    const endMs = nowMs() + forMs
    while (nowMs() < endMs) clock.turn(Math.max(0, Math.min(await watch.now.look(signal), endMs) - nowMs()))
  }
  return {
    bench,
    log,
    lines,
    posted,
    run,
    nowMs,
    look: () => watch.now.look(signal),
    isHealthy: () => watch.now.isHealthy(nowMs()),
    restart: () => void (watch.now = start()),
    record: async () => ZoneRecord.parse(await bench.kept(SUBJECT)),
    ready: () => findReadyMinute(nowMs(), 120_000),
  }
}
