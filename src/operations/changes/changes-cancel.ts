import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { changeEndAnswer } from './change-end-answer.ts'
import { CHANGE_ID, changeIdField } from './change-id-field.ts'

/** `changes cancel`: whoever asked for a change takes it back while nothing has been sent. */
export const changesCancel = defineOperation({
  name: 'changes cancel',
  aliases: ['changes withdraw'],
  summary: 'Withdraw a write of your own that has not been sent',
  verb: 'Cancel change',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes cancel 0123456789abcdef0123456789abcdef'],
  describe: ({ id }) => `Cancel change ${id}`,
  run: ({ id }, { changes }) => changes.cancel(id),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})
