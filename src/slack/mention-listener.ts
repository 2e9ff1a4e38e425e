import { namedSubject } from '../alerts/rule-subjects.ts'
import type { Message } from '../block-kit/message.ts'
import { failure } from '../execution/explain.ts'
import type { CheckContext, Invocation, Operation } from '../operations/operation.ts'
import { flagName } from '../operations/usage.ts'
import type { AlertSubject } from '../store/alert-records.ts'
import { StoreError } from '../store/store-error.ts'
import { type CommandParse, parseCommand } from './command-text/parse-command.ts'
import type { AppMention } from './payloads.ts'
import type { Reception, Visitor } from './reception.ts'
import { refuseEcho, refuseKeys } from './typed-keys.ts'

/** Of a channel's incidents the newest are looked at for the thread that a question stands in. */
const MAX_LOOKED_AT = 200
const MAX_PROBLEMS = 6

/**
 * Somebody mentions the bot with a question, as they would type it after the command. Reads whose answers may be shown to
 * all are answered in the thread; everything else with how to ask for it. Slack allows no commands in threads.
 */
export async function onMention(event: AppMention, botUserId: string, reception: Reception): Promise<void> {
  const { channel, user } = event
  // What programs say, the bot itself included, is no question.
  if (user === undefined || user === botUserId || event.bot_id !== undefined) return
  const visitor: Visitor = {
    userId: user,
    team: event.user_team ?? event.team,
    channelId: channel,
    responseUrl: undefined,
    triggerId: undefined,
    threadTs: event.thread_ts,
  }
  const thread = { channel, ts: event.thread_ts ?? event.ts }
  const conversation = reception.inThread(visitor, thread, true)
  const text = askedOf(event.text, botUserId)
  await reception.serve(visitor, 'a mention', async () => {
    const { executor } = reception.options
    const actor = await reception.actor(visitor)
    const check = await executor.check(actor)
    const subject = event.thread_ts === undefined ? undefined : await subjectOf(channel, event.thread_ts, reception)
    const parse = parseMention(text, executor.options.operations, check, subject)
    const { holdsSecret } = executor
    if (parse.kind === 'operation') refuseKeys(parse.operation, parse.values, holdsSecret)
    else refuseEcho([text], holdsSecret)
    const asked = questionIn(parse, text, executor.options.command, check)
    if ('text' in asked) refuseEcho([asked.text], holdsSecret)
    if ('text' in asked) return reception.conversation(visitor).reply(asked, 'caller')
    const decision = executor.decide(actor, asked, channel)
    if (decision.kind !== 'run') return reception.refuse(asked, decision, actor, visitor)
    await executor.answer(asked, actor, conversation, { channelId: channel })
  })
}

function questionIn(parse: CommandParse, text: string, command: string, check: CheckContext): Invocation | Message {
  switch (parse.kind) {
    case 'empty':
      return failure(
        'There was no question in this.',
        `Mention CDN Ops with one, such as logs or status; or type ${command} help.`,
      )
    case 'unreadable':
      return failure(`${parse.problem} Nothing was done.`, `See ${command} help.`)
    case 'unknown': {
      const meant = parse.suggestion === undefined ? '' : `Did you mean ${parse.suggestion}? `
      return failure(`There is no operation “${parse.typed}”. Nothing was done.`, `${meant}See ${command} help.`)
    }
    case 'operation': {
      const { operation, problems } = parse
      const asCommand = `Type it in a channel: ${command} ${text}`
      if (operation.baseEffect !== 'read' || !operation.shareable) return unasked(operation.name, asCommand)
      const parsed = operation.parse(parse.values, check)
      if (!parsed.ok || problems.length > 0) {
        const issues = parsed.ok ? [] : parsed.issues.map(({ problem }) => problem)
        const said = [...problems, ...issues].slice(0, MAX_PROBLEMS).join(' ')
        return failure(`${said} Nothing was done.`, `See ${command} help ${operation.name}.`)
      }
      return parsed.invocation.effect === 'read' ? parsed.invocation : unasked(operation.name, asCommand)
    }
  }
}

function unasked(operation: string, asCommand: string): Message {
  return failure(`${operation} cannot be asked for by a mention, which all can see. Nothing was done.`, asCommand)
}

async function subjectOf(
  channelId: string,
  threadTs: string,
  { options: { executor } }: Reception,
): Promise<AlertSubject | undefined> {
  const { store, log } = executor.options
  try {
    const incidents = await store.alerts.incidents({ channelId, limit: MAX_LOOKED_AT })
    return incidents.find(({ messageTs }) => messageTs === threadTs)?.subject
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // A question that names its zone can be answered without the store.
    log.warn({ err: error }, 'it could not be read whether a thread is about an incident')
    return undefined
  }
}

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

function split(text: string, operation: Operation, operations: readonly Operation[]): readonly [string, string] {
  const words = text.trim().split(/\s+/)
  for (let count = 1; count <= MAX_NAME_WORDS; count += 1) {
    const head = words.slice(0, count).join(' ')
    const parse = parseCommand(head, operations)
    if (parse.kind === 'operation' && parse.operation === operation) return [head, words.slice(count).join(' ')]
  }
  return [operation.name, '']
}
