import { context, section } from '../block-kit/sections.ts'
import { code, md, mention, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { message, type Message, wordsMessage } from '../block-kit/message.ts'
import type { Change } from '../store/change.ts'
import type { NewNotice } from '../store/notices.ts'
import { CARD_STATES } from './card-states.ts'
import { isPerson } from './audit-words.ts'

/**
 * How a change ended that somebody has waited for: for their direct messages, since an edited message tells nobody.
 * `lookFor` says what to look for where nobody knows whether it happened.
 */
export function endNotice(change: Change, command: string, lookFor?: string): Message {
  const { icon, headline } = CARD_STATES[change.state]
  const { outcome, sentence = change.operation } = change
  const by = isPerson(change.endedBy) ? md` by ${mention(change.endedBy)}` : md``
  const lines: readonly Mrkdwn[] = [
    md`${icon} *${headline}*${by}\n${sentence}`,
    // What went as asked has nothing to add.
    ...(outcome === undefined || outcome === sentence ? [] : [md`${outcome}`]),
    ...(lookFor === undefined ? [] : [md`*What to check:* ${lookFor}`]),
  ]
  const small = md`All about it: ${code(`${command} changes show ${change.id}`)}`
  return message({
    text: [md`Your change: ${headline}${by}. ${sentence}.`, ...lines.slice(1), small].map(plainOf).join(' '),
    blocks: [...lines.map((line) => section(line)), context(small)],
  })
}

/** For the operations channel, that nobody knows whether a change happened whose message stands elsewhere. */
export function unknownNotice(change: Change, command: string, lookFor: string): Message {
  const { id, requestedBy, outcome } = change
  const { icon, headline } = CARD_STATES.unknown
  const what = change.sentence ?? change.operation
  const lines: readonly Mrkdwn[] = [
    ...(outcome === undefined ? [] : [md`${outcome}`]),
    md`*What to check:* ${lookFor} Whoever looked says what they found with ${code(`${command} changes settle ${id} happened`)} or ${code('not-happened')}.`,
  ]
  const small = md`Its message stands where it was asked. All about it: ${code(`${command} changes show ${id}`)}`
  const asked = md`Asked by ${mention(requestedBy)}`
  return message({
    text: [md`${headline}. ${what}. ${asked}.`, ...lines, small].map(plainOf).join(' '),
    blocks: [section(md`${icon} *${headline}*\n${what}`), ...lines.map((line) => section(line)), context(asked, small)],
  })
}

/** For every admin, that somebody went without the approval that the policy asks for, and why. */
export function breakGlassNotices(change: Change, admins: readonly string[], command: string): readonly NewNotice[] {
  const { id, requestedBy, sentence, operation, breakGlass = '' } = change
  const what = md`:rotating_light: ${mention(requestedBy)} confirmed alone what takes an approval: ${sentence ?? operation}.`
  const why = md`*Reason given:* ${breakGlass}`
  const small = md`All about it: ${code(`${command} changes show ${id}`)}`
  const told = wordsMessage([what, why], { small: [small] })
  return admins
    .filter((admin) => admin !== requestedBy)
    .map((admin) => ({ id: `break-glass-${id}-${admin}`, recipient: admin, message: told }))
}
