import type { Channel } from '../slack/seed.ts'
import type { Workspace } from '../slack/workspace.ts'

/** What the middle of the page shows. */
export type Place =
  | { readonly kind: 'home'; readonly key: 'home' }
  | { readonly kind: 'dm' | 'channel'; readonly key: string; readonly channel: Channel }

/** Every place a person can go to: their channels, the conversation with the app, and its Home. */
export function placesOf(workspace: Workspace, userId: string): readonly Place[] {
  const channels = workspace.channels.filter(
    (channel) => channel.kind !== 'im' && !channel.archived && channel.members.has(userId),
  )
  return [
    ...channels.map((channel): Place => ({ kind: 'channel', key: channel.name, channel })),
    { kind: 'dm', key: 'dm', channel: workspace.directChannel(userId) },
    { kind: 'home', key: 'home' },
  ]
}

/** The place of this name, or the first one where this person cannot go there. */
export function placeAt(places: readonly Place[], key: string): Place {
  const found = places.find((place) => place.key === key) ?? places[0]
  if (found === undefined) throw new RangeError('There is no place to show')
  return found
}
