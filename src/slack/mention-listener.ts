import { failure } from '../execution/explain.ts'
import type { Message } from '../block-kit/message.ts'
import type { CheckContext, Invocation } from '../operations/operation.ts'
import type { AlertSubject } from '../store/alert-records.ts'
import { StoreError } from '../store/store-error.ts'
import type { CommandParse } from './command-text/parse-command.ts'
import { askedOf, parseMention } from './mention-text.ts'
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
    const holdsSecret = (said: string): boolean => executor.holdsSecret(said)
    if (parse.kind === 'operation') refuseKeys(parse.operation, parse.values, holdsSecret)
    else refuseEcho([text], holdsSecret)
    const asked = questionIn(parse, text, executor.options.command, check)
    if ('text' in asked) refuseEcho([asked.text], holdsSecret)
    if ('text' in asked) return reception.conversation(visitor).reply(asked, 'caller')
    const decision = executor.decide(actor, asked, channel)
    if (decision.kind !== 'run') {
      const refused = await executor.refuse(asked, decision, actor)
      return reception.conversation(visitor).reply(refused, 'caller')
    }
    await executor.answer(asked, actor, conversation, { channelId: channel })
  })
}

/** What is asked for, or why it cannot be asked like this. */
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

/** What the incident is about whose message begins this thread; undefined in any other thread. */
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
