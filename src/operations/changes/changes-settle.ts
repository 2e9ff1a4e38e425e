import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { CHANGE_ID, changeIdField, STATE_WORDS } from './change-words.ts'
import { choice } from '../choice-field.ts'
import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/change.ts'
import type { ChangeActionEnd } from '../change-actions.ts'

export const changesCancel = defineOperation({
  name: 'changes cancel',
  aliases: ['changes withdraw'],
  summary: 'Withdraw a write of your own that has not been sent',
  verb: 'Cancel change',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'caller',
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes cancel 0123456789abcdef0123456789abcdef'],
  describe: ({ id }) => `Cancel change ${id}`,
  run: ({ id }, { changes }) => changes.cancel(id),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})

export const changesSettle = defineOperation({
  name: 'changes settle',
  summary: 'Say whether a write that got no answer has happened, after looking',
  verb: 'Settle change',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'caller',
  fields: {
    id: required(changeIdField(CHANGE_ID)),
    found: required(
      choice({
        label: 'What was found',
        hint: 'What you saw in the platform; it ends the change, and nothing is sent.',
        choices: [
          { value: 'happened', label: 'It happened' },
          { value: 'not-happened', label: 'It did not happen' },
        ],
      }),
    ),
  },
  positionals: ['id', 'found'],
  examples: [
    'changes settle 0123456789abcdef0123456789abcdef happened',
    'changes settle 0123456789abcdef0123456789abcdef not-happened',
  ],
  describe: ({ id, found }) => `Settle change ${id}: it has ${found === 'happened' ? '' : 'not '}happened`,
  run: ({ id, found }, { changes }) => changes.settle(id, found === 'happened'),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})

function changeEndAnswer(end: ChangeActionEnd, id: string, command: string): Message {
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
