import type { HeldBack } from '../../alerts/held-back.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { dateTime, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'

/** Why something that fires is not told, in words for whoever asks. */
export function heldWords(held: HeldBack): Mrkdwn {
  switch (held.why) {
    case 'paused':
      return md`paused: ${held.sentence}`
    case 'silenced': {
      const { by, until, reason } = held.silence
      return md`silenced by ${mention(by)} until ${dateTime(until)}${reason === undefined ? '' : `: ${reason}`}`
    }
    case 'not trusted':
      return md`its data cannot be trusted while ${titleOf(held.kind)} fires`
    case 'explained':
      return md`${titleOf(held.kind)} is critical and has the same cause`
    case 'marked':
      return md`“${held.mark.text}” was marked at ${dateTime(held.mark.at)}; what is read of the 15 minutes after it is not told`
    case 'flapping':
      return md`it begins and ends again and again, so it is held until ${dateTime(held.until)}`
  }
}

function titleOf(kind: string): string {
  return alertKind(kind)?.title ?? kind
}
