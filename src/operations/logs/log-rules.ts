import { count } from '../../block-kit/amounts.ts'
import { utcDay } from '../../cdn/dates.ts'
import { checkDayFilter, checkLogFilter } from '../../cdn/log-filter.ts'
import type { Issue } from '../operation.ts'
import { DAY_MS } from '../time-field.ts'
import { MAX_FILE_LINES, MAX_LISTED_LINES, type LogQuestion } from './log-fields.ts'
import { dayFilter, logFilter } from './log-request.ts'

/** What the filters of the interface are called here. */
const FIELD_NAMES: Readonly<Record<string, keyof LogQuestion>> = {
  from: 'since',
  to: 'until',
  cacheStatus: 'cache',
  requestId: 'request',
  edgeLocation: 'edge',
}

/** Every rule a question breaks that spans fields, or that the log interface states. */
export function logIssues(question: Partial<LogQuestion>, now: Date): readonly Issue[] {
  const { day, csv, limit } = question
  const long: readonly Issue[] =
    csv !== true && limit !== undefined && limit > MAX_LISTED_LINES
      ? [
          {
            field: 'limit',
            problem: `At most ${MAX_LISTED_LINES} lines are listed; with --csv a file takes ${count(MAX_FILE_LINES)}.`,
          },
        ]
      : []
  const broken =
    day === undefined
      ? checkLogFilter(logFilter(question, now), now)
      : checkDayFilter(utcDay(day), dayFilter(question), now)
  // A start that only follows from the end given is not the person's mistake; the end is.
  const issues = broken
    .filter(({ field }) => field !== 'from' || question.since !== undefined)
    .map(({ field, message }) => ({ field: FIELD_NAMES[field] ?? field, problem: message }))
  return [...long, ...(day === undefined ? [] : dayOnlyIssues(question, day)), ...issues]
}

/** Version 1 is one file a day: what it cannot do is said, with the version that can. */
function dayOnlyIssues({ order, shield, continueAt, since, until }: Partial<LogQuestion>, day: Date): readonly Issue[] {
  const unknown = [
    ...(order === undefined ? [] : (['order'] as const)),
    ...(shield === true ? (['shield'] as const) : []),
    ...(continueAt === undefined ? [] : (['continueAt'] as const)),
  ].map((field) => ({
    field,
    problem: `Only version 2 of the log knows this; the file of a day (version 1) does not. Leave out the day, or this.`,
  }))
  const outside = (['since', 'until'] as const).flatMap((field) => {
    const at = field === 'since' ? since : until
    if (at === undefined || (at >= day && at.getTime() <= day.getTime() + DAY_MS)) return []
    const example = `${utcDay(day)}T03:10Z`
    return [{ field, problem: `With a day, this must lie inside that day in UTC: give it as ${example}.` }]
  })
  return [...unknown, ...outside]
}
