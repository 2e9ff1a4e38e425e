import { type Untrusted, visible } from '../shared/untrusted.ts'
import { TEXT_CHARACTERS } from './limits.ts'
import { escapeEntities, plainPieces, renderPieces, withoutBackticks, type Piece } from './mrkdwn-pieces.ts'
import { oneLine } from './plain-text.ts'

const PIECES = Symbol('pieces')

/**
 * Text in Slack's markup whose foreign parts cannot format, link or mention. Made only by the functions of this file,
 * so a plain string can never be mistaken for it.
 */
export interface Mrkdwn {
  readonly [PIECES]: readonly Piece[]
}

/** What may stand in a template: our own markup as it is, anything else as foreign text. */
export type Insertable = Mrkdwn | Untrusted | number | bigint | undefined

const INSERTED_CODE_POINTS = 2_000
const CODE_CODE_POINTS = 500
const LINK_LABEL_CHARACTERS = 150
const USER_ID = /^[UW][A-Z0-9]{2,20}$/
const GROUP_ID = /^S[A-Z0-9]{2,20}$/
const CHANNEL_ID = /^[CG][A-Z0-9]{2,20}$/

/**
 * Mrkdwn from a template: ``md`*${zone}* holds ${files} files` ``. The written parts are markup, except that `&`, `<`
 * and `>` are always text; inserted strings are made visible, cut and robbed of any meaning; `undefined` is empty.
 * A name that must be read exactly, like `_dmarc`, belongs in `code()`: here its underscore may give way to a look-alike.
 */
export function md(written: TemplateStringsArray, ...inserted: readonly Insertable[]): Mrkdwn {
  const pieces = written.flatMap((text, index): readonly Piece[] => [
    { kind: 'written', text },
    ...piecesOf(inserted[index]),
  ])
  return { [PIECES]: pieces }
}

/** Foreign text as inline code on one line: nothing in it formats, and names are shown exactly. Empty text is nothing. */
export function code(text: Untrusted): Mrkdwn {
  const inner = withoutBackticks(visible(text.replace(/\s/gu, ' '), CODE_CODE_POINTS))
  return { [PIECES]: inner.trim() === '' ? [] : [{ kind: 'code', text: inner }] }
}

/**
 * A person, shown by Slack under their current name, and told. An id that is none is shown as code instead. Only Slack knows
 * the name, and where it does not format, as in a notification, an id says nothing: so plain text has a word instead.
 */
export function mention(userId: string): Mrkdwn {
  return USER_ID.test(userId) ? control(`<@${userId}>`, 'somebody') : code(userId)
}

/** A user group of Slack, whose members are told. An id that is none is shown as code instead. */
export function mentionGroup(groupId: string): Mrkdwn {
  return GROUP_ID.test(groupId) ? control(`<!subteam^${groupId}>`, 'a group') : code(groupId)
}

export function mentionEither(id: string): Mrkdwn {
  return id.startsWith('S') ? mentionGroup(id) : mention(id)
}

/** A channel, shown by Slack under its current name to whoever may see it. An id that is none is shown as code instead. */
export function mentionChannel(channelId: string): Mrkdwn {
  return CHANNEL_ID.test(channelId) ? control(`<#${channelId}>`, 'a channel') : code(channelId)
}

/**
 * A link to a place of our own, like the platform's panel; never for a URL from outside. Throws TypeError for another
 * scheme than http(s), and for a URL with a user name or password.
 */
export function link(url: URL, label: string): Mrkdwn {
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`A link must be http or https, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '') throw new TypeError('A link must not carry credentials')
  const shown = oneLine(label, LINK_LABEL_CHARACTERS)
  const target = escapeEntities(url.href.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'))
  // What a second | means is documented nowhere.
  const safeLabel = renderPieces([{ kind: 'foreign', text: shown.replaceAll('|', '¦') }], TEXT_CHARACTERS)
  return control(`<${target}|${safeLabel}>`, `${shown} (${url.href})`)
}

/** As a part of a line; none where no address of the panel is configured. */
export function openInPanel(place: URL | undefined): readonly Mrkdwn[] {
  return place === undefined ? [] : [link(place, 'Open in the panel')]
}

/** A link to a message, which Slack opens in its channel, in the app where there is one. Without `ts` to the channel. */
export function linkMessage(
  { team, channel, ts }: { readonly team: string; readonly channel: string; readonly ts?: string | undefined },
  label: string,
): Mrkdwn {
  const target = new URLSearchParams({ team, channel, ...(ts !== undefined && { message_ts: ts }) }).toString()
  return link(new URL(`https://slack.com/app_redirect?${target}`), label)
}

/** A moment in each reader's own time zone; in UTC, and saying so, where Slack cannot format it. */
export function dateTime(date: Date): Mrkdwn {
  const fallback = utcText(date)
  const seconds = Math.floor(date.getTime() / 1_000)
  if (!Number.isSafeInteger(seconds) || seconds < 0) return md`${fallback}`
  return control(`<!date^${seconds}^{date_short_pretty} {time}|${fallback}>`, fallback)
}

/** Parts with something between them. Conditions that did not hold, and what is not known, are left out. */
export function joinMd(parts: readonly (Insertable | false)[], separator: Insertable): Mrkdwn {
  const between = piecesOf(separator)
  const shown = parts.filter((part) => part !== false && part !== undefined)
  return { [PIECES]: shown.flatMap((part, index) => [...(index === 0 ? [] : between), ...piecesOf(part)]) }
}

/** The string for a mrkdwn object, escapes and all, of at most `limit` characters; cut between characters, with …. */
export function textOf(text: Mrkdwn, limit = TEXT_CHARACTERS): string {
  return renderPieces(text[PIECES], limit)
}

/** The same words without markup, for the text twin of a message. */
export function plainOf(text: Mrkdwn): string {
  return plainPieces(text[PIECES])
}

/** `2026-11-20 18:20 UTC`, or words for a date that is none. */
export function utcText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'unknown time'
  return `${date.toISOString().slice(0, -8).replace('T', ' ')} UTC`
}

function control(mrkdwn: string, plain: string): Mrkdwn {
  return { [PIECES]: [{ kind: 'control', mrkdwn, plain }] }
}

function piecesOf(value: Insertable): readonly Piece[] {
  if (value === undefined) return []
  if (typeof value === 'object') return value[PIECES]
  const text = visible(String(value), INSERTED_CODE_POINTS)
  return text === '' ? [] : [{ kind: 'foreign', text }]
}
