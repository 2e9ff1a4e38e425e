import { count, percent } from '../../block-kit/amounts.ts'
import type { Block } from '../../block-kit/blocks.ts'
import { message } from '../../block-kit/message.ts'
import { dateTime, joinMd, link, md, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, header, section } from '../../block-kit/sections.ts'
import { fitTable, tableText } from '../../block-kit/table.ts'
import type { Answer } from '../answer.ts'
import type { OperationContext } from '../operation.ts'
import { zoneLabel } from '../zone-field.ts'
import { logButtons, widenButtons } from './log-buttons.ts'
import { cacheWord, DEFAULT_LISTED_LINES, type LogQuestion, MAX_LISTED_LINES } from './log-fields.ts'
import { logFile } from './log-file.ts'
import { logNotes, matchSentence } from './log-notes.ts'
import { cutLines, type LogLines } from './log-page.ts'
import type { LogReading } from './log-reading.ts'
import { groupsTable, linesTable } from './log-table.ts'
import { readerTimes } from '../reader-times.ts'
import { filterWords } from './log-words.ts'

const MAX_STATUSES_SAID = 12

/** What an answer consists of, before it becomes blocks and their twin in words. */
interface Parts {
  readonly title: string
  readonly lead: readonly Mrkdwn[]
  readonly table: { readonly block: Block; readonly text: string } | undefined
  readonly notes: readonly Mrkdwn[]
}

/** Lines or groups of a zone's log, how many there are of each cache status, and what was left out. */
export function logAnswer(
  reading: LogReading,
  question: LogQuestion,
  { actor, panel }: Pick<OperationContext, 'actor' | 'panel'>,
): Answer {
  const title = `Log of pull zone ${zoneLabel(question.pullZone)}`
  const place = panel('pull-zone', question.pullZone.id)
  const where = joinMd([looked(reading, question), ...(place ? [link(place, 'Open in the panel')] : [])], ' · ')
  const notes = logNotes(reading, question).map((note) => md`${note}`)
  if (reading.counts.lines === 0) {
    const lead = [where, md`No ${reading.skipped > 0 ? 'readable ' : ''}line matches.`, widen(reading, question)]
    const next = cutLines(reading, question, 0).next
    return {
      message: compose({ title, lead, table: undefined, notes }),
      buttons: widenButtons(reading, question, next),
    }
  }
  const lead = [where, md`*${matchSentence(reading, question)}*\n${statusCounts(reading)}`]
  const file = question.csv === true ? { file: logFile(reading, question) } : {}
  if (question.by !== undefined) {
    const table = groupsTable(reading.counts, question)
    const { block, kept } = fitTable(table)
    const cut = groupsCut(reading, kept)
    return {
      message: compose({ title, lead, table: { block, text: tableText(table) }, notes: [...cut, ...notes] }),
      buttons: logButtons(reading, question, undefined),
      ...file,
    }
  }
  const shown = shownLines(reading, question, actor.timeZone)
  const cut = linesCut(reading, question, shown)
  return {
    message: compose({ title, lead, table: shown.table, notes: [...cut, ...notes] }),
    buttons: logButtons(reading, question, shown.next),
    ...file,
  }
}

function compose({ title, lead, table, notes }: Parts): Answer['message'] {
  return message({
    text: [title, ...lead.map(plainOf), ...notes.map(plainOf), ...(table ? [table.text] : [])].join('\n'),
    blocks: [
      header(title),
      ...lead.map((part, index) => (index === 0 ? context(part) : section(part))),
      ...(table ? [table.block] : []),
      ...notes.map((note) => context(note)),
    ],
  })
}

/** The range as the platform applied it, and the filters. */
function looked({ from, to, dayFile }: LogReading, question: LogQuestion): Mrkdwn {
  const start = from ?? question.since
  const range = md`${start ? dateTime(start) : 'the start the platform chose'} to ${to ? dateTime(to) : 'now'}`
  const filters = filterWords(question)
  const source = dayFile === undefined ? '' : ' · file of the day (version 1)'
  return md`${range} · ${filters.length === 0 ? 'no filter' : filters.join(' · ')}${source}`
}

function statusCounts({ counts: { byCacheStatus, lines } }: LogReading): Mrkdwn {
  const said = byCacheStatus
    .slice(0, MAX_STATUSES_SAID)
    .map((status) => md`${cacheWord(status.name)} ${count(status.lines)} (${percent(status.lines / lines)})`)
  const rest = byCacheStatus.length - said.length
  return joinMd([...said, ...(rest > 0 ? [md`${rest} other statuses`] : [])], ' · ')
}

interface ShownLines extends LogLines {
  readonly table: { readonly block: Block; readonly text: string }
}

/** As many lines as were asked for and find room; the next page begins with the first that did not. */
function shownLines(reading: LogReading, question: LogQuestion, timeZone: string): ShownLines {
  const times = readerTimes(timeZone)
  const wanted = question.csv === true ? DEFAULT_LISTED_LINES : (question.limit ?? DEFAULT_LISTED_LINES)
  const candidates = reading.lines.slice(0, Math.min(wanted, MAX_LISTED_LINES))
  const { kept } = fitTable(linesTable(candidates, question, times))
  // A file holds every line that was read, so what comes next begins after those and not after the few listed.
  const cut = cutLines(reading, question, question.csv === true ? reading.lines.length : kept)
  const table = linesTable(cut.lines.slice(0, kept), question, times)
  return { ...cut, table: { block: fitTable(table).block, text: tableText(table) } }
}

function linesCut({ counts }: LogReading, { csv }: LogQuestion, { table, lost }: ShownLines): readonly Mrkdwn[] {
  const listed = table.block.type === 'data_table' ? table.block.rows.length - 1 : 0
  return [
    ...(listed < counts.lines
      ? [md`${count(listed)} of them are listed${csv === true ? '; the file has more' : ''}.`]
      : []),
    ...(lost > 0 ? [md`${count(lost)} lines of one and the same instant found no room; a CSV file has them.`] : []),
  ]
}

function groupsCut({ counts }: LogReading, kept: number): readonly Mrkdwn[] {
  const others = counts.groups.length - kept
  return [
    ...(others > 0 ? [md`${count(others)} smaller groups are not listed.`] : []),
    ...(counts.ungrouped > 0
      ? [md`${count(counts.ungrouped)} lines are of further groups, which were not told apart.`]
      : []),
  ]
}

function widen({ pages, complete, dayFile }: LogReading, { day }: LogQuestion): Mrkdwn {
  const kept = md`The platform keeps logs for 3 days, and only of zones with logging enabled.`
  if (dayFile !== undefined) return md`${count(dayFile.lines)} lines of the day were looked at. ${kept}`
  if (!complete) return md`${count(pages)} answers of the platform held no match, and there is more to look through.`
  return day === undefined ? md`To see more, widen the range or leave out a filter. ${kept}` : kept
}
