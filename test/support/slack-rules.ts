import type { View } from '../../src/block-kit/blocks.ts'
import { TWIN_BYTES } from '../../src/block-kit/limits.ts'
import { findStray, findStrayInMessage } from '../../src/block-kit/markup-gate.ts'
import { type Message, plainFormOf } from '../../src/block-kit/message.ts'
import { checkMessageBlocks, type CheckedBlocks } from '../../src/playground/slack/message-rules.ts'
import { written } from '../../src/playground/slack/message-rules.ts'
import { checkView, type CheckedView } from '../../src/playground/slack/message-rules.ts'

/** What Slack, as the emulator has it, would refuse of a message in both of its forms, and what the markup gate would. */
export function messageProblems(message: Message): readonly string[] {
  const { text, blocks } = message
  const strayAt = findStrayInMessage(message)
  return [
    ...(text.trim() === '' || Buffer.byteLength(text) > TWIN_BYTES ? ['the text is empty or too long'] : []),
    ...[blocks, plainFormOf(message) ?? []].flatMap((form) => objections(checkMessageBlocks(sent(form)))),
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
