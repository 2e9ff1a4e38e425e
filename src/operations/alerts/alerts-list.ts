import { defineOperation } from '../define-operation.ts'
import { flag } from '../fields.ts'
import { channelHere } from './channel-for-alerts.ts'
import { listAnswer } from './list-answer.ts'
import { readAlerts } from './list-reading.ts'

/** `alerts list`: what this channel gets, where it stands, and why something is held back. */
export const alertsList = defineOperation({
  name: 'alerts list',
  aliases: ['alerts'],
  summary: 'Show what this channel is told, and why something is held back',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields: { all: flag({ label: 'All channels', hint: 'The rules of every channel, not only of this one.' }) },
  positionals: [],
  examples: ['alerts list', 'alerts list --all'],
  describe: ({ all }) => `List the alerts of ${all === true ? 'all channels' : 'this channel'}`,
  run: ({ all }, context) => readAlerts(all === true ? undefined : channelHere(context), context),
  present: (listed, { all }, context) => listAnswer(listed, all === true, context),
})
