import type { Executor } from '../execution/executor.ts'
import { failure } from '../execution/explain.ts'
import { requireOperation } from '../operations/find-operation.ts'
import type { Issue, Operation } from '../operations/operation.ts'
import { type Actor, writesToBot } from '../operations/role.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Once } from '../store/deliveries.ts'
import { type CommandParse, operationNamed, parseCommand } from './command-text/parse-command.ts'
import type { CommandPayload } from './payloads.ts'
import { ACK_BUDGET_MS, type Acknowledge, type Reception, type Visitor } from './reception.ts'
import { refuseEcho, refuseKeys } from './typed-keys.ts'

const MAX_PROBLEMS = 6

interface Typed {
  readonly visitor: Visitor
  readonly reception: Reception
  /** For what is done before the acknowledgement: a write to the bot, which Slack may send again. */
  readonly once: Once | undefined
  /** Acknowledges, at the first call. False for a repetition of what has been answered already. */
  readonly taken: () => Promise<boolean>
}

/**
 * A typed command, from its text to an answer, a form or a review. It is acknowledged at once; one that writes to the bot
 * when that is committed, so that Slack sends again what was lost.
 */
export async function onCommand(
  payload: CommandPayload,
  acknowledge: Acknowledge,
  reception: Reception,
): Promise<void> {
  const { clock, operations } = reception.options.executor.options
  const arrivedMs = clock.monotonicMs()
  const visitor: Visitor = {
    userId: payload.user_id,
    team: payload.team_id,
    channelId: payload.channel_id,
    responseUrl: payload.response_url,
    triggerId: payload.trigger_id,
    arrivedMs,
  }
  const key = `command:${payload.trigger_id}`
  let answered: Promise<boolean> | undefined
  const taken = (): Promise<boolean> => (answered ??= acknowledge().then(() => reception.isNew(key)))
  const writes = isWrite(operationNamed(payload.text, operations))
  if (!writes && !(await taken())) return
  const once = writes ? { key, notAfterMs: arrivedMs + ACK_BUDGET_MS } : undefined
  await reception.serve(visitor, 'a command', () => typed(payload.text, { visitor, reception, once, taken }))
}

function isWrite(operation: Operation | undefined): boolean {
  return operation !== undefined && writesToBot(operation.baseEffect)
}

/** Of the text nothing but the words that name the operation has been read before. */
async function typed(text: string, work: Typed): Promise<void> {
  const { visitor, reception } = work
  const { executor } = reception.options
  const { operations, command } = executor.options
  const conversation = reception.conversation(visitor)
  const [actor, zones] = await Promise.all([reception.actor(visitor), executor.zones()])
  const parse = parseCommand(text, operations, zones)
  try {
    refuseTyped(parse, text, executor)
  } catch (error) {
    if (await work.taken()) throw error
    return
  }
  // What began like a write to the bot may be none: help about one, or nothing that can be read.
  if ((parse.kind !== 'operation' || !isWrite(parse.operation)) && !(await work.taken())) return
  switch (parse.kind) {
    case 'empty':
      return run(requireOperation(operations, 'help'), {}, [], actor, work)
    case 'unreadable':
      return conversation.reply(failure(`${parse.problem} Nothing was done.`, `See ${command} help.`), 'caller')
    case 'unknown': {
      const meant =
        parse.suggestion === undefined
          ? `See ${command} help for what there is.`
          : `Did you mean ${command} ${parse.suggestion}?`
      return conversation.reply(failure(`There is no operation “${parse.typed}”. Nothing was done.`, meant), 'caller')
    }
    case 'operation':
      return run(parse.operation, parse.values, parse.problems, actor, work)
  }
}

function refuseTyped(parse: CommandParse, text: string, { holdsSecret }: Executor): void {
  if (parse.kind === 'unreadable' || parse.kind === 'unknown') refuseEcho([text], holdsSecret)
  if (parse.kind !== 'operation') return
  refuseKeys(parse.operation, parse.values, holdsSecret)
  refuseEcho(parse.problems, holdsSecret, { operation: parse.operation.name })
}

/** Somebody without the right hears that first, before they fill in a form for nothing. */
async function run(
  operation: Operation,
  values: RawValues,
  problems: readonly string[],
  actor: Actor,
  { visitor, reception, once, taken }: Typed,
): Promise<void> {
  const { executor } = reception.options
  const parsed = operation.parse(values, await executor.check(actor))
  const decision = executor.decideBare(actor, operation, visitor.channelId)
  const goesOn = parsed.ok && problems.length === 0 && decision.kind !== 'deny'
  if (goesOn) return reception.proceed(parsed.invocation, actor, visitor, once)
  if (!(await taken())) return
  if (decision.kind === 'deny') {
    const asked = parsed.ok ? parsed.invocation : { operation, sentence: `${operation.name}, not filled in` }
    return reception.refuse(asked, decision, actor, visitor)
  }
  const issues: Issue[] = [
    ...problems.map((problem) => ({ field: undefined, problem })),
    ...(parsed.ok ? [] : parsed.issues),
  ]
  refuseEcho(
    issues.map(({ problem }) => problem),
    executor.holdsSecret,
    { operation: operation.name },
  )
  if (operation.form !== undefined) return reception.openForm(operation, values, issues, actor, visitor)
  const { command } = executor.options
  const said = issues
    .slice(0, MAX_PROBLEMS)
    .map(({ problem }) => problem)
    .join(' ')
  await reception
    .conversation(visitor)
    .reply(failure(`${said} Nothing was done.`, `See ${command} help ${operation.name}.`), 'caller')
}
