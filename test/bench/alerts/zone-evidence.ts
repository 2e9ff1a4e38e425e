import { LagMeter } from '../../../src/alerts/lag.ts'
import { SampleLines } from '../../../src/alerts/sample-lines.ts'
import type { LogEntry } from '../../../src/cdn/log-entry.ts'
import { FIRST_MINUTE } from './zone-lines.ts'

const MINUTE_MS = 60_000
/** A quiet zone's minutes are looked at for their late lines until they are so old. */
const LOOKED_MINUTES = 15
const REASONS = [
  ['HIT', 503],
  ['STALE', 200],
  ['UPDATING', 200],
  ['MISS', 200],
  ['BYPASS', 404],
] as const
const LINES_EACH = 3

/** What the poller of a zone holds between two polls: as many lines to show as it keeps, and what it knows of late ones. */
export interface ZoneEvidence {
  readonly samples: SampleLines
  readonly lag: LagMeter
}

export function evidenceOf(zone: number): ZoneEvidence {
  const samples = new SampleLines()
  samples.add(REASONS.flatMap(([cacheStatus, statusCode]) => linesOf(zone, cacheStatus, statusCode)))
  const lag = new LagMeter()
  for (let stretch = 0; stretch < LOOKED_MINUTES; stretch += 1) {
    for (let age = 1; age <= LOOKED_MINUTES - stretch; age += 1) lag.look(FIRST_MINUTE + stretch, age * MINUTE_MS, 60)
  }
  return { samples, lag }
}

/** As they come out of a page: each text is a line's own. */
function linesOf(zone: number, cacheStatus: string, statusCode: number): readonly LogEntry[] {
  return Array.from({ length: LINES_EACH }, (_, index) => {
    const path = `/hls/${zone}/720p/segment-${statusCode}-${index}.ts?token=xxxxxxxx`
    const line = { cacheStatus, statusCode, path, host: `video.zone-${zone}.example`, edgeLocation: 'Frankfurt' }
    const read = JSON.parse(JSON.stringify(line)) as typeof line
    return { ...read, timestamp: new Date((FIRST_MINUTE + index) * MINUTE_MS) }
  })
}
