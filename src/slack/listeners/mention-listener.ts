import { parseSubject } from '../../alerts/state/rule-subjects.ts'
import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { code, md } from '../../block-kit/mrkdwn.ts'
import { failure } from '../../execution/messages/error-messages.ts'
import { decideOperation } from '../../execution/policy/policy.ts'
import { requireOperation } from '../../operations/declaration/operation-names.ts'
import type { CheckContext, Operation } from '../../operations/declaration/operation.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import { flagName } from '../../operations/declaration/usage.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { AlertSubject, IncidentRecord } from '../../store/schema/alert-records.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import { type CommandParse, parseCommand } from '../command-text/parse-command.ts'
import { unescapeSlack } from '../command-text/slack-escapes.ts'
import type { AppMention } from '../gateway/payloads.ts'
import type { Origin, ListenerOptions } from './delivery.ts'
import { showResult, wordIssues } from './show-result.ts'
import { Responder } from './responder.ts'
import { refuseEcho, refuseKeys } from './typed-keys.ts'

/** Of a channel's incidents the newest are looked at for the thread that a question stands in. */
const MAX_LOOKED_AT = 200

/** What people answer under the message about an alert: the operation, and which of its fields takes the rest. */
const ANSWERS: readonly (readonly [words: RegExp, operation: string, field: string])[] = [
  [/^note\b[\s:]*(.*)$/is, 'alerts note', 'text'],
  [/^ack(?:nowledged?)?\b[\s:]*(.*)$/is, 'alerts acknowledge', 'text'],
  [/^(?:hand(?:ed)? ?over|assign)\b(?:\s+to\b)?\s*(.*)$/is, 'alerts assign', 'person'],
]
/** Nobody waits for an acknowledgement of it. */
const ANSWER_WITHIN_MS = 30_000

/**
 * Somebody mentions the bot with a question, as they would type it after the command, or writes it to the bot itself.
 * Reads whose answers may be shown to all are answered in the thread, and in direct messages all reads; everything else
 * with how to ask for it. Slack allows no commands in threads.
 */
export async function onQuestion(
  event: AppMention,
  origin: Origin,
  isDirect: boolean,
  options: ListenerOptions,
): Promise<void> {
  const { people, inputs, operations, policy, command, requests, holdsSecret, botUserId, log } = options
  const { channel } = event
  const text = readQuestion(event.text, botUserId, command)
  const aside = new Responder(origin, options)
  const threadTs = event.thread_ts ?? (isDirect ? undefined : event.ts)
  const responder = new Responder({ ...origin, threadTs }, options, 'in thread')
  const actor = await people.actor(origin.userId, origin)
  const check = await inputs.check(actor)
  const [words, answer, field = ''] = ANSWERS.find(([pattern]) => pattern.test(text)) ?? []
  if (words !== undefined && answer !== undefined && !isDirect) {
    const incident = await findIncident(event, options)
    const rest = words.exec(text)?.[1] ?? ''
    // A mention of somebody is read as Slack writes it: it has their id.
    const given = field === 'person' && rest.startsWith('<') ? rest : unescapeSlack(rest).text
    if (incident !== undefined)
      return answerIncident(answer, { incident: incident.id, [field]: given }, event, { actor, origin }, options)
    const next = 'Write it under the message of an alert.'
    return aside.reply(failure('No alert is known in this thread, so nothing was done.', next), 'caller')
  }
  const incident = await findIncident(event, options).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error
    // A question that names its zone can be answered without the store.
    log.warn({ err: error }, 'it could not be read whether a thread is about an incident')
    return undefined
  })
  const parse = parseMention(text, operations, check, incident?.subject)
  if (parse.kind === 'operation') refuseKeys(parse.operation, parse.values, holdsSecret)
  else refuseEcho([text], holdsSecret)
  // Whoever lacks the right hears that first, and no names of zones.
  const isDenied =
    parse.kind === 'operation' && decideOperation(policy(), actor, parse.operation, channel).kind === 'deny'
  const refusal = isDenied ? undefined : wordUnanswerable(parse, text, { command, check, isDirect })
  if (refusal !== undefined) refuseEcho([refusal.text], holdsSecret)
  if (refusal !== undefined || parse.kind !== 'operation')
    return refusal === undefined ? undefined : (isDirect ? responder : aside).reply(refusal, 'caller')
  const { operation, values } = parse
  const { progress } = responder
  const result = await requests.handle({ operation, values, actor, channelId: channel, progress })
  await showResult(result, operation, origin, result.kind === 'denied' && !isDirect ? aside : responder, options)
}

/** Why this is not answered here, and how to ask for it; undefined for a read that all who are here may see. */
function wordUnanswerable(
  parse: CommandParse,
  text: string,
  { command, check, isDirect }: { readonly command: string; readonly check: CheckContext; readonly isDirect: boolean },
): Message | undefined {
  // Whatever else somebody says to the bot alone: a greeting, thanks.
  if (parse.kind === 'empty' || (isDirect && parse.kind === 'unknown'))
    return wordsMessage([
      md`Ask me ${code('status')} or ${code('logs shop 5xx')}; for everything else type ${code(command)}.`,
    ])
  switch (parse.kind) {
    case 'unknown':
      return failure(`There is no command “${parse.typed}”. Nothing was done.`, `See ${command} help.`)
    case 'unreadable':
      return failure(parse.problem, `Nothing was done. See ${command} help.`)
    case 'meant':
      return failure(`Did you mean “${parse.text}”? Nothing was done.`, 'Ask again with it.')
    case 'operation': {
      const { operation, values, problems } = parse
      const isForAll = operation.baseEffect === 'read' && (isDirect || operation.shareable)
      const parsed = isForAll ? operation.parse(values, check) : undefined
      if (parsed?.ok === false || (isForAll && problems.length > 0)) {
        const issues = problems.map((problem) => ({ field: undefined, problem }))
        return wordIssues([...issues, ...(parsed?.ok === false ? parsed.issues : [])], operation, command)
      }
      if (parsed?.invocation.effect === 'read') return undefined
      const next = `Type it as a command, outside of threads: ${command} ${unescapeSlack(text).text}`
      return failure(`${operation.name} cannot be asked for here. Nothing was done.`, next)
    }
  }
}

/** A note is said in the thread; everything else is said to who wrote it. */
async function answerIncident(
  name: string,
  values: RawValues,
  { channel, ts }: AppMention,
  { actor, origin }: { readonly actor: Actor; readonly origin: Origin },
  options: ListenerOptions,
): Promise<void> {
  const operation = requireOperation(options.operations, name)
  refuseKeys(operation, values, options.holdsSecret)
  const aside = new Responder(origin, options)
  const once = { key: `answer:${channel}:${ts}`, notAfterMs: origin.arrivedMs + ANSWER_WITHIN_MS }
  const { progress } = aside
  const result = await options.requests.handle({ operation, values, actor, channelId: channel, once, progress })
  if (result.kind === 'answered' && name === 'alerts note') return
  // A mention opens no form.
  if (result.kind === 'form') return aside.reply(wordIssues(result.issues, operation, options.command), 'caller')
  await showResult(result, operation, origin, aside, options)
}

/** The one whose thread it is written in. Throws StoreError. */
async function findIncident(
  { channel, thread_ts: threadTs }: AppMention,
  { store }: ListenerOptions,
): Promise<IncidentRecord | undefined> {
  if (threadTs === undefined) return undefined
  const incidents = await store.alerts.incidents({ channelId: channel, limit: MAX_LOOKED_AT })
  return incidents.find(({ messageTs }) => messageTs === threadTs)
}

/**
 * What somebody wrote to the bot in a message: after its mention, or before it where nothing follows. The slash command may
 * stand before it.
 */
export function readQuestion(text: string, botUserId: string, command: string): string {
  const mention = new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`)
  const [before = '', ...after] = text.split(mention)
  const rest = after.join(' ').trim()
  // A command that was copied out of a message may come as code.
  const question = (rest === '' ? before.trim() : rest).replace(/^`+([^`]+)`+$/, '$1').trim()
  const typed = question.startsWith(command) ? question.slice(command.length) : undefined
  return typed !== undefined && /^(?:\s|$)/.test(typed) ? typed.trim() : question
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
  const words = text.trim().split(/\s+/).toSpliced(typed.words, 0, missing)
  const filled = parseCommand(words.join(' '), operations, context.zones)
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
  const zone = parseSubject(subject)
  for (const [name, field] of Object.entries(operation.fields)) {
    if (field.control.kind !== 'zone' || field.control.zoneKind !== zone?.kind) continue
    const given = values[name]
    return given === undefined || !field.read(given, context).ok ? `${flagName(name)}=${zone.zoneId}` : undefined
  }
  return undefined
}
