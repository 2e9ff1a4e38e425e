import type { Message } from '../block-kit/message.ts'

/** People can be faster than the note of where a message stands, which Slack's answer to its post says: a click waits so long for it. */
export const NOTED_WITHIN_MS = 1_500

export interface MessagePlace {
  readonly channel: string
  readonly ts: string
}

/** Slack, or the configured address, did not take a message. `final` when trying again there cannot help, for good or until somebody permits it. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered'
  readonly final: boolean | 'until permitted'
  readonly retryAfterMs: number | undefined

  constructor(code: string, final: NotDelivered['final'], retryAfterMs?: number) {
    super(code)
    this.final = final
    this.retryAfterMs = retryAfterMs
  }
}

/** Tells people what nobody is waiting for at a prompt: implemented over Slack above, by arrays in tests. */
export interface Notifier {
  /** Posts into a channel, or to a person's direct messages. Throws `NotDelivered`. */
  post(recipient: string, message: Message): Promise<MessagePlace>
  /** Replaces a message. False when it is gone. Throws `NotDelivered`. */
  edit(place: MessagePlace, message: Message): Promise<boolean>
  /** Answers in the thread of a message; `broadcast` shows it in the channel as well. Throws `NotDelivered`. */
  reply(place: MessagePlace, message: Message, options?: { readonly broadcast?: boolean }): Promise<MessagePlace>
}
