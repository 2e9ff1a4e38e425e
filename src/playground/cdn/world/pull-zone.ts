/** A pull zone as the emulator knows it: how much traffic it has, and what its log may tell. */
export interface PullZone {
  readonly id: bigint
  readonly name: string
  readonly host: string
  /** Requests a minute at the busiest time of day; at the quietest it is a quarter of that. */
  readonly peakPerMinute: number
  readonly flavour: Flavour
  readonly logging: 'on' | 'extended' | 'off'
  readonly state: 'active' | 'suspended'
  /** How client addresses are blurred before they are stored. */
  readonly anonymisation: 'none' | 'last octet' | 'full'
}

/** What kind of site it is, which decides paths, methods and how often the cache can answer. */
export type Flavour = 'shop' | 'media' | 'api'

/** Four zones with traffic, one whose log is switched off and one that is suspended. */
export function seedPullZones(): PullZone[] {
  const usual = { logging: 'on', state: 'active', anonymisation: 'last octet' } as const
  return [
    { ...usual, id: 301n, name: 'shop-web', host: 'www.shop.example', peakPerMinute: 100, flavour: 'shop' },
    {
      ...usual,
      id: 302n,
      name: 'media-cdn',
      host: 'video.media.example',
      peakPerMinute: 60,
      flavour: 'media',
      logging: 'extended',
      anonymisation: 'none',
    },
    {
      ...usual,
      id: 303n,
      name: 'api-edge',
      host: 'api.shop.example',
      peakPerMinute: 16,
      flavour: 'api',
      anonymisation: 'full',
    },
    { ...usual, id: 304n, name: 'quiet-docs', host: 'docs.shop.example', peakPerMinute: 1, flavour: 'shop' },
    {
      ...usual,
      id: 305n,
      name: 'unlogged',
      host: 'static.shop.example',
      peakPerMinute: 10,
      flavour: 'shop',
      logging: 'off',
    },
    {
      ...usual,
      id: 306n,
      name: 'suspended',
      host: 'old.shop.example',
      peakPerMinute: 0,
      flavour: 'shop',
      state: 'suspended',
    },
  ]
}
