import type { Outcome } from './deliveries.ts'
import { DONE, refused, type PersonOutcome } from './outcome.ts'
import type { Parts } from './parts.ts'
import { commandPayload } from './payloads.ts'
import type { Origin } from './response-urls.ts'
import type { Channel, Member } from './seed.ts'
import { SlackError } from './slack-error.ts'
import { escapedText } from './typed-text.ts'
import { commandFailed, notInThreads, unknownCommand } from './words.ts'

/** Sends what a person typed, such as `/cdn keys list`, and waits for the acknowledgement and its answer. */
export async function sendCommand(
  typed: string,
  by: Member,
  channel: Channel,
  inThread: boolean,
  parts: Parts,
): Promise<PersonOutcome> {
  const [, command = '', text = ''] = /^(\/\S*)\s*(.*)$/s.exec(typed.trim()) ?? []
  if (!parts.app.commands.some((each) => each.command === command))
    return refused(unknownCommand(command === '' ? typed : command))
  if (inThread) return refused(notInThreads(command))
  const origin: Origin = { userId: by.id, channelId: channel.id, message: undefined, typed: typed.trim() }
  const reply = {
    triggerId: parts.triggers.issue(by.id),
    responseUrl: `${parts.baseUrl()}${parts.responseUrls.issue(origin)}`,
  }
  const sent = parts.switches.escapeCommands ? escapedText(text, parts.workspace) : text
  const payload = commandPayload({ command, text: sent }, by, channel, reply)
  const outcome = await parts.deliveries.deliver(parts.transport, 'slash_commands', payload)
  return answered(command, origin, outcome, parts)
}

function answered(command: string, origin: Origin, outcome: Outcome, { responseUrls }: Parts): PersonOutcome {
  if (outcome.kind === 'timeout') return refused(commandFailed(command, 'operation_timeout'))
  if (outcome.kind === 'unreachable') return refused(commandFailed(command, 'dispatch_failed'))
  const { payload } = outcome
  if (payload === undefined || (payload['text'] === undefined && payload['blocks'] === undefined)) return DONE
  try {
    responseUrls.apply(origin, payload)
    return DONE
  } catch (error) {
    if (error instanceof SlackError) return refused(commandFailed(command, error.code))
    throw error
  }
}
