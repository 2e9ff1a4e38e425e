import type { Operation } from '../../operations/operation.ts'
import { usageLine } from '../../operations/usage.ts'
import type { AppCommand } from '../slack/app-manifest.ts'
import type { Completion } from './composer.ts'

/**
 * What the composer offers after a slash: each command as its manifest describes it, then every operation with how it
 * is typed.
 */
export function completionsFor(
  commands: readonly AppCommand[],
  operations: readonly Operation[],
): readonly Completion[] {
  return commands.flatMap(({ command, description, usageHint }) => [
    { insert: `${command} `, usage: `${command} ${usageHint}`.trim(), summary: description },
    ...operations.map((operation) => ({
      insert: `${command} ${operation.name} `,
      usage: `${command} ${usageLine(operation)}`,
      summary: operation.summary,
    })),
  ])
}
