import * as z from 'zod'
import type { Clock } from '../../../shared/clock.ts'
import { messageContent, type Messages, type StoredMessage } from '../state/messages.ts'
import { DAY_MS } from '../../../shared/durations.ts'
import { TtlMap } from '../../../shared/ttl-map.ts'
import { BOT_USER_ID, TEAM } from '../state/seed.ts'
import { SlackError } from '../state/slack-error.ts'

const MAX_USES = 5
const LIFETIME_MS = 30 * 60_000
/** How long an address that has expired is told from one that never was. */
const KNOWN = { lifeMs: DAY_MS, most: 2_000 }

export interface Origin {
  readonly userId: string
  readonly channelId: string
  /** The message whose element was used; undefined for a slash command, which has no message to replace. */
  readonly message: Pick<StoredMessage, 'channel' | 'ts' | 'visibleTo' | 'threadTs'> | undefined
  /** What was typed; shown to all when the answer is for all. */
  readonly typed?: string
}

/** An app's answer to a command or interaction, as posted to a response_url or put into an acknowledgement. */
const answer = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
})

interface Issued {
  readonly origin: Origin
  readonly issuedMs: number
  uses: number
}

interface Surroundings {
  readonly clock: Clock
  readonly messages: Messages
  readonly switches: { readonly refusedBlocks: readonly string[] }
  readonly baseUrl: () => string
}

/** The addresses with which an app answers without being in the channel: five posts within thirty minutes. */
export class ResponseUrls {
  readonly #parts: Surroundings
  readonly #issued: TtlMap<Issued>

  constructor(parts: Surroundings) {
    this.#parts = parts
    this.#issued = new TtlMap(parts.clock, KNOWN)
  }

  issue(origin: Origin): string {
    const kind = origin.message === undefined ? 'commands' : 'actions'
    const { clock, baseUrl } = this.#parts
    const path = `/${kind}/${TEAM.id}/${clock.newId()}`
    this.#issued.set(path, { origin, issuedMs: clock.monotonicMs(), uses: 0 })
    return `${baseUrl()}${path}`
  }

  /** Does what was posted to an address. Throws SlackError. Slack does not say whether refused posts count: here they do. */
  use(path: string, body: unknown): void {
    const issued = this.#issued.get(path)
    if (issued === undefined) throw new SlackError('invalid_url')
    if (this.#parts.clock.monotonicMs() - issued.issuedMs > LIFETIME_MS) throw new SlackError('expired_url')
    if (issued.uses >= MAX_USES) throw new SlackError('used_url')
    issued.uses += 1
    this.apply(issued.origin, body)
  }

  /** Does what an acknowledgement or a post to a response_url says. Throws SlackError and then changes nothing. */
  apply(origin: Origin, body: unknown): void {
    const parsed = answer.safeParse(body)
    if (!parsed.success) throw new SlackError('invalid_payload')
    const given = parsed.data
    const content = messageContent(given, this.#parts, false)
    const { messages } = this.#parts
    const { channelId: channel, userId, typed, message } = origin
    const original = message && messages.find(message.channel, message.ts)
    if (given.replace_original === true && original !== undefined) return void messages.edit(original, content)
    const isForAll = given.response_type === 'in_channel'
    if (isForAll && typed !== undefined) messages.post({ channel, author: userId, text: typed, blocks: [] })
    messages.post({
      channel,
      author: BOT_USER_ID,
      ...content,
      threadTs: given.thread_ts ?? message?.threadTs,
      visibleTo: isForAll ? undefined : userId,
    })
  }
}
