import { expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { checkContext, invocationOf } from '../../support/operation-context.ts'
import { ZONES } from './alerts-bench.ts'

test.each([
  ['alerts', 'List the alerts of this channel'],
  ['alerts list --all', 'List the alerts of all channels'],
  ['alerts kinds', 'Explain the kinds of alerts'],
  ['alerts kinds 5xx', 'Explain origin-failing'],
  ['alerts add keys', 'Turn on api-keys-changed for the account'],
  ['alerts add 5xx shop 4%', 'Turn on origin-failing for pull zone shop (301) (warning 4 %)'],
  ['alerts test 5xx shop', 'Try origin-failing on the past of pull zone shop (301)'],
  ['alerts test 5xx 7 2d --critical 30', 'Try origin-failing on the past of pull zone 7 (critical 30 %)'],
  ['watch shop', 'Watch pull zone shop (301)'],
  ['watch all', 'Watch 2 pull zones: shop (301), blog (302)'],
  ['unwatch all', 'Remove alerts: all'],
  ['alerts resume all', 'Resume alerts: all'],
  ['alerts why shop', 'Show why incident shop fires or fired'],
  ['ack', 'Acknowledge the alert'],
  ['ack shop', 'Acknowledge incident shop'],
  ['alerts assign @U012AB3CD', 'Hand the alert over to U012AB3CD'],
  ['alerts assign shop @U012AB3CD', 'Hand incident shop over to U012AB3CD'],
  ['alerts assign shop', 'Take over incident shop'],
  ['alerts release shop', 'Take back the acknowledgement of incident shop'],
  ['note shop it is full', 'Note something about incident shop'],
  ['alerts dismiss shop', 'Answer that incident shop is not a problem'],
  ['alerts mark shop deploy 1.42', 'Note for pull zone shop (301): deploy 1.42'],
  ['alerts unmark 0123abcd', 'Take off mark 0123abcd'],
  ['alerts digest weekly', 'Set the digest of this channel to weekly'],
  ['mute shop', 'Silence shop for 60 minutes'],
  ['mute shop 2h it is moved', 'Silence shop for 120 minutes'],
  ['mute shop 17:30 it is moved', 'Silence shop until 2026-11-20T17:30:00.000Z'],
  ['mute shop until morning', 'Silence shop until 2026-11-21T08:00:00.000Z'],
  ['mute all --kind stale --for 30d', 'Silence origin-failing of all for 43200 minutes'],
  ['mute --incident abcd', 'Silence incident abcd for 60 minutes'],
  ['unmute shop', 'End the silence of shop'],
  ['unmute --incident abcd', 'End the silence of incident abcd'],
])('%s is on record as: %s', (typed, sentence) => {
  const parsed = parseCommand(typed, OPERATIONS, ZONES)
  if (parsed.kind !== 'operation') throw new Error(parsed.kind)
  expect(parsed.problems).toEqual([])
  expect(invocationOf(parsed.operation, parsed.values, checkContext({ zones: ZONES })).sentence).toBe(sentence)
})
