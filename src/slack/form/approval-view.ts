import type { Block } from '../../block-kit/blocks.ts'
import { textInput } from '../../block-kit/inputs.ts'
import { dateTime, link, md, mention } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { modal, type ModalView } from '../../block-kit/view.ts'
import type { ApprovalPrompt } from '../../execution/changes/approvals.ts'
import { approvedWords } from '../../execution/messages/change-card.ts'
import { reviewBlocks } from '../../execution/messages/review-blocks.ts'
import { quorumsMd } from '../../operations/declaration/prompt-words.ts'
import { APPROVE_VIEW, DECLINE_VIEW, writePlace } from './form-place.ts'
import { duplicateBlocks, MAX_REASON_CHARACTERS } from './review-view.ts'

export const DECLINE_BLOCK = 'reason'

/**
 * What somebody reads before they approve a change of somebody else: drawn from the store and never from the message
 * under which they pressed the button.
 */
export function approvalView(prompt: ApprovalPrompt, command: string, onHome: boolean): ModalView {
  const { change, invocation, alike } = prompt
  const { review, effect } = invocation
  if (review === undefined) throw new TypeError(`${invocation.operation.name} has no review`)
  return modal({
    callbackId: APPROVE_VIEW,
    title: 'Approve?',
    privateMetadata: writePlace({ change: change.id, step: 0, onHome }),
    submit: 'Approve',
    close: 'Back',
    blocks: [
      section(md`*${review.sentence}*`),
      askedBlock(prompt),
      ...duplicateBlocks(alike, command),
      ...reviewBlocks(review, effect),
      context(
        md`It is sent at once with the last approval it needs.`,
        ...(review.panel === undefined ? [] : [link(review.panel, 'See it in the panel')]),
      ),
    ],
  })
}

export function declineView(prompt: ApprovalPrompt): ModalView {
  const { change } = prompt
  return modal({
    callbackId: DECLINE_VIEW,
    title: 'Decline?',
    privateMetadata: writePlace({ change: change.id, step: 0 }),
    submit: 'Decline',
    close: 'Back',
    blocks: [
      section(md`*${change.sentence ?? change.operation}*`),
      askedBlock(prompt),
      textInput({
        blockId: DECLINE_BLOCK,
        label: 'Why not?',
        hint: 'Shown in the message about it, and to whoever asked.',
        optional: true,
        multiline: true,
        maxLength: MAX_REASON_CHARACTERS,
      }),
      context('This ends it: nothing is sent, whoever else has approved it.'),
    ],
  })
}

function askedBlock({ change, decision: { quorums = [] }, approvals, lapsed }: ApprovalPrompt): Block {
  return context(
    md`Asked by ${mention(change.requestedBy)}, ${dateTime(change.requestedAt ?? change.createdAt)}`,
    md`Needs ${quorumsMd(quorums)}`,
    ...(approvals.length === 0 ? [md`Nobody has approved it yet`] : approvedWords(approvals, { lapsed })),
    md`Until ${dateTime(change.expiresAt)}`,
  )
}
