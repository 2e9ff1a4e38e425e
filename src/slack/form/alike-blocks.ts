import type { Block } from '../../block-kit/blocks.ts'
import { code, dateTime, md, mention } from '../../block-kit/mrkdwn.ts'
import { bullets, section } from '../../block-kit/sections.ts'
import { STATE_WORDS } from '../../operations/changes/change-words.ts'
import type { Change } from '../../store/change.ts'

const MAX_SHOWN = 3

/** That the same was done within a day, or has not ended: to be read before it is asked for again. */
export function alikeBlocks(alike: readonly Change[], command: string): readonly Block[] {
  if (alike.length === 0) return []
  const lines = alike
    .slice(0, MAX_SHOWN)
    .map(
      ({ id, state, requestedBy, requestedAt, createdAt }) =>
        md`${dateTime(requestedAt ?? createdAt)} by ${mention(requestedBy)}: *${STATE_WORDS[state].label}*. ${code(`${command} changes show ${id}`)}`,
    )
  const rest = alike.length - lines.length
  return [
    section(md`:warning: *The same was asked for already*`),
    bullets([...lines, ...(rest > 0 ? [md`and ${rest} more`] : [])]),
  ]
}
