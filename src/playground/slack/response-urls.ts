import * as z from 'zod'
import type { Clock } from '../../shared/clock.ts'
import { withIds } from './block-ids.ts'
import { checkMessageBlocks } from './block-rules/message-rules.ts'
import { written } from './block-rules/problems.ts'
import type { Block } from './block-rules/blocks.ts'
import type { Messages, StoredMessage } from './messages.ts'
import { BOT_USER_ID, TEAM } from './seed.ts'
import { SlackError } from './slack-error.ts'

const MAX_USES = 5
const LIFETIME_MS = 30 * 60_000
const MAX_URLS = 2_000

/** Where a response_url came from and therefore what it may do. */
export interface Origin {
  readonly userId: string
  readonly channelId: string
  /** The message whose element was used; undefined for a slash command, which has no message to replace. */
  readonly message: Pick<StoredMessage, 'channel' | 'ts' | 'visibleTo' | 'threadTs'> | undefined
  /** What was typed; shown to all when the answer is for all. */
  readonly typed?: string
}

const answer = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
})

/** An app's answer to a command or interaction, as posted to a response_url or put into an acknowledgement. */
export type Answer = z.infer<typeof answer>

interface Issued {
  readonly origin: Origin
  readonly issuedMs: number
  uses: number
}

/** The addresses with which an app answers without being in the channel: five posts within thirty minutes. */
export class ResponseUrls {
  readonly #clock: Clock
  readonly #messages: Messages
  readonly #refuseCharts: () => boolean
  readonly #issued = new Map<string, Issued>()

  constructor(clock: Clock, messages: Messages, refuseCharts: () => boolean) {
    this.#clock = clock
    this.#messages = messages
    this.#refuseCharts = refuseCharts
  }

  /** Gives out the path of a new address. */
  issue(origin: Origin): string {
    const kind = origin.message === undefined ? 'commands' : 'actions'
    const path = `/${kind}/${TEAM.id}/${this.#clock.newId()}`
    this.#issued.set(path, { origin, issuedMs: this.#clock.monotonicMs(), uses: 0 })
    const [oldest] = this.#issued.keys()
    if (this.#issued.size > MAX_URLS && oldest !== undefined) this.#issued.delete(oldest)
    return path
  }

  /** Does what was posted to an address. Throws SlackError; refused posts do not count as uses. */
  use(path: string, body: unknown): void {
    const issued = this.#issued.get(path)
    if (issued === undefined) throw new SlackError('invalid_url')
    if (this.#clock.monotonicMs() - issued.issuedMs > LIFETIME_MS) throw new SlackError('expired_url')
    if (issued.uses >= MAX_USES) throw new SlackError('used_url')
    this.apply(issued.origin, body)
    issued.uses += 1
  }

  /** Does what an acknowledgement or a post to a response_url says. Throws SlackError and then changes nothing. */
  apply(origin: Origin, body: unknown): void {
    const parsed = answer.safeParse(body)
    if (!parsed.success) throw new SlackError('invalid_payload')
    const given = parsed.data
    const original = this.#original(origin)
    if (given.delete_original === true) {
      if (original !== undefined) this.#messages.remove(original)
      return
    }
    const content = { text: given.text ?? '', blocks: this.#checked(given) }
    if (given.replace_original === true && original !== undefined) {
      this.#messages.edit(original, content)
      return
    }
    this.#post(origin, given, content)
  }

  #original({ message }: Origin): StoredMessage | undefined {
    return message === undefined ? undefined : this.#messages.find(message.channel, message.ts)
  }

  #checked(given: Answer): readonly Block[] {
    if (given.blocks === undefined) {
      if (given.text === undefined || given.text === '') throw new SlackError('no_text')
      return []
    }
    const checked = checkMessageBlocks(given.blocks, { refuseCharts: this.#refuseCharts(), budget: false })
    if (!checked.ok) throw new SlackError(checked.error, { errors: checked.problems.map(written) })
    return withIds(checked.blocks, this.#clock)
  }

  #post(origin: Origin, given: Answer, content: { readonly text: string; readonly blocks: readonly Block[] }): void {
    const { channelId: channel, userId, typed } = origin
    const isForAll = given.response_type === 'in_channel'
    if (isForAll && typed !== undefined) {
      this.#messages.post({ channel, author: userId, text: typed, blocks: [] })
    }
    const threadTs = given.thread_ts ?? origin.message?.threadTs
    this.#messages.post({
      channel,
      author: BOT_USER_ID,
      ...content,
      ...(threadTs === undefined ? {} : { threadTs }),
      ...(isForAll ? {} : { visibleTo: userId }),
    })
  }
}
