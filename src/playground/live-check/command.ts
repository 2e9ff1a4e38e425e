import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readSlackSettings, SettingsError } from '../../config/settings.ts'
import { EXIT_CONFIGURATION, EXIT_FAILURE } from '../../process/exit.ts'
import { complaintOf, parseOptions, printHelp, type ToolContext, UsageError } from '../../process/command-line.ts'
import { CannotBegin, checkLive, type Finding, type Outcome, PLACES } from './live-check.ts'
import { LiveSlack } from './live-slack.ts'
import { collectSamples, type Samples } from './samples.ts'

const USAGE = `Shows a real Slack what CDN Ops sends, while you watch, and writes down what Slack made of it.

  npm run live-check -- --channel C0123456789 [--out report.md]

It takes about five minutes. Give SLACK_BOT_TOKEN and SLACK_APP_TOKEN; the bot must be in the channel and must not run
meanwhile. What Slack lets it remove is removed; the report names what stays. Nothing of a CDN is called.

Ends with 0, with 1 when Slack refused something, with 78 when it could not begin.`

export interface LiveCheckContext extends ToolContext {
  readonly ask: (question: string) => Promise<string>
  /** What is shown, where it is known already. */
  readonly samples?: Samples
}

export async function runLiveCheck(args: readonly string[], context: LiveCheckContext): Promise<number> {
  const { print, complain, environment, clock, ask } = context
  if (await printHelp(args[0], USAGE, context)) return 0
  try {
    const { channel, out } = parse(args, clock.now())
    const settings = readSlackSettings(environment)
    await print('Collecting what the bot sends, from the tour (about 25 s) …\n')
    const samples = context.samples ?? (await collectSamples(clock))
    const slack = new LiveSlack(settings, clock)
    const tell = (line: string): void => void print(`${line}\n`)
    const outcome = await checkLive({ slack, samples, channel, command: settings.COMMAND, clock, tell, ask })
    const report = reportOf(outcome, clock.now())
    // Printed first: a folder that cannot be written to loses no answer of the person.
    await print(`\n${report}\n`)
    await writeFile(out, report)
    await print(`Written to ${out}.\n`)
    return outcome.findings.some(({ verdict }) => verdict === 'refused') ? EXIT_FAILURE : 0
  } catch (error) {
    if (error instanceof CannotBegin) complain(error.message)
    else if (error instanceof UsageError || error instanceof SettingsError) complain(complaintOf(error, USAGE))
    else throw error
    return EXIT_CONFIGURATION
  }
}

function parse(args: readonly string[], now: Date) {
  const options = { channel: { type: 'string' }, out: { type: 'string' } } as const
  const { channel, out } = parseOptions(() => parseArgs({ args: [...args], options }).values)
  if (channel === undefined || !/^[CG][A-Z0-9]{6,}$/.test(channel))
    throw new UsageError('Say in which channel, by its id: --channel C0123456789.')
  return { channel, out: out ?? `live-check-${now.toISOString().slice(0, 16).replace(':', '')}.md` }
}

/** The outcome as Markdown: places first, then what was refused or changed, then what people saw. */
function reportOf({ findings, seen, notes }: Outcome, when: Date): string {
  const troubles = findings.filter(({ verdict }) => verdict !== 'accepted')
  return [
    `# Live check of ${when.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    `${findings.length} things were shown to Slack: ${count(findings, 'accepted')} accepted, ${count(findings, 'changed')} changed, ${count(findings, 'refused')} refused.`,
    '',
    '| Place | Accepted |',
    '| --- | --- |',
    ...PLACES.map((place) => `| ${place} | ${cell(findings.filter((finding) => finding.place === place))} |`),
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

function line({ place, name, verdict, detail }: Finding): string {
  return `- ${place}, “${inLine(name)}”: ${verdict}${detail === '' ? '' : ` (${literally(detail)})`}`
}

/** Text from outside stays in its line, and is no markup. */
function inLine(text: string): string {
  return text.replaceAll(/[\s|<>*_`]+/g, ' ').slice(0, 300)
}

/** The same to the letter. */
function literally(text: string): string {
  return `\`${text.replaceAll(/[\s`]+/g, ' ').slice(0, 300)}\``
}

function cell(here: readonly Finding[]): string {
  if (here.length === 0) return '–'
  const accepted = here.length - count(here, 'refused')
  return accepted === here.length ? `yes (${here.length})` : `${accepted} of ${here.length}`
}

function count(findings: readonly Finding[], verdict: Finding['verdict']): number {
  return findings.filter((finding) => finding.verdict === verdict).length
}
