import { failure } from '../../execution/messages/error-messages.ts'
import { withButtons } from '../../execution/requests/answer-buttons.ts'
import { requireOperation } from '../../operations/declaration/operation-names.ts'
import { writesToBot } from '../../operations/declaration/role.ts'
import { type CommandParse, operationNamed, parseCommand } from '../command-text/parse-command.ts'
import type { CommandPayload } from '../gateway/payloads.ts'
import { type Delivery, type ListenerOptions, requestBy } from './delivery.ts'
import { buttonsOfProblems, isShownWhole, slipAnswer, unknownAnswer } from './mistyped-command.ts'
import { showResult, wordIssues } from './show-result.ts'
import { Responder } from './responder.ts'
import { type HoldsSecret, refuseEcho, refuseKeys } from './typed-keys.ts'

/**
 * A typed command, from its text to an answer, a form or a review. It is acknowledged at once; one that writes to the bot
 * when that is committed, so that Slack sends again what was lost.
 */
export async function onCommand(
  { text, trigger_id: trigger }: CommandPayload,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, inputs, command, requests, holdsSecret } = options
  const named = operationNamed(text, operations)
  const mayWriteToBot = named !== undefined && writesToBot(named.baseEffect)
  if (!mayWriteToBot && !(await delivery.accept())) return
  const responder = new Responder(delivery, options)
  const [actor, zones] = await Promise.all([people.actor(delivery.userId, delivery), inputs.zones()])
  const parse = parseCommand(text, operations, zones)
  try {
    refuseTyped(parse, text, holdsSecret)
  } catch (error) {
    if (await delivery.accept()) throw error
    return
  }
  // What began like a write to the bot may be nothing that can be read.
  if (parse.kind !== 'operation' && !(await delivery.accept())) return
  if (parse.kind === 'unreadable')
    return responder.reply(failure(parse.problem, `Nothing was done. See ${command} help.`), 'caller')
  const place = { invocation: { operation: requireOperation(operations, 'help'), values: {} }, actor, ...delivery }
  if (parse.kind === 'unknown' || parse.kind === 'meant') {
    const slip =
      parse.kind === 'unknown'
        ? unknownAnswer(parse, text, await inputs.check(actor))
        : await slipAnswer(parse, actor, delivery, options)
    return responder.reply(await withButtons(slip, place, options), 'caller')
  }
  const { operation, values, problems } =
    parse.kind === 'empty' ? { operation: requireOperation(operations, 'help'), values: {}, problems: [] } : parse
  const { progress } = responder
  const by = requestBy(delivery, `command:${trigger}`)
  const result = await requests.handle({ ...by, operation, values, problems, actor, progress })
  if (result.kind === 'form' || result.kind === 'invalid') {
    const shown = result.issues.map(({ problem }) => problem)
    refuseEcho(shown, holdsSecret, { operation: operation.name })
  }
  if (result.kind !== 'invalid') return showResult(result, operation, delivery, responder, options)
  const buttons = buttonsOfProblems(result.issues, operation, values, zones)
  const answer = { message: wordIssues(result.issues, operation, command), buttons }
  await responder.reply(await withButtons(answer, place, options), 'caller')
}

function refuseTyped(parse: CommandParse, text: string, holdsSecret: HoldsSecret): void {
  if (parse.kind === 'unreadable' || parse.kind === 'unknown') refuseEcho([text], holdsSecret)
  if (parse.kind !== 'operation' && parse.kind !== 'meant') return
  refuseKeys(parse.operation, parse.values, holdsSecret)
  // Where it would be shown as a whole, no part of it may be a key, those included that are no value.
  if (parse.kind === 'meant' && isShownWhole(parse)) refuseKeys(parse.operation, { text }, holdsSecret)
  refuseEcho(parse.problems, holdsSecret, { operation: parse.operation.name })
}
