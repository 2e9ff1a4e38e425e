import { isIPv4 } from 'node:net'
import { bytes, count, counted } from '../../block-kit/amounts.ts'
import { cacheWord, type LogQuestion, MAX_FILE_LINES } from './log-fields.ts'
import type { LogReading } from './log-reading.ts'
import { usesDefaultCache } from './log-request.ts'

/** What a reader has to know about the lines: what was left out, what a filter is worth. Sentences of plain text. */
export function logNotes(reading: LogReading, question: LogQuestion): readonly string[] {
  return [
    ...defaultNote(question),
    ...(question.csv === true ? fileNotes(reading, question) : []),
    ...dayFileNotes(reading),
    ...(reading.skipped > 0 ? [`Over 8 MB, and passed over: ${counted(reading.skipped, 'line')}.`] : []),
    ...addressNotes(reading, question),
    ...(question.shield === true ? ['Requests to the origin shield are counted beside those they come from.'] : []),
  ]
}

export function matchSentence({ counts, complete, dayFile }: LogReading, { order }: LogQuestion): string {
  const lines = counted(counts.lines, 'matching line')
  const sent = `${bytes(counts.bytes)} sent`
  if (dayFile !== undefined) return `${lines} of ${counted(dayFile.lines, 'line')} in the file of the day, ${sent}.`
  if (complete) return `${lines}, ${sent}.`
  const end = order === 'asc' ? 'oldest' : 'newest'
  return `The ${end} ${lines}, ${sent}; there may be more, which were not looked at.`
}

function defaultNote(question: LogQuestion): readonly string[] {
  if (!usesDefaultCache(question)) return []
  return ['Only MISS and STALE, because neither --cache nor --status was given; --cache all shows every status.']
}

function fileNotes(
  { lines, counts, complete, pages }: LogReading,
  { limit = MAX_FILE_LINES }: LogQuestion,
): readonly string[] {
  if (lines.length === 0) return ['No line matched, so there is no CSV file.']
  const full = limit < MAX_FILE_LINES ? 'the limit given' : 'a file takes no more'
  const ended = `the search ended after ${counted(pages, 'answer')} of the platform`
  const more = lines.length < Math.min(limit, MAX_FILE_LINES) ? `may be more (${ended})` : `are more (${full})`
  const cut = lines.length < counts.lines || !complete ? `; there ${more}` : ''
  return [`${counted(lines.length, 'line')} as a CSV file in your direct messages, times in UTC${cut}.`]
}

function dayFileNotes({ dayFile }: LogReading): readonly string[] {
  if (dayFile === undefined) return []
  const { malformedLines, tooLongLines, countsByCacheStatus, bytesByCacheStatus, countsByStatusClass } = dayFile
  const statuses = [...countsByCacheStatus]
    .map(([name, lines]) => `${cacheWord(name)} ${count(lines)} (${bytes(bytesByCacheStatus.get(name) ?? 0n)})`)
    .join(', ')
  const classes = [...countsByStatusClass].map(([name, lines]) => `${name} ${count(lines)}`).join(', ')
  return [
    ...(countsByCacheStatus.size === 0 ? [] : [`The whole file, whatever the filter: ${statuses}; ${classes}.`]),
    ...(malformedLines > 0 ? [`Unreadable, and in no count: ${counted(malformedLines, 'line')}.`] : []),
    ...(tooLongLines > 0 ? [`Over 64 KB, and passed over: ${counted(tooLongLines, 'line')}.`] : []),
  ]
}

/** The platform shortens addresses unless told otherwise, and what a filter by one finds depends on it. */
function addressNotes({ lines, dayFile }: LogReading, { ip }: LogQuestion): readonly string[] {
  if (ip === undefined) return []
  const found = new Set(lines.map(({ remoteIp }) => remoteIp))
  const none = ['0.0.0.0', '::'].some((address) => found.has(address))
  if (none) {
    const ignored = ip === 'all' ? '' : ', and the platform ignores a filter by address: the lines are from any client'
    return [`This zone's log keeps no client addresses${ignored}.`]
  }
  if (ip === 'all') return ['Client addresses may be shortened: platforms keep the network and not the host.']
  const exact = found.size > 0 && [...found].every((address) => address === ip)
  if (exact) return []
  const network = isIPv4(ip) ? `${ip.replace(/\d+$/, '0')} (its /24)` : 'its /64'
  if (dayFile !== undefined) {
    return lines.length > 0
      ? [`This log shortens addresses: the lines are from all of the network, ${network}.`]
      : [`The file has no line with this address or, shortened, its network, ${network}. Some logs keep no addresses.`]
  }
  return [
    `Where addresses are shortened, a filter by one finds all of its network, ${network}; where none are kept, it is ignored.`,
  ]
}
