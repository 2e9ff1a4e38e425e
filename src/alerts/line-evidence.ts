import { code, joinMd, md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { MAX_SAMPLE_LINES, type SampleLine } from './incident.ts'

/** Of one line, in UTF-16 units; the end of a long path says less than its beginning. */
const MAX_LINE_CHARACTERS = 160

/**
 * A few lines of the log that show what is wrong, each as code: foreign text in which nothing formats, links or mentions.
 * Undefined without any.
 */
export function lineEvidence(samples: readonly SampleLine[]): Mrkdwn | undefined {
  if (samples.length === 0) return undefined
  const lines = samples.slice(0, MAX_SAMPLE_LINES).map((line) => code(lineText(line)))
  return joinMd([md`Lines that show it (UTC):`, ...lines], '\n')
}

function lineText({ atMs, cacheStatus, statusCode, host = '', path = '', edgeLocation }: SampleLine): string {
  const time = Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(11, 19) : undefined
  const parts = [time, cacheStatus, statusCode, edgeLocation, `${host}${path}`]
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ')
  return text.length <= MAX_LINE_CHARACTERS ? text : `${text.slice(0, MAX_LINE_CHARACTERS - 1).toWellFormed()}…`
}
