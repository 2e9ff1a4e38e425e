import { counted } from '../../block-kit/amounts.ts'
import { md, mentionChannel, plainOf } from '../../block-kit/mrkdwn.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { bullets, context, section } from '../../block-kit/sections.ts'
import type { AlertRule } from '../../store/schema/alert-records.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import { MANAGED_BY, type PauseTold } from '../../store/alerts/alert-rules.ts'
import { getKindTitle } from '../kinds/kinds.ts'
import { type IncidentWords, subjectLabel } from '../incidents/incident-words.ts'

const LOST: ReadonlyMap<string, string> = new Map([
  ['channel_not_found', 'Slack knows no such channel, or CDN Ops was removed from it.'],
  ['not_in_channel', 'CDN Ops is not in the channel.'],
  ['is_archived', 'The channel is archived.'],
  ['restricted_action', 'Slack does not let CDN Ops write in the channel.'],
  ['restricted_action_read_only_channel', 'Only some people may write in the channel.'],
])
const MAX_OWNERS_TOLD = 20
const MAX_RULES_NAMED = 10

/** Why nothing can be posted in a channel any more; undefined where Slack's refusal is not about the channel. */
export function explainLoss(code: string): string | undefined {
  return LOST.get(code)
}

/** What goes with the rules of a lost channel being paused: an entry on record, and a word to whoever set them up. */
export function describePause(
  channelId: string,
  why: string,
  at: Date,
  { opsChannel, words }: { readonly opsChannel: string | undefined; readonly words: IncidentWords },
): PauseTold {
  return {
    at,
    entry: (paused) => ({
      at,
      actor: PROGRAM,
      team: PROGRAM,
      operation: 'alerts',
      event: 'alert_paused',
      summary: `${countRules(paused)} of channel ${channelId} paused`,
      detail: why,
    }),
    notices(paused) {
      if (paused.length === 0) return []
      const told = buildPauseMessage(paused, channelId, why, words)
      const owners = new Set(paused.map(({ createdBy }) => createdBy).filter((owner) => owner !== MANAGED_BY))
      const recipients = [...owners].slice(0, MAX_OWNERS_TOLD)
      if (opsChannel !== undefined && opsChannel !== channelId) recipients.push(opsChannel)
      return recipients.map((recipient) => ({ recipient, message: told }))
    },
  }
}

function buildPauseMessage(
  paused: readonly AlertRule[],
  channelId: string,
  why: string,
  words: IncidentWords,
): Message {
  const happened = md`:warning: CDN Ops cannot post alerts in ${mentionChannel(channelId)} any more. ${why} ${countRules(paused)} of that channel ${paused.length === 1 ? 'is' : 'are'} paused and will say nothing; what they watch is still being read.`
  const rest = paused.length - MAX_RULES_NAMED
  const named = [
    ...paused
      .slice(0, MAX_RULES_NAMED)
      .map(({ kind, subject }) => `${getKindTitle(kind)}, ${subjectLabel(subject, words)}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
  const next = `Once it can post there again (channel open, CDN Ops invited), type ${words.command} alerts resume all in that channel; or set alerts up in another one.`
  return message({
    text: [plainOf(happened), ...named, next].join('\n'),
    blocks: [section(happened), bullets(named), context(next)],
  })
}

function countRules({ length }: readonly AlertRule[]): string {
  return counted(length, 'alert rule')
}
