import { failure } from '../execution/explain.ts'
import type { Issue, Operation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import type { RawValues } from '../shared/raw-values.ts'
import { parseCommand } from './command-text/parse-command.ts'
import type { CommandPayload } from './payloads.ts'
import type { Reception, Visitor } from './reception.ts'

const MAX_PROBLEMS = 6

/** A typed command, from its text to an answer, a form or a review. The acknowledgement has been sent. */
export async function onCommand(payload: CommandPayload, reception: Reception): Promise<void> {
  const visitor: Visitor = {
    userId: payload.user_id,
    channelId: payload.channel_id,
    responseUrl: payload.response_url,
    triggerId: payload.trigger_id,
    arrivedMs: reception.options.executor.options.clock.monotonicMs(),
  }
  await reception.serve(visitor, 'a command', () => typed(payload.text, visitor, reception))
}

async function typed(text: string, visitor: Visitor, reception: Reception): Promise<void> {
  const { operations, command } = reception.options.executor.options
  const conversation = reception.conversation(visitor)
  const [actor, zones] = await Promise.all([reception.actor(visitor.userId), reception.zones()])
  const parse = parseCommand(text, operations, zones)
  switch (parse.kind) {
    case 'empty':
      return run(named(operations, 'help'), {}, [], actor, visitor, reception)
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
      return run(parse.operation, parse.values, parse.problems, actor, visitor, reception)
  }
}

/** Somebody without the right hears that first, before they fill in a form for nothing. */
async function run(
  operation: Operation,
  values: RawValues,
  problems: readonly string[],
  actor: Actor,
  visitor: Visitor,
  reception: Reception,
): Promise<void> {
  const { executor } = reception.options
  const parsed = operation.parse(values, await reception.checkContext(actor))
  const decision = executor.decide(actor, { operation, effect: operation.baseEffect })
  if (decision.kind === 'deny') {
    const asked = parsed.ok ? parsed.invocation : { operation, sentence: `${operation.name}, not filled in` }
    const refused = await executor.refuse(asked, decision, actor)
    return reception.conversation(visitor).reply(refused, 'caller')
  }
  const issues: Issue[] = [
    ...problems.map((problem) => ({ field: undefined, problem })),
    ...(parsed.ok ? [] : parsed.issues),
  ]
  if (parsed.ok && issues.length === 0) return reception.proceed(parsed.invocation, actor, visitor)
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

function named(operations: readonly Operation[], name: string): Operation {
  const operation = operations.find((candidate) => candidate.name === name)
  if (operation === undefined) throw new TypeError(`There is no operation ${name}`)
  return operation
}
