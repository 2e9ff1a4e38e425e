import type { Message } from '../../block-kit/message.ts'
import { failure } from '../../execution/messages/error-messages.ts'
import { recordRefusal, type RefusalOptions } from '../../execution/requests/refusals.ts'

export interface Concerned {
  readonly operation?: string | undefined
  readonly changeId?: string | undefined
}

/**
 * A delivery that nothing the bot has shown can lead to: made up, or changed on its way. The message says what does not
 * fit, in words of this program and never in those of the delivery.
 */
export class InvalidDelivery extends Error {
  override readonly name = 'InvalidDelivery'
  readonly concerned: Concerned
  /** What is put on record in short, and said to whoever sent it. */
  readonly words: Readonly<Record<'summary' | 'happened' | 'next', string>>

  constructor(what: string, concerned: Concerned = {}, words: InvalidDelivery['words'] = WORDS) {
    super(what)
    this.concerned = concerned
    this.words = words
  }
}

const WORDS = {
  summary: 'A delivery of Slack that does not fit what was shown',
  happened: 'What Slack sent does not fit what CDN Ops has shown here, so it was refused. Nothing was done.',
  next: 'Start again; if it goes on, tell whoever runs CDN Ops.',
} as const

/** Puts on record that a delivery was refused, as far as the record can be written, and says so to whoever sent it. */
export async function refuseDelivery(
  { message: what, concerned, words }: InvalidDelivery,
  by: { readonly userId: string; readonly team?: string | undefined },
  options: Omit<RefusalOptions, 'people'>,
): Promise<Message> {
  const { operation = 'delivery', changeId } = concerned
  options.log.warn({ operation, change: changeId, user: by.userId, what }, 'a delivery of Slack was refused')
  const entry = { actor: by.userId, team: by.team ?? 'unknown', operation, changeId, detail: what }
  await recordRefusal(options, { ...entry, at: options.clock.now(), event: 'denied', summary: words.summary })
  return failure(words.happened, words.next)
}
