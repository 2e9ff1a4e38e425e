import type { Message } from '../block-kit/message.ts'
import type { AnswerFile } from '../operations/answer.ts'

export type Audience = 'caller' | 'channel'

/**
 * Where an answer goes: implemented over Slack above, and by arrays in tests. Sending never throws for a reason a
 * person could not act on; what could not be delivered is logged by the implementation.
 */
export interface Conversation {
  /** Shows the answer, in place of the progress shown so far. */
  reply(message: Message, audience: Audience): Promise<void>
  /** Says how far long work has come, plain text. Called often; the implementation shows a few. */
  progress(sentence: string): void
  /** Sends a file to the person's direct messages. Returns whether it arrived. */
  sendFile(file: AnswerFile): Promise<boolean>
}
