import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readSlackSettings, SettingsError } from '../../config/settings.ts'
import { EXIT_CONFIGURATION, EXIT_FAILURE } from '../../process/exit.ts'
import { isHelp, parseOptions, type ToolContext, UsageError } from '../../process/tool.ts'
import { CannotBegin, checkLive } from './live-check.ts'
import { LiveSlack } from './live-slack.ts'
import { reportOf } from './report.ts'
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
  if (isHelp(args[0])) {
    await print(`${USAGE}\n`)
    return 0
  }
  try {
    const { channel, out } = parse(args, clock.now())
    const settings = readSlackSettings(environment)
    await print('Collecting what the bot sends, from the tour (about 25 s) …\n')
    const samples = context.samples ?? (await collectSamples(clock))
    const slack = new LiveSlack({
      apiUrl: settings.SLACK_API_URL,
      botToken: settings.SLACK_BOT_TOKEN,
      appToken: settings.SLACK_APP_TOKEN,
      clock,
    })
    const tell = (line: string): void => void print(`${line}\n`)
    const outcome = await checkLive({ slack, samples, channel, command: settings.COMMAND, clock, tell, ask })
    const report = reportOf(outcome, clock.now())
    // Printed first: a folder that cannot be written to loses no answer of the person.
    await print(`\n${report}\n`)
    await writeFile(out, report)
    await print(`Written to ${out}.\n`)
    return outcome.findings.some(({ verdict }) => verdict === 'refused') ? EXIT_FAILURE : 0
  } catch (error) {
    if (error instanceof UsageError) complain(`${error.message}\n\n${USAGE}`)
    else if (error instanceof SettingsError) complain(error.problems.join('\n'))
    else if (error instanceof CannotBegin) complain(error.message)
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
