import { namedSubject } from '../alerts/rule-subjects.ts'
import { flagName } from '../operations/usage.ts'
import type { CheckContext, Operation } from '../operations/operation.ts'
import type { AlertSubject } from '../store/alert-records.ts'
import { type CommandParse, parseCommand } from './command-text/parse-command.ts'

/** No name of an operation has more. */
const MAX_NAME_WORDS = 3

/** What somebody wrote to the bot in a message: after its mention, or before it where nothing follows. */
export function askedOf(text: string, botUserId: string): string {
  const mention = new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`)
  const [before = '', ...after] = text.split(mention)
  const rest = after.join(' ').trim()
  return rest === '' ? before.trim() : rest
}

/**
 * Reads a question as a command. Under the message about an incident its zone need not be named: where none is typed, or
 * what stands in its place is none, the incident's is meant, as in `logs 5xx`.
 */
export function parseMention(
  text: string,
  operations: readonly Operation[],
  context: CheckContext,
  subject: AlertSubject | undefined,
): CommandParse {
  const typed = parseCommand(text, operations, context.zones)
  if (typed.kind !== 'operation' || subject === undefined) return typed
  const missing = missingZone(typed, context, subject)
  if (missing === undefined) return typed
  const [head, rest] = split(text, typed.operation, operations)
  const filled = parseCommand(`${head} ${missing} ${rest}`, operations, context.zones)
  const fits =
    filled.kind === 'operation' && filled.problems.length === 0 && filled.operation.parse(filled.values, context).ok
  return fits ? filled : typed
}

/** The flag that names the incident's zone, where the operation asks for one of its kind and has not been given any. */
function missingZone(
  { operation, values }: Extract<CommandParse, { readonly kind: 'operation' }>,
  context: CheckContext,
  subject: AlertSubject,
): string | undefined {
  const zone = namedSubject(subject)
  if (zone?.zoneId === undefined) return undefined
  for (const [name, field] of Object.entries(operation.fields)) {
    if (field.control.kind !== 'zone' || field.control.zoneKind !== zone.kind) continue
    const given = values[name]
    return given === undefined || !field.read(given, context).ok ? `${flagName(name)}=${zone.zoneId}` : undefined
  }
  return undefined
}

/** The words that name the operation, and what follows them. */
function split(text: string, operation: Operation, operations: readonly Operation[]): readonly [string, string] {
  const words = text.trim().split(/\s+/)
  for (let count = 1; count <= MAX_NAME_WORDS; count += 1) {
    const head = words.slice(0, count).join(' ')
    const parse = parseCommand(head, operations)
    if (parse.kind === 'operation' && parse.operation === operation) return [head, words.slice(count).join(' ')]
  }
  return [operation.name, '']
}
