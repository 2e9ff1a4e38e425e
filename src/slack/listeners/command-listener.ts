import { failure } from '../../execution/messages/explain.ts'
import { decideOperation } from '../../execution/policy/policy.ts'
import { withButtons } from '../../execution/requests/answer-buttons.ts'
import { requireOperation } from '../../operations/declaration/find-operation.ts'
import { type Actor, writesToBot } from '../../operations/declaration/role.ts'
import { type CommandParse, operationNamed, parseCommand } from '../command-text/parse-command.ts'
import type { CommandPayload } from '../gateway/payloads.ts'
import { type Accept, ACK_BUDGET_MS, type Origin, type ListenerOptions } from './delivery.ts'
import { showResult, wordIssues } from './show-result.ts'
import { buttonsOfProblems, type GoingOn, isShownWhole, slipAnswer } from './slip-answer.ts'
import { SlackConversation } from './slack-conversation.ts'
import { type HoldsSecret, refuseEcho, refuseKeys } from './typed-keys.ts'

/**
 * A typed command, from its text to an answer, a form or a review. It is acknowledged at once; one that writes to the bot
 * when that is committed, so that Slack sends again what was lost.
 */
export async function onCommand(
  { text, trigger_id: trigger }: CommandPayload,
  origin: Origin,
  accept: Accept,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, inputs, command, requests, holdsSecret } = options
  const named = operationNamed(text, operations)
  const mayWriteToBot = named !== undefined && writesToBot(named.baseEffect)
  if (!mayWriteToBot && !(await accept())) return
  const conversation = new SlackConversation(origin, options)
  const [actor, zones] = await Promise.all([people.actor(origin.userId, origin), inputs.zones()])
  const parse = parseCommand(text, operations, zones)
  try {
    refuseTyped(parse, text, holdsSecret)
  } catch (error) {
    if (await accept()) throw error
    return
  }
  // What began like a write to the bot may be nothing that can be read.
  if (parse.kind !== 'operation' && !(await accept())) return
  if (parse.kind === 'unreadable')
    return conversation.reply(failure(parse.problem, `Nothing was done. See ${command} help.`), 'caller')
  const place = { invocation: { operation: requireOperation(operations, 'help'), values: {} }, actor, ...origin }
  if (parse.kind === 'unknown' || parse.kind === 'meant') {
    const slip = slipAnswer(parse, command, await howToGoOn(parse, actor, origin, options))
    return conversation.reply(await withButtons(slip, place, options), 'caller')
  }
  const { operation, values, problems } =
    parse.kind === 'empty' ? { operation: requireOperation(operations, 'help'), values: {}, problems: [] } : parse
  const { channelId, arrivedMs } = origin
  const { progress } = conversation
  const once = { key: `command:${trigger}`, notAfterMs: arrivedMs + ACK_BUDGET_MS }
  const result = await requests.handle({ operation, values, problems, actor, channelId, once, accept, progress })
  if (result.kind === 'form' || result.kind === 'invalid') {
    const shown = result.issues.map(({ problem }) => problem)
    refuseEcho(shown, holdsSecret, { operation: operation.name })
  }
  if (result.kind !== 'invalid') return showResult(result, operation, origin, conversation, options)
  const buttons = buttonsOfProblems(result.issues, operation, values, zones)
  const answer = { message: wordIssues(result.issues, operation, command), buttons }
  await conversation.reply(await withButtons(answer, place, options), 'caller')
}

function refuseTyped(parse: CommandParse, text: string, holdsSecret: HoldsSecret): void {
  if (parse.kind === 'unreadable' || parse.kind === 'unknown') refuseEcho([text], holdsSecret)
  if (parse.kind !== 'operation' && parse.kind !== 'meant') return
  refuseKeys(parse.operation, parse.values, holdsSecret)
  // Where it would be shown as a whole, no part of it may be a key, those included that are no value.
  if (parse.kind === 'meant' && isShownWhole(parse)) refuseKeys(parse.operation, { text }, holdsSecret)
  refuseEcho(parse.problems, holdsSecret, { operation: parse.operation.name })
}

/** A read that lacks nothing is run by its button; anything else is looked at in its form first. */
async function howToGoOn(
  parse: CommandParse,
  actor: Actor,
  { channelId }: Origin,
  { policy, inputs }: ListenerOptions,
): Promise<GoingOn> {
  if (parse.kind !== 'meant') return 'by its form'
  const { operation, values, problems } = parse
  if (decideOperation(policy(), actor, operation, channelId).kind === 'deny') return 'not allowed'
  const isRead = operation.baseEffect === 'read' || operation.baseEffect === 'sensitive read'
  const isComplete = problems.length === 0 && operation.parse(values, await inputs.check(actor, parse)).ok
  return isComplete && (isRead || operation.form === undefined) ? 'at once' : 'by its form'
}
