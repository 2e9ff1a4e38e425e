import * as z from 'zod'
import { withIds } from '../block-ids.ts'
import type { Block } from '../block-rules/blocks.ts'
import { checkMessageBlocks } from '../block-rules/message-rules.ts'
import { written } from '../block-rules/problems.ts'
import type { Parts } from '../parts.ts'
import type { StoredMessage } from '../messages.ts'
import { APP_ID, BOT_ID, BOT_USER_ID, TEAM } from '../seed.ts'
import { SlackError } from '../slack-error.ts'

/** Longer texts are cut, not refused. */
const MAX_TEXT = 40_000

/** The arguments that say what a message shows. */
export const contentArguments = {
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  /** Slack's other way to say it, which the bot has no use for. */
  markdown_text: z.never().optional(),
}

interface Content {
  readonly text?: string | undefined
  readonly blocks?: unknown
}

/** Checks what a message shall show, as chat.postMessage and its relatives do. Throws SlackError. */
export function messageContent(
  given: Content,
  parts: Parts,
): { readonly text: string; readonly blocks: readonly Block[] } {
  const text = (given.text ?? '').slice(0, MAX_TEXT)
  if (given.blocks === undefined) {
    if (text === '') throw new SlackError('no_text')
    return { text, blocks: [] }
  }
  return { text, blocks: messageBlocks(given.blocks, parts) }
}

/** Checks the blocks of a message and gives them ids. Throws `invalid_blocks` and the like with Slack's reasons. */
export function messageBlocks(given: unknown, { switches, clock }: Parts): readonly Block[] {
  if (!Array.isArray(given)) throw new SlackError('invalid_blocks_format')
  const checked = checkMessageBlocks(given, { refuseCharts: switches.refuseCharts })
  if (checked.ok) return withIds(checked.blocks, clock)
  if (checked.problems.length === 0) throw new SlackError(checked.error)
  const errors = checked.problems.map(written)
  throw new SlackError(checked.error, {
    errors,
    response_metadata: { messages: errors.map((error) => `[ERROR] ${error}`) },
  })
}

/** A message as Slack writes it in answers and payloads, but without the root that it repeats under each broadcast. */
export function messagePayload(message: StoredMessage): Readonly<Record<string, unknown>> {
  const isBot = message.author === BOT_USER_ID
  return {
    type: 'message',
    ...(message.broadcast ? { subtype: 'thread_broadcast' } : {}),
    ts: message.ts,
    user: message.author,
    team: TEAM.id,
    text: message.text,
    ...(isBot ? { bot_id: BOT_ID, app_id: APP_ID } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.author, ts: message.editedTs } }),
  }
}
