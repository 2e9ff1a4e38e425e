import { md, mentionChannel, plainOf } from '../block-kit/mrkdwn.ts'
import { message } from '../block-kit/message.ts'
import { bullets, context, section } from '../block-kit/sections.ts'
import type { AlertRule } from '../store/alert-records.ts'
import { PROGRAM } from '../store/audit-entry.ts'
import { MANAGED_BY, type PauseTold } from '../store/alert-rules.ts'
import type { NewNotice } from '../store/notices.ts'
import { type IncidentWords, subjectLabel } from './incident-words.ts'

/** Slack's refusals that mean that a channel is lost for good, as sentences. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['channel_not_found', 'Slack knows no such channel, or CDN Ops was removed from it.'],
  ['not_in_channel', 'CDN Ops is not in the channel.'],
  ['is_archived', 'The channel is archived.'],
  ['restricted_action', 'Slack does not let CDN Ops write in the channel.'],
  ['restricted_action_read_only_channel', 'Only some people may write in the channel.'],
])
/** Owners of the rules of one channel who are told. */
const MAX_OWNERS_TOLD = 20
const MAX_RULES_NAMED = 10

/** Why nothing can be posted in a channel any more; undefined where Slack's refusal is not about the channel. */
export function whyLost(code: string): string | undefined {
  return LOST.get(code)
}

export interface LostChannel {
  readonly channelId: string
  /** As `whyLost` says it. */
  readonly why: string
  readonly at: Date
  readonly opsChannel: string | undefined
  readonly words: IncidentWords
}

/** What goes with the rules of a lost channel being paused: an entry on record, and a word to whoever set them up. */
export function lostChannelTold(lost: LostChannel): PauseTold {
  const { channelId, why, at } = lost
  return {
    at,
    entry: (paused) => ({
      at,
      actor: PROGRAM,
      team: PROGRAM,
      operation: 'alerts',
      event: 'alert_paused',
      summary: `${counted(paused)} of channel ${channelId} paused`,
      detail: why,
    }),
    notices: (paused) => (paused.length === 0 ? [] : notices(paused, lost)),
  }
}

function notices(
  paused: readonly AlertRule[],
  { channelId, why, opsChannel, words }: LostChannel,
): readonly NewNotice[] {
  const owners = paused.map(({ createdBy }) => createdBy).filter((owner) => owner !== MANAGED_BY)
  const recipients = [
    ...new Set(owners).values().take(MAX_OWNERS_TOLD),
    ...(opsChannel === undefined || opsChannel === channelId ? [] : [opsChannel]),
  ]
  const happened = md`:warning: CDN Ops cannot post alerts in ${mentionChannel(channelId)} any more. ${why} ${counted(paused)} of that channel ${paused.length === 1 ? 'is' : 'are'} paused and will say nothing; what they watch is still being read.`
  const named = paused
    .slice(0, MAX_RULES_NAMED)
    .map(({ kind, subject }) => `${words.kindTitle(kind)}, ${subjectLabel(subject, words)}`)
  const rest = paused.length - named.length
  const next = `Once it can post there again (channel open, CDN Ops invited), type ${words.command} alerts resume all in that channel; or set alerts up in another one.`
  const told = message({
    text: [plainOf(happened), ...named, ...(rest > 0 ? [`and ${rest} more`] : []), next].join('\n'),
    blocks: [section(happened), bullets([...named, ...(rest > 0 ? [`and ${rest} more`] : [])]), context(next)],
  })
  return recipients.map((recipient) => ({ recipient, message: told }))
}

function counted({ length }: readonly AlertRule[]): string {
  return `${length} alert ${length === 1 ? 'rule' : 'rules'}`
}
