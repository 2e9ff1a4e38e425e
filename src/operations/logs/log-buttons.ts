import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import type { AnswerButton } from '../answer.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { LogQuestion } from './log-fields.ts'
import type { LogReading } from './log-reading.ts'
import { questionValues, usesDefaultCache } from './log-request.ts'

const OPERATION = 'logs'
/** A range this close to everything the platform keeps is not worth widening. */
const NEARLY_MS = 60 * 60_000

/** What one may want after an answer with lines: the next ones, the same grouped or as a file, another question. */
export function logButtons(
  { from, to }: LogReading,
  question: LogQuestion,
  next: RawValues | undefined,
): readonly AnswerButton[] {
  // The same range again, whatever the time when the button is pressed.
  const pinned = { since: from?.toISOString(), until: to?.toISOString(), limit: undefined }
  const again = (label: string, changes: Parameters<typeof questionValues>[1]): AnswerButton => ({
    kind: 'page',
    label,
    values: questionValues(question, { ...pinned, ...changes }),
  })
  return [
    ...(next === undefined ? [] : [{ kind: 'page', label: nextLabel(question), values: next } as const]),
    question.by === undefined
      ? again('Count by path', { by: 'path', csv: undefined, continueAt: undefined })
      : again('Show lines', { by: undefined, csv: undefined }),
    ...(question.csv === true ? [] : [again('Send as CSV', { csv: 'true' })]),
    changeButton(question),
  ]
}

/** Ways out of an answer without lines. */
export function widenButtons(
  { complete, from, to }: LogReading,
  question: LogQuestion,
  next: RawValues | undefined,
): readonly AnswerButton[] {
  const everyStatus = questionValues(question, { cache: 'all', continueAt: undefined })
  const allDays = questionValues(question, { since: '3d', until: undefined, continueAt: undefined })
  return [
    ...(complete || next === undefined ? [] : [{ kind: 'page', label: nextLabel(question), values: next } as const]),
    ...(usesDefaultCache(question)
      ? [{ kind: 'page', label: 'Every cache status', values: everyStatus } as const]
      : []),
    ...(question.day === undefined && !isNearlyAll(from, to)
      ? [{ kind: 'page', label: 'Last 3 days', values: allDays } as const]
      : []),
    changeButton(question),
  ]
}

function isNearlyAll(from: Date | undefined, to: Date | undefined): boolean {
  return from !== undefined && to !== undefined && to.getTime() - from.getTime() > LOG_RETENTION_MS - NEARLY_MS
}

function nextLabel({ order, csv }: LogQuestion): string {
  if (csv === true) return 'Next file'
  return order === 'asc' ? 'Newer' : 'Older'
}

function changeButton(question: LogQuestion): AnswerButton {
  return {
    kind: 'form',
    label: 'Change filters',
    operation: OPERATION,
    values: questionValues(question, { continueAt: undefined }),
  }
}
