import * as z from 'zod'
import { checkJsonSize, parseJson } from '../../shared/json.ts'

/** The envelope of every delivery, checked before Slack's library reads it: that fails in its own ways on odd ones. */

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const Id = z.string().regex(/^[A-Z0-9]{1,40}$/)
const Place = z.object({ id: Id.nullish() }).nullish()

const Command = z.object({
  command: z.string().regex(/^\/\S{1,60}$/),
  api_app_id: Id,
  user_id: Id,
  team_id: Id,
})

const interaction = { api_app_id: Id, user: z.object({ id: Id }), team: Place, enterprise: Place }
const View = z.object({ callback_id: z.string() })
const Interaction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('block_actions'), ...interaction, actions: z.array(z.object({})).min(1) }),
  z.object({ type: z.enum(['view_submission', 'view_closed']), ...interaction, view: View }),
  z.object({ type: z.literal('block_suggestion'), ...interaction, action_id: z.string(), block_id: z.string() }),
  z.object({ type: z.literal('shortcut'), ...interaction, callback_id: z.string() }),
])

const Event = z.object({
  type: z.literal('event_callback'),
  api_app_id: Id,
  event_id: z.string().max(100),
  event: z.object({ type: z.string().min(1).max(100) }),
  team_id: Id.nullish(),
  enterprise_id: Id.nullish(),
  authorizations: z
    .array(z.object({ team_id: Id.nullish(), enterprise_id: Id.nullish() }))
    .max(100)
    .default([]),
})

const Challenge = z.object({ type: z.literal('url_verification'), challenge: z.string().min(1).max(500) })
/** Slack holds back events for a minute, since there were too many. */
const RateLimited = z.object({ type: z.literal('app_rate_limited') })
const SslCheck = z.object({ ssl_check: z.literal('1') })

export interface Origin {
  readonly appId: string
  /** Undefined where no person is behind it, as with an event. */
  readonly userId: string | undefined
  /** Workspaces and organisations it is for; none where it leaves that open. */
  readonly places: readonly string[]
}

export type Envelope =
  | { readonly kind: 'delivery'; readonly body: Readonly<Record<string, unknown>>; readonly origin: Origin }
  /** Slack makes sure that the address is the app's: it wants to hear the challenge again. */
  | { readonly kind: 'challenge'; readonly challenge: string }
  /** Slack looks whether the certificate is in order, or says that it holds back events: there is nothing to do. */
  | { readonly kind: 'check' }

export function isKnownType(contentType: string | undefined): boolean {
  return [FORM, JSON_TYPE].includes(mediaType(contentType))
}

/** Reads a body that is known to be Slack's. Undefined when it is nothing that Slack sends; never throws. */
export function readEnvelope(contentType: string | undefined, bytes: Uint8Array): Envelope | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return mediaType(contentType) === FORM ? fromForm(text) : fromJson(parseObject(text))
  } catch {
    return undefined
  }
}

/** A field that is there twice means one thing to one reader and another to the next. */
function fromForm(text: string): Envelope | undefined {
  const fields = new URLSearchParams(text)
  const body = Object.fromEntries(fields)
  if (Object.keys(body).length !== fields.size) return undefined
  const { payload } = body
  if (payload !== undefined) return fields.size === 1 ? fromInteraction(parseObject(payload)) : undefined
  if (SslCheck.safeParse(body).success) return { kind: 'check' }
  const { api_app_id: appId, user_id: userId } = Command.parse(body)
  // Whose command it is says who may use it: a person's own workspace is looked at with their role.
  return { kind: 'delivery', body, origin: { appId, userId, places: [] } }
}

function fromInteraction(body: Readonly<Record<string, unknown>>): Envelope {
  const { api_app_id: appId, user, team, enterprise } = Interaction.parse(body)
  return { kind: 'delivery', body, origin: { appId, userId: user.id, places: withoutNull([team?.id, enterprise?.id]) } }
}

function fromJson(body: Readonly<Record<string, unknown>>): Envelope {
  const challenge = Challenge.safeParse(body)
  if (challenge.success) return { kind: 'challenge', challenge: challenge.data.challenge }
  if (RateLimited.safeParse(body).success) return { kind: 'check' }
  const { api_app_id: appId, team_id: team, enterprise_id: enterprise, authorizations } = Event.parse(body)
  const installed = authorizations.flatMap((each) => [each.team_id, each.enterprise_id])
  return {
    kind: 'delivery',
    body,
    origin: { appId, userId: undefined, places: withoutNull([team, enterprise, ...installed]) },
  }
}

const AnyObject = z.record(z.string(), z.unknown())

/** Throws for what is no object, and before parsing for what is deeper or wider than anything Slack sends. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  checkJsonSize(Buffer.from(text))
  return AnyObject.parse(parseJson(text))
}

function withoutNull(ids: readonly (string | null | undefined)[]): readonly string[] {
  return ids.filter((id) => id != null)
}

function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
