import type { ModalView } from '../../block-kit/blocks.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { code, joinMd, md, mention, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { isPerson } from '../../execution/audit-words.ts'
import { CARD_STATES } from '../../execution/card-states.ts'
import type { Change } from '../../store/change.ts'
import { resultView } from './notice-views.ts'

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

/** The same in place of a form, a review or a prompt. */
export function stateView(change: Change, command: string, said?: string): ModalView {
  return resultView('As it stands', stateMessage(change, command, said))
}
