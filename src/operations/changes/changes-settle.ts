import type { ChangeActionEnd } from '../declaration/operation.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required } from '../declaration/fields.ts'
import { CHANGE_ID, changeIdField, STATE_WORDS } from './change-states.ts'
import { choice } from '../declaration/choice-field.ts'
import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { shortId } from '../../shared/short-id.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/schema/change.ts'

export const changesCancel = defineOperation({
  name: 'changes cancel',
  aliases: ['changes withdraw'],
  summary: 'Withdraw a write of your own that has not been sent',
  verb: 'Cancel change',
  effect: 'write to the bot',
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes cancel 01234567'],
  describe: ({ id }) => `Cancel change ${shortId(id)}`,
  run: ({ id }, { changes }) => changes.cancel(id),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})

export const changesSettle = defineOperation({
  name: 'changes settle',
  summary: 'Say whether a write that got no answer has happened, after looking',
  verb: 'Settle change',
  effect: 'write to the bot',
  fields: {
    id: required(changeIdField(CHANGE_ID)),
    found: required(
      choice({
        label: 'What was found',
        hint: 'What you saw in the CDN’s panel; it ends the change, and nothing is sent.',
        choices: [
          { value: 'happened', label: 'It happened' },
          { value: 'not-happened', label: 'It did not happen' },
        ],
      }),
    ),
  },
  positionals: ['id', 'found'],
  examples: ['changes settle 01234567 happened', 'changes settle 01234567 not-happened'],
  describe: ({ id, found }) => `Settle change ${shortId(id)}: it has ${found === 'happened' ? '' : 'not '}happened`,
  run: ({ id, found }, { changes }) => changes.settle(id, found === 'happened'),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})

function changeEndAnswer(end: ChangeActionEnd, id: string, command: string): Message {
  const failure = end.kind === 'done' ? [] : [md`*Nothing was done.* ${end.why}`]
  const state = end.change === undefined ? [] : describeState(end.change)
  return wordsMessage([...failure, ...state], { small: [md`${code(`${command} changes show ${shortId(id)}`)}`] })
}

function describeState({ state, sentence, operation, outcome, endedBy, endedAt }: Change): readonly Mrkdwn[] {
  const { icon, label, meaning } = STATE_WORDS[state]
  const ended = [endedBy && md`by ${mention(endedBy)}`, endedAt && dateTime(endedAt)].filter(
    (part) => part !== undefined,
  )
  const signed = ended.length === 0 ? md`` : md` (${joinMd(ended, ', ')})`
  return [md`${icon} *${label}*${signed}: ${visible(sentence ?? operation)}`, md`${outcome ?? meaning}`]
}
