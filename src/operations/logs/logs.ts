import { count } from '../../block-kit/amounts.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import { checkDayFilter, checkLogFilter } from '../../cdn/contract/log-filter.ts'
import { DAY_MS } from '../../shared/durations.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { many, byLooks, isAnything, isTime } from '../declaration/fields.ts'
import type { Issue } from '../declaration/operation.ts'
import { isStart } from '../declaration/time-field.ts'
import { logAnswer } from './log-answer.ts'
import { isCacheWord, logFields, type LogQuestion, MAX_FILE_LINES, MAX_LISTED_LINES } from './log-fields.ts'
import { readLog } from './log-reading.ts'
import { dayFilter, logFilter, questionSentence } from './log-request.ts'

export const logs = defineOperation({
  name: 'logs',
  aliases: ['log'],
  summary: 'Show requests of a pull zone from its log, MISS and STALE unless asked otherwise',
  question: 'What goes wrong?',
  verb: 'Show lines',
  effect: 'read',
  shareable: true,
  fields: logFields,
  positionals: byLooks({
    pullZone: isAnything,
    since: isStart,
    until: isTime,
    status: eachFits((code) => /^(?:[1-5](?:xx|\d\d)|errors?)$/i.test(code)),
    cache: eachFits(isCacheWord),
    url: (typed) => typed.startsWith('/'),
    limit: (typed) => /^\d{1,2}$/.test(typed),
  }),
  form: {
    title: 'Log lines',
    intro: 'The CDN keeps logs for 3 days. More filters can be typed: see the help of this command.',
    fields: () => ['pullZone', 'cache', 'status', 'failing', 'since', 'until', 'url', 'limit', 'by', 'wide'],
  },
  examples: [
    'logs shop --failing',
    'logs 301 --cache MISS,STALE --since 1h',
    'logs 301 --status 5xx --by path',
    'logs shop 5xx 2h',
    'logs shop --failing --by path',
    'logs shop --since 03:10 --until 03:40 --cache all',
    'logs shop --day yesterday --url /checkout --csv',
  ],
  check: (question, { now }) => logIssues(question, now),
  describe: questionSentence,
  run: readLog,
  present: logAnswer,
})

function eachFits(fits: (word: string) => boolean) {
  return (typed: string): boolean => many(typed).length > 0 && many(typed).every((word) => fits(word))
}

const FIELD_NAMES: Readonly<Record<string, keyof LogQuestion>> = {
  from: 'since',
  to: 'until',
  cacheStatus: 'cache',
  requestId: 'request',
  edgeLocation: 'edge',
}

function logIssues(question: Partial<LogQuestion>, now: Date): readonly Issue[] {
  const { day, csv, limit = 0, since } = question
  const tooMany = `At most ${MAX_LISTED_LINES} lines are listed; with --csv a file takes ${count(MAX_FILE_LINES)}.`
  const broken =
    day === undefined
      ? checkLogFilter(logFilter(question, now), now)
      : checkDayFilter(utcDay(day), dayFilter(question), now)
  // A start that only follows from the end given is not the person's mistake; the end is.
  const issues = broken
    .filter(({ field }) => field !== 'from' || since !== undefined)
    .map(({ field, message }) => ({ field: FIELD_NAMES[field] ?? field, problem: message }))
  return [
    ...(csv !== true && limit > MAX_LISTED_LINES ? [{ field: 'limit', problem: tooMany }] : []),
    // Version 1 of the log, one file a day, does not know these; what fails is two questions, each with a filter of its own.
    ...(day === undefined ? [] : excluded(question, '--day', ['order', 'shield', 'continueAt'])),
    ...(day === undefined ? [] : outsideIssues(question, day)),
    ...(question.failing === true ? excluded(question, '--failing', ['cache', 'status', 'day', 'continueAt']) : []),
    ...issues,
  ]
}

function outsideIssues({ since, until }: Partial<LogQuestion>, day: Date): readonly Issue[] {
  const nextDay = new Date(day.getTime() + DAY_MS)
  return Object.entries({ since, until })
    .filter(([, at]) => at !== undefined && (at < day || at > nextDay))
    .map(([field]) => ({
      field,
      problem: `With a day, this must lie inside that day in UTC: give it as ${utcDay(day)}T03:10Z.`,
    }))
}

function excluded(question: Partial<LogQuestion>, other: string, fields: readonly (keyof LogQuestion)[]) {
  return fields
    .filter((field) => question[field] !== undefined && question[field] !== false)
    .map((field) => ({ field, problem: `This and ${other} exclude each other. Leave one out.` }))
}
