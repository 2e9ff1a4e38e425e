import type { Block } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import { textInput, type InputBlock } from '../../block-kit/inputs.ts'
import { code, dateTime, link, md, mention } from '../../block-kit/mrkdwn.ts'
import { bullets, context, firstLines, section } from '../../block-kit/sections.ts'
import { modal, type ModalView } from '../../block-kit/view.ts'
import { PROMPT_MINUTES, type ReviewPrompt } from '../../execution/changes/change-service.ts'
import { reviewBlocks } from '../../execution/messages/review-blocks.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import { quorumsMd } from '../../operations/declaration/prompt-words.ts'
import type { Decision } from '../../operations/declaration/role.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Change } from '../../store/schema/change.ts'
import { BACK_ACTION, REVIEW_VIEW, writePlace, APPROVE_VIEW, DECLINE_VIEW } from './form-place.ts'
import type { ApprovalPrompt } from '../../execution/changes/approvals.ts'
import { approvedWords } from '../../execution/messages/change-card.ts'

export const ALONE_BLOCK = 'alone'
export const MAX_REASON_CHARACTERS = 500
const REASON = { optional: true, multiline: true, maxLength: MAX_REASON_CHARACTERS } as const

/** What a person reads before confirming a write, or asking others for it: what is sent, what it costs, what stays. */
export function reviewView({ change, invocation, decision, alike }: ReviewPrompt, command: string): ModalView {
  const { operation, review, effect } = invocation
  if (review === undefined) throw new TypeError(`${operation.name} has no review`)
  return modal({
    callbackId: REVIEW_VIEW,
    title: 'Review',
    privateMetadata: writePlace({ change: change.id, step: operation.form?.length ?? 0 }),
    submit: pickSubmitLabel(decision) ?? operation.verb,
    close: 'Cancel',
    notifyOnClose: true,
    blocks: [
      section(md`*${review.sentence}*`),
      ...duplicateBlocks(alike, command),
      ...reviewBlocks(review, effect),
      ...approvalBlocks(decision),
      context(
        md`Not sent yet. ${decision.kind === 'approve' ? 'Ask' : 'Confirm'} within ${PROMPT_MINUTES} min.`,
        ...(review.panel === undefined ? [] : [link(review.panel, 'See it in the panel')]),
      ),
      ...(operation.form === undefined
        ? []
        : [actions('navigation', [button({ actionId: BACK_ACTION, text: 'Back to the form' })])]),
    ],
  })
}

function pickSubmitLabel({ kind, breakGlass }: Decision): string | undefined {
  if (kind !== 'approve') return undefined
  return breakGlass === true ? 'Ask, or send with reason' : 'Ask for approval'
}

function approvalBlocks({ kind, reason, quorums = [], breakGlass }: Decision): readonly (Block | InputBlock)[] {
  if (kind !== 'approve') return []
  return [
    section(md`:busts_in_silhouette: ${reason} Who: ${quorumsMd(quorums)}.`),
    ...(breakGlass === true
      ? [
          textInput({
            ...REASON,
            blockId: ALONE_BLOCK,
            label: 'To go without approval: why?',
            hint: 'Left empty, others are asked. With a reason it is sent at once, and all admins are told the reason.',
          }),
        ]
      : []),
  ]
}

const MAX_SHOWN = 3

/** That the same was done within a day, or has not ended: to be read before it is asked for again. */
function duplicateBlocks(duplicates: readonly Change[], command: string): readonly Block[] {
  if (duplicates.length === 0) return []
  const lines = duplicates.map(
    ({ id, state, requestedBy, requestedAt, createdAt }) =>
      md`${dateTime(requestedAt ?? createdAt)} by ${mention(requestedBy)}: *${STATE_WORDS[state].label}*. ${code(`${command} changes show ${shortId(id)}`)}`,
  )
  return [section(md`:warning: *The same was asked for already*`), bullets(firstLines(lines, MAX_SHOWN))]
}

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
        ...REASON,
        blockId: DECLINE_BLOCK,
        label: 'Why not?',
        hint: 'Shown in the message about it, and to whoever asked.',
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
