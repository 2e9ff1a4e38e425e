import type { View } from '../../src/block-kit/view.ts'
import { TWIN_BYTES } from '../../src/block-kit/limits.ts'
import { findStray, findStrayInMessage } from '../../src/block-kit/markup-gate.ts'
import { type Drawing, drawingsIn, formWith, type Message } from '../../src/block-kit/message.ts'
import {
  type CheckedBlocks,
  type CheckedView,
  checkMessageBlocks,
  checkView,
  written,
} from '../../src/playground/slack/blocks/message-rules.ts'

/** What is left of a message where Slack refuses charts, tables or both. */
const FORMS: readonly (readonly Drawing[])[] = [['chart', 'table'], ['table'], ['chart'], []]

/** What Slack, as the emulator has it, would refuse of a message in each of its forms, and what the markup gate would. */
export function messageProblems(message: Message): readonly string[] {
  const { text } = message
  const strayAt = findStrayInMessage(message)
  const drawn = drawingsIn(message)
  // The same where what is left out is not there.
  const forms = new Map(
    FORMS.map((left) => {
      const kept = drawn.filter((drawing) => left.includes(drawing))
      return [kept.join(), kept] as const
    }),
  )
  return [
    ...(text.trim() === '' || Buffer.byteLength(text) > TWIN_BYTES ? ['the text is empty or too long'] : []),
    ...[...forms.values()].flatMap((kept) => objections(checkMessageBlocks(sent(formWith(message, kept))))),
    ...(strayAt === undefined ? [] : [`foreign markup at ${strayAt}`]),
  ]
}

/** The same of a modal or a Home page. */
export function viewProblems(view: View): readonly string[] {
  const strayAt = findStray(view)
  return [
    ...objections(checkView(sent(view), view.type)),
    ...(strayAt === undefined ? [] : [`foreign markup at ${strayAt}`]),
  ]
}

function objections(checked: CheckedBlocks | CheckedView): readonly string[] {
  return checked.ok ? [] : [checked.error, ...checked.problems.map(written)]
}

/** As it arrives over the wire. */
function sent(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part))
}
