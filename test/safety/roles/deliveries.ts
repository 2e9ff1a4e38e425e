import { writePlace } from '../../../src/slack/form/form-place.ts'
import { CHANNELS, NOWHERE, type Place } from './cells.ts'
import { type Identity, OUR_TEAM } from './identities.ts'

/** Something Slack delivers: to which listener, and what. */
export interface Delivery {
  readonly to: 'command' | 'action' | 'shortcut' | 'view_submission' | 'app_home_opened'
  readonly body: Readonly<Record<string, unknown>>
  readonly event?: unknown
}

let deliveries = 0

/** What Slack says in each delivery of a person: who, and a trigger and response address that no other delivery has. */
function from({ id, deliveredTeam = OUR_TEAM }: Identity) {
  deliveries += 1
  return {
    user: { id, team_id: deliveredTeam },
    team: { id: OUR_TEAM },
    trigger_id: `trigger ${deliveries}`,
    response_url: `https://slack.test/${deliveries}`,
  }
}

export function typing(who: Identity, text: string, where: Place): Delivery {
  const { user, trigger_id, response_url } = from(who)
  const body = { command: '/cdn', text, user_id: user.id, team_id: user.team_id, trigger_id, response_url }
  return { to: 'command', body: { ...body, channel_id: channelOf(where) } }
}

/** A button on the app's Home page. */
export function pressing(who: Identity, what: string, value?: string): Delivery {
  const view = { id: 'VHOME', callback_id: '' }
  return { to: 'action', body: { ...from(who), view, actions: [{ action_id: `home:${what}`, value }] } }
}

export function choosingShortcut(who: Identity, operation: string): Delivery {
  return { to: 'shortcut', body: { ...from(who), callback_id: operation.replaceAll(' ', '_') } }
}

export function openingHome(who: Identity): Delivery {
  const { user, trigger_id } = from(who)
  return { to: 'app_home_opened', body: { event_id: trigger_id }, event: { user: user.id, tab: 'home' } }
}

/** A button of a message that stands, or so it says, in this channel. */
export function clicking(who: Identity, actionId: string, value: string, where: Place, ts = '1.2'): Delivery {
  const place = { channel: { id: channelOf(where) }, container: { message_ts: ts } }
  return { to: 'action', body: { ...from(who), ...place, actions: [{ action_id: actionId, value }] } }
}

export function submitting(who: Identity, kind: string, changeId: string): Delivery {
  const view = { id: 'V1', callback_id: kind, private_metadata: writePlace({ change: changeId, step: 0 }) }
  return { to: 'view_submission', body: { ...from(who), view: { ...view, state: { values: {} } } } }
}

function channelOf(where: Place): string {
  if (where === NOWHERE) throw new Error('This happens in a channel')
  return CHANNELS[where]
}
