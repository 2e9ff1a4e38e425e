import type { Judged } from './table.ts'
import { FAST_FROM_REQUESTS, FAST_WITHIN_MS, TOLD_WITHIN_MS } from './verdict.ts'

/** All that was promised of a day and not kept, as sentences; empty when all was. */
export function problemsOf({ seed, verdict }: Judged): readonly string[] {
  const cases = verdict.cases.flatMap((told) => {
    const { scripted, cards, resolutions, afterStartMs, afterHeldMs } = told
    const { what, site } = scripted
    const name = `${seed}: ${what} on ${site.name} (${new Date(scripted.fromMs).toISOString()})`
    const isFast = what === 'origin outage' && site.perMinute >= FAST_FROM_REQUESTS
    return [
      ...(cards === 1 ? [] : [`${name}: ${cards} messages instead of one`]),
      ...(cards === 0 || resolutions === 1 ? [] : [`${name}: resolved ${resolutions} times`]),
      ...(afterHeldMs === undefined && cards > 0 ? [`${name}: told before any definition held`] : []),
      ...(afterHeldMs === undefined || afterHeldMs <= TOLD_WITHIN_MS
        ? []
        : [`${name}: told ${afterHeldMs / 1_000} s after a definition held`]),
      ...(isFast && afterStartMs !== undefined && afterStartMs > site.lagMs + FAST_WITHIN_MS
        ? [`${name}: the fast lane took ${(afterStartMs - site.lagMs) / 1_000} s beside the lag`]
        : []),
    ]
  })
  const wrong = verdict.falseAlarms.map(
    ({ subject, atMs, doc }) =>
      `${seed}: false alarm about ${subject} at ${new Date(atMs).toISOString()}: ` +
      doc.alerts.map(({ kind, facts }) => `${kind}: ${facts.sentence}`).join(' / '),
  )
  return [...cases, ...wrong]
}
