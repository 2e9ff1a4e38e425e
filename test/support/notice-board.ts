import type { Message } from '../../src/block-kit/message.ts'
import { type MessagePlace, NotDelivered, type Notifier } from '../../src/delivery/notifier.ts'

/** One message as it stands now, with all that it has said before. */
export interface Posted {
  readonly channel: string
  readonly ts: string
  readonly texts: readonly string[]
  readonly message: Message
  /** The message in whose thread it stands. */
  readonly thread?: string | undefined
  readonly broadcast?: boolean | undefined
}

/** A Slack of messages that only keeps them, where channels can refuse. */
export class NoticeBoard implements Notifier {
  readonly #posted: (Posted & { channel: string; texts: string[]; message: Message })[] = []
  /** Channels that do not take messages: for good, or for a while. */
  readonly refusing = new Map<string, 'for good' | 'for a while'>()
  /** Called before each post, edit and reply; may throw, or wait. */
  before: (what: 'post' | 'edit' | 'reply', channel: string) => unknown = () => undefined

  get posted(): readonly Posted[] {
    return this.#posted
  }

  /** The texts in a channel as they stand now. */
  in(channel: string): readonly string[] {
    return this.#posted.filter((each) => each.channel === channel).map(({ texts }) => texts.at(-1) ?? '')
  }

  async post(channel: string, message: Message): Promise<MessagePlace> {
    await this.#pass('post', channel)
    const place = { channel, ts: `${this.#posted.length + 1}.0` }
    this.#posted.push({ ...place, texts: [message.text], message })
    return place
  }

  async edit({ channel, ts }: MessagePlace, message: Message): Promise<boolean> {
    await this.#pass('edit', channel)
    const found = this.#posted.find((each) => each.channel === channel && each.ts === ts)
    if (found === undefined) return false
    found.texts.push(message.text)
    found.message = message
    return true
  }

  async reply(
    { channel, ts: thread }: MessagePlace,
    message: Message,
    { broadcast = false }: { readonly broadcast?: boolean } = {},
  ): Promise<MessagePlace> {
    await this.#pass('reply', channel)
    const place = { channel, ts: `${this.#posted.length + 1}.0` }
    this.#posted.push({ ...place, texts: [message.text], message, thread, broadcast })
    return place
  }

  /** Somebody deletes every message in a channel. */
  clear(channel: string): void {
    for (const each of this.#posted.filter((posted) => posted.channel === channel)) each.channel = 'deleted'
  }

  async #pass(what: 'post' | 'edit' | 'reply', channel: string): Promise<void> {
    await this.before(what, channel)
    const how = this.refusing.get(channel)
    if (how !== undefined)
      throw new NotDelivered(how === 'for good' ? 'is_archived' : 'ratelimited', how === 'for good')
  }
}
