import { ADA, GUS, NORA, OLGA, OTTO, SAM, VERA } from '../slack/seed.ts'

/** Somebody whose place one can take on the page. */
export interface Seat {
  /** The word that stands for them in the address. */
  readonly key: SeatKey
  readonly userId: string
  readonly name: string
  /** What they are to the bot, in a word or two. */
  readonly role: string
}

/** The words for the seats. */
export const SEAT_KEYS = ['olga', 'otto', 'vera', 'ada', 'nora', 'gus', 'sam'] as const
/** One of the words for the seats. */
export type SeatKey = (typeof SEAT_KEYS)[number]

/** Everybody one can be, the one to start as first. */
export const SEATS: readonly Seat[] = [
  { key: 'olga', userId: OLGA, name: 'Olga Operator', role: 'operator' },
  { key: 'otto', userId: OTTO, name: 'Otto Operator', role: 'operator' },
  { key: 'vera', userId: VERA, name: 'Vera Viewer', role: 'viewer' },
  { key: 'ada', userId: ADA, name: 'Ada Admin', role: 'admin' },
  { key: 'nora', userId: NORA, name: 'Nora Newcomer', role: 'no role yet' },
  { key: 'gus', userId: GUS, name: 'Gus Guest', role: 'guest' },
  { key: 'sam', userId: SAM, name: 'Sam Stranger', role: 'other workspace' },
]

/** The seat of this name. */
export function seatOf(key: SeatKey): Seat {
  const found = SEATS.find((seat) => seat.key === key)
  if (found === undefined) throw new RangeError(`There is no seat ${key}`)
  return found
}
