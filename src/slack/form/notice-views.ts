import type { Block } from '../../block-kit/blocks.ts'
import { type Message, withBlocks, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, md, mention } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { modal, type ModalView } from '../../block-kit/view.ts'
import { isPerson } from '../../execution/messages/audit-text.ts'
import { againButton, wayOn } from '../../execution/messages/change-card.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Change } from '../../store/schema/change.ts'
import { NOTICE_VIEW } from './form-place.ts'

function notice(title: string, blocks: readonly Block[], externalId?: string): ModalView {
  return modal({ callbackId: NOTICE_VIEW, title, close: 'Close', externalId, blocks })
}

/** What a modal shows while its work is in flight; found again by `externalId` when the work is done. */
export function workingView(sentence: string, externalId: string): ModalView {
  const blocks = [
    section(md`:hourglass_flowing_sand: ${sentence}`),
    context('You may close this: the answer is posted as a message, too.'),
  ]
  return notice('Working…', blocks, externalId)
}

export function waitingView(change: Change, command: string): ModalView {
  const blocks = [
    section(md`:hourglass_flowing_sand: *${change.sentence ?? change.operation}*`),
    section(md`Others are being asked. It waits until ${dateTime(change.expiresAt)}; nothing is sent yet.`),
    context(md`You will hear how it ends. To withdraw it: ${code(`${command} changes cancel ${shortId(change.id)}`)}`),
  ]
  return notice('Waiting for approval', blocks)
}

/** The end of a form: what the operation answered, charts and tables as text since a modal draws none. */
export function resultView(title: string, { blocks }: Message): ModalView {
  return modal({ callbackId: NOTICE_VIEW, title, close: 'Done', blocks })
}

/** A plain sentence with what to do next: a refusal, a mistake of the bot. */
export function noticeView(title: string, sentence: string, next?: string): ModalView {
  return notice(title, [section(md`${sentence}`), ...(next === undefined ? [] : [context(next)])])
}

/** What a form or review shows that is too old, already answered or gone. */
export function expiredView(command: string, changeId?: string): ModalView {
  return notice('Too late', [
    section('This form has expired or was answered already. Nothing was done by this click.'),
    changeId === undefined ? context(md`Start again with ${code(`${command} help`)}`) : againButton(changeId),
  ])
}

/** How a change stands that somebody's click found settled, or gone on: by whom, and that this click did nothing more. */
export function stateMessage(change: Change, command: string, said = 'This click did nothing more.'): Message {
  const { icon, headline } = STATE_WORDS[change.state]
  const by = isPerson(change.endedBy) ? md` (by ${mention(change.endedBy)})` : md``
  const lines = [
    md`${icon} *${headline}*${by}\n${change.sentence ?? change.operation}`,
    ...(change.outcome === undefined ? [] : [md`${change.outcome}`]),
    md`${said}`,
  ]
  const told = wordsMessage(lines, { small: [md`${code(`${command} changes show ${shortId(change.id)}`)}`] })
  return withBlocks(told, ...wayOn(change))
}

export function stateView(change: Change, command: string, said?: string): ModalView {
  return resultView('Current state', stateMessage(change, command, said))
}
