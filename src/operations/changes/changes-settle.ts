import { choice } from '../choice-field.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { changeEndAnswer } from './change-end-answer.ts'
import { CHANGE_ID, changeIdField } from './change-id-field.ts'

/** `changes settle`: somebody who has looked says whether a write without an answer happened. */
export const changesSettle = defineOperation({
  name: 'changes settle',
  summary: 'Say whether a write that got no answer has happened, after looking',
  verb: 'Settle change',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
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
