import type { ModalView } from '../../block-kit/blocks.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { modal } from '../../block-kit/view.ts'
import { isPerson } from '../../execution/audit-words.ts'
import { CARD_STATES } from '../../execution/change-card.ts'
import type { Change } from '../../store/change.ts'
import { NOTICE_VIEW } from './form-place.ts'

/** What a modal says while its work is under way; found again by `externalId` when the work is done. */
export function workingView(sentence: string, externalId?: string): ModalView {
  return modal({
    callbackId: NOTICE_VIEW,
    title: 'Working…',
    close: 'Close',
    ...(externalId !== undefined && { externalId }),
    blocks: [
      section(md`:hourglass_flowing_sand: ${sentence}`),
      context('You may close this: the answer is posted as a message, too.'),
    ],
  })
}

export function waitingView(change: Change, asked: boolean, command: string, externalId?: string): ModalView {
  return modal({
    callbackId: NOTICE_VIEW,
    title: 'Waiting for approval',
    close: 'Close',
    ...(externalId !== undefined && { externalId }),
    blocks: [
      section(md`:hourglass_flowing_sand: *${change.sentence ?? change.operation}*`),
      section(
        asked
          ? md`Others have been asked, until ${dateTime(change.expiresAt)}. Nothing has been sent yet.`
          : md`It is on record, and others are being asked. Nothing has been sent yet.`,
      ),
      context(md`You will be told how it ends. To withdraw it: ${code(`${command} changes cancel ${change.id}`)}`),
    ],
  })
}

/** The end of a form: what the operation answered, charts and tables as text since a modal draws none. */
export function resultView(title: string, { blocks }: Message): ModalView {
  return modal({ callbackId: NOTICE_VIEW, title, close: 'Done', blocks })
}

/** A plain sentence with what to do next: a refusal, a mistake of the bot. */
export function noticeView(title: string, sentence: string, next?: string): ModalView {
  return modal({
    callbackId: NOTICE_VIEW,
    title,
    close: 'Close',
    blocks: [section(md`${sentence}`), ...(next === undefined ? [] : [context(next)])],
  })
}

/** What a form or review shows that is too old, already answered or gone. */
export function expiredView(command: string, operation?: string): ModalView {
  const again = operation === undefined ? `${command} help` : `${command} ${operation}`
  return modal({
    callbackId: NOTICE_VIEW,
    title: 'Too late',
    close: 'Close',
    blocks: [
      section('This form has expired or was answered already. Nothing was done by this click.'),
      context(md`Start again with ${code(again)}`),
    ],
  })
}

/** How a change stands that somebody's click found settled, or gone on: by whom, and that this click did nothing more. */
export function stateMessage(change: Change, command: string, said = 'This click did nothing more.'): Message {
  const { icon, headline } = CARD_STATES[change.state]
  const by = isPerson(change.endedBy) ? md` (by ${mention(change.endedBy)})` : md``
  const small = md`All about it: ${code(`${command} changes show ${change.id}`)}`
  const lines = [
    md`${change.sentence ?? change.operation}.`,
    ...(change.outcome === undefined ? [] : [md`${change.outcome}`]),
    md`${said}`,
  ]
  return message({
    text: plainOf(joinMd([md`${headline}${by}.`, ...lines, small], ' ')),
    blocks: [section(md`${icon} *${headline}*${by}\n${joinMd(lines, '\n')}`), context(small)],
  })
}

export function stateView(change: Change, command: string, said?: string): ModalView {
  return resultView('As it stands', stateMessage(change, command, said))
}
