import type { RunResult } from './run.ts'

/** A run as a table for people: the figures first, then the points, then whatever was wrong. */
export function reportOf(result: RunResult): string {
  const { ends, violations } = result
  const figures: readonly (readonly [string, number | string])[] = [
    ['rounds', result.rounds],
    ['kills where they were meant', result.kills],
    ['processes stopped past their lease', result.zombies],
    ['changes asked for', result.changes],
    ['of these still unknown', result.unknown],
    ['writes at the platform', result.requests],
    ['entries on record', result.auditEntries],
    ['second messages about a change', result.duplicateCards],
    ['violations', violations.length],
    ['seconds', result.seconds.toFixed(0)],
    ['rounds per second', (result.rounds / result.seconds).toFixed(2)],
  ]
  const points = [...new Set(ends.map(({ point }) => point))].map((point) => {
    const own = ends.filter((end) => end.point === point)
    return [point, `${own.filter(({ isReached }) => isReached).length} of ${own.length}`] as const
  })
  return [
    `Store: ${result.store}`,
    ...lines(figures),
    '',
    'Killed at',
    ...lines(points),
    ...(violations.length === 0 ? [] : ['', 'VIOLATIONS']),
    ...violations.map(({ rule, about }) => `  ${rule}: ${about}`),
    '',
  ].join('\n')
}

function lines(rows: readonly (readonly [string, number | string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(8)}`)
}
