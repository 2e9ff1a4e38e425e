import { readFileSync } from 'node:fs'
import { runAudit } from '../../src/process/audit-command.ts'
import type { ToolContext } from '../../src/process/command-line.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { silentLog } from '../store/harness.ts'
import type { Variables } from './bot.ts'

/** What a run of a tool left behind. */
export interface ToolRun {
  readonly code: number
  readonly output: string
  readonly complaints: string
}

/** Runs `npm run audit -- …` in this process, with these environment variables and no others. */
export function auditTool(variables: Variables, ...args: readonly string[]): Promise<ToolRun> {
  return toolRun(runAudit, variables, args)
}

/** Runs a tool in this process as a terminal would. */
export async function toolRun(
  run: (args: readonly string[], context: ToolContext) => Promise<number>,
  variables: Variables,
  args: readonly string[],
): Promise<ToolRun> {
  const written: string[] = []
  const complaints: string[] = []
  const code = await run(args, {
    environment: { variables, readFile: (path) => readFileSync(path, 'utf8') },
    clock: systemClock,
    log: silentLog,
    print: async (text) => void written.push(text),
    complain: (line) => void complaints.push(line),
  })
  return { code, output: written.join(''), complaints: complaints.join('\n') }
}
