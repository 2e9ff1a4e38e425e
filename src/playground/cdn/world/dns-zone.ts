/** A DNS zone and its records, in the order they were added. */
export interface DnsZone {
  readonly id: bigint
  readonly domain: string
  readonly records: readonly StoredRecord[]
}

/** What the platform keeps of a record: enough to show that a second send added a second one. */
export interface StoredRecord {
  readonly id: bigint
  readonly type: number
  readonly name: string
  readonly value: string
}

/** The platform's bound on the records of one zone. */
export const MAX_RECORDS = 5_000

export function seedDnsZones(): DnsZone[] {
  return [
    {
      id: 201n,
      domain: 'shop.example',
      records: [
        { id: 4_100_001n, type: 0, name: '', value: '192.0.2.10' },
        { id: 4_100_002n, type: 2, name: 'www', value: 'shop-web.cdn.example' },
        { id: 4_100_003n, type: 4, name: '', value: 'mail.shop.example' },
        { id: 4_100_004n, type: 3, name: '', value: 'v=spf1 mx -all' },
      ],
    },
    {
      id: 202n,
      domain: 'media.example',
      records: [
        { id: 4_100_005n, type: 1, name: '', value: '2001:db8::10' },
        { id: 4_100_006n, type: 7, name: 'video', value: 'media-cdn' },
      ],
    },
  ]
}
