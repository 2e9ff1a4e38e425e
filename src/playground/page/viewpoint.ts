import * as z from 'zod'
import { SEAT_KEYS } from './seats.ts'

/** What one looks at and as whom. All of it stands in the address, so that a page can be kept, sent and opened twice. */
export type Viewpoint = z.output<typeof viewpoint>

const PANELS = ['platform', 'people', 'requests', 'audit', 'none'] as const
/** The page's own look, or that of the system. */
const THEMES = ['auto', 'light', 'dark'] as const

const viewpoint = z.object({
  who: z.enum(SEAT_KEYS).catch('olga'),
  /** The name of a channel, `dm` or `home`. */
  at: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .catch('ops'),
  /** The timestamp of a message whose thread is open. */
  thread: z
    .string()
    .regex(/^\d{1,12}\.\d{1,8}$/)
    .optional()
    .catch(undefined),
  // Closed at first: whoever comes new has three things to try and nothing else to read.
  panel: z.enum(PANELS).catch('none'),
  theme: z.enum(THEMES).catch('auto'),
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
