import * as z from 'zod'
import { ADA, GUS, NORA, OLGA, OTTO, SAM, VERA, type Channel } from '../slack/state/seed.ts'
import type { Workspace } from '../slack/state/workspace.ts'

/** The words that stand in the address for those whose place one can take, the one to start as first. */
export const SEAT_KEYS = ['olga', 'otto', 'vera', 'ada', 'nora', 'gus', 'sam'] as const
export type SeatKey = (typeof SEAT_KEYS)[number]

export const SEATS: Readonly<Record<SeatKey, { readonly userId: string; readonly role: string }>> = {
  olga: { userId: OLGA, role: 'operator' },
  otto: { userId: OTTO, role: 'operator' },
  vera: { userId: VERA, role: 'viewer' },
  ada: { userId: ADA, role: 'admin' },
  nora: { userId: NORA, role: 'no role yet' },
  gus: { userId: GUS, role: 'guest' },
  sam: { userId: SAM, role: 'other workspace' },
}

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

/** The place of this name, or this person's first where they cannot go there. */
export function placeAt(places: readonly Place[], key: string): Place {
  return places.find((place) => place.key === key) ?? places[0] ?? { kind: 'home', key: 'home' }
}

/** What one looks at and as whom. All of it stands in the address, so that a page can be kept, sent and opened twice. */
export type Viewpoint = z.output<typeof viewpoint>

const viewpoint = z.object({
  who: z.enum(SEAT_KEYS).catch('olga'),
  at: z.string().default('ops'),
  thread: z.string().optional(),
  // Closed at first: whoever comes new has three stories to try and nothing else to read.
  panel: z.enum(['platform', 'requests', 'audit', 'none']).catch('none'),
})

/** Reads an address. Whatever does not make sense in it is as if it were not there. */
export function viewpointOf(search: URLSearchParams): Viewpoint {
  return viewpoint.parse(Object.fromEntries(search))
}

/** The address of a viewpoint that differs from this one in a few parts. */
export function hrefOf(from: Viewpoint, change: Partial<Record<keyof Viewpoint, string | undefined>> = {}): string {
  const parts = Object.entries({ ...from, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  return `/?${new URLSearchParams(parts).toString()}`
}
