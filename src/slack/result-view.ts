import type { MessagePlace } from '../alerts/notifier.ts'
import type { ModalView } from '../block-kit/blocks.ts'
import { withBlocks } from '../block-kit/message.ts'
import { md, mention } from '../block-kit/mrkdwn.ts'
import { context } from '../block-kit/sections.ts'
import type { Ended } from '../execution/change-sender.ts'
import type { Change } from '../store/change.ts'
import { resultView } from './form/notice-views.ts'
import type { Reception } from './reception.ts'
import { SlackError } from './web-api.ts'

/** The `external_id` by which the view of somebody who waits for a change is found again. */
export function waitingViewId(changeId: string, userId: string): string {
  return `change-${changeId}-${userId}`
}

/** Sends an approved change and shows whoever pressed the last button how it ended; the message about it follows. */
export async function sendAndShow(
  change: Change,
  externalId: string,
  reception: Reception,
): Promise<{ readonly ended: Ended; readonly place: MessagePlace | undefined }> {
  const ended = await reception.options.sender.send(change)
  const shown = showLater(externalId, resultView(TITLES[ended.outcome], ended.viewed), reception)
  const [place] = await Promise.all([ended.told, shown])
  return { ended, place }
}

/**
 * The same for who asked: where the message about it had to go elsewhere, because the bot is not in the channel, the
 * channel sees the end through the command's own address, as long as that lives.
 */
export async function sendForAsker(change: Change, externalId: string, reception: Reception): Promise<void> {
  const { outbound, executor } = reception.options
  const { ended, place } = await sendAndShow(change, externalId, reception)
  const url = reception.responseUrls.get(change.id)
  if (url === undefined || place === undefined || place.channel === change.channelId) return
  const answer = withBlocks(ended.viewed, context(md`Asked by ${mention(change.requestedBy)}`, NOT_HERE))
  await outbound.respond(url, answer, { public: true, replace: false }).catch((error: unknown) => {
    executor.options.log.warn({ err: error }, 'the channel of a change could not be answered')
  })
}

const NOT_HERE = md`CDN Ops is not in this channel: invite it with /invite, so that results stay here.`

const TITLES: Readonly<Record<Ended['outcome'], string>> = {
  done: 'Done',
  rejected: 'Refused',
  not_sent: 'Not sent',
  unknown: 'Unknown',
  later: 'Not sent yet',
}

/** Replaces a view that may have been closed: what it says stands in the message about the change, too. */
export async function showLater(externalId: string, view: ModalView, reception: Reception): Promise<void> {
  try {
    await replaceView(externalId, view, reception)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    reception.options.executor.options.log.info({ reason }, 'a result view was not updated')
  }
}

/** A fast answer can overtake Slack, which knows the view only once it has taken in the acknowledgement. */
async function replaceView(externalId: string, view: ModalView, { options }: Reception): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await options.outbound.updateView({ externalId }, view)
      return
    } catch (error) {
      if (!(error instanceof SlackError && error.code === 'not_found') || tries >= MAX_TRIES) throw error
      await options.executor.options.clock.sleep(BETWEEN_TRIES_MS)
    }
  }
}

const MAX_TRIES = 4
const BETWEEN_TRIES_MS = 400

/** What a submission is answered with; `undefined` closes the view. */
export type ViewAck =
  | { readonly response_action: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly response_action: 'update'; readonly view: ModalView }
  | undefined

export interface Outcome {
  readonly ack: ViewAck
  /** What follows once Slack has its answer. */
  readonly afterwards?: () => Promise<void>
  /**
   * What undoes it when Slack's patience was over before it was ready. Without this it stays done, and what follows is
   * done all the same.
   */
  readonly undo?: () => Promise<void>
}

export function showing(view: ModalView): { readonly response_action: 'update'; readonly view: ModalView } {
  return { response_action: 'update', view }
}
