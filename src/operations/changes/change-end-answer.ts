import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/change.ts'
import type { ChangeActionEnd } from '../change-actions.ts'
import { STATE_WORDS } from './change-words.ts'

/** What became of acting on a change: the state it has now, or why nothing was done and the state it was found in. */
export function changeEndAnswer(end: ChangeActionEnd, id: string, command: string): Message {
  const said = end.kind === 'done' ? [] : [md`*Nothing was done.* ${end.why}`]
  const found = end.change === undefined ? [] : stateLines(end.change)
  const lines = [...said, ...found]
  const small = md`All about it: ${code(`${command} changes show ${id}`)}`
  return wordsMessage(lines, { small: [small] })
}

function stateLines({ state, sentence, operation, outcome, endedBy, endedAt }: Change): readonly Mrkdwn[] {
  const { icon, label, meaning } = STATE_WORDS[state]
  const since = [
    ...(endedBy === undefined ? [] : [md`by ${mention(endedBy)}`]),
    ...(endedAt === undefined ? [] : [dateTime(endedAt)]),
  ]
  const signed = since.length === 0 ? md`` : md` (${joinMd(since, ', ')})`
  return [md`${icon} *${label}*${signed}: ${visible(sentence ?? operation)}`, md`${outcome ?? meaning}`]
}
