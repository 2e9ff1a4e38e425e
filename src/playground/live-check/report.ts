import { type Finding, type Outcome, type Place, PLACES } from './live-check.ts'

const COLUMNS = { chart: 'data_visualization', table: 'data_table' } as const

/** The outcome as Markdown: charts and tables by place first, then what was refused or changed, then what people saw. */
export function reportOf({ findings, seen, notes }: Outcome, when: Date): string {
  const troubles = findings.filter(({ verdict }) => verdict !== 'accepted')
  return [
    `# Live check of ${when.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    `${findings.length} things were shown to Slack: ${count(findings, 'accepted')} accepted, ${count(findings, 'changed')} changed, ${count(findings, 'refused')} refused.`,
    '',
    '| Place | Chart | Table | All |',
    '| --- | --- | --- | --- |',
    ...PLACES.map(
      (place) =>
        `| ${place} | ${cell(findings, place, 'chart')} | ${cell(findings, place, 'table')} | ${cell(findings, place)} |`,
    ),
    '',
    '## Refused or changed',
    '',
    ...(troubles.length === 0 ? ['Nothing.'] : troubles.map(line)),
    '',
    '## Seen by a person',
    '',
    ...seen.map(({ question, answer }) => `- ${question} ${answer === '' ? '–' : literally(answer)}`),
    '',
    '## Not looked at, and what stays',
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
}

function line({ place, what, verdict, detail }: Finding): string {
  return `- ${place}, “${inLine(what)}”: ${verdict}${detail === '' ? '' : ` (${literally(detail)})`}`
}

/** Text from outside stays in its line, and is no markup. */
function inLine(text: string): string {
  return text.replaceAll(/[\s|<>*_`]+/g, ' ').slice(0, 300)
}

/** The same to the letter. */
function literally(text: string): string {
  return `\`${text.replaceAll(/[\s`]+/g, ' ').slice(0, 300)}\``
}

function cell(findings: readonly Finding[], place: Place, column?: keyof typeof COLUMNS): string {
  const here = findings.filter(
    (finding) => finding.place === place && (column === undefined || finding.types.has(COLUMNS[column])),
  )
  if (here.length === 0) return '–'
  const accepted = here.length - count(here, 'refused')
  return accepted === here.length ? `yes (${here.length})` : `${accepted} of ${here.length}`
}

function count(findings: readonly Finding[], verdict: Finding['verdict']): number {
  return findings.filter((finding) => finding.verdict === verdict).length
}
