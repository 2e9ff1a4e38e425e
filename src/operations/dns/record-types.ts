import type { DnsRecordTypeName } from '../../cdn/contract/enums.ts'

/** The inputs of `dns add` that not every type of record takes. The zone, the type and the name always stand. */
export type RecordFieldName =
  | 'value'
  | 'ttl'
  | 'weight'
  | 'priority'
  | 'flags'
  | 'tag'
  | 'port'
  | 'pullZone'
  | 'script'
  | 'accelerated'
  | 'monitor'
  | 'latitude'
  | 'longitude'
  | 'latencyZone'
  | 'smartRouting'
  | 'disabled'
  | 'variables'
  | 'comment'
  | 'autoSsl'

export interface RecordType {
  /** For the list of types, after the name of the type. */
  readonly summary: string
  /** What is typed after the name, in order; the last takes the rest of the line. The record cannot do without them. */
  readonly needs: readonly RecordFieldName[]
  /** What else the platform heeds, in the order of the form. Everything else is left out of the request. */
  readonly takes: readonly RecordFieldName[]
  /** What Value means here; absent where the record has none. */
  readonly value?: { readonly label: string; readonly hint: string }
  readonly maxWeight?: number
}

const ANY = ['comment', 'disabled'] as const
const SERVED = ['accelerated', 'autoSsl'] as const
const ROUTED = ['smartRouting', 'latencyZone'] as const
const PLACED = [...ROUTED, 'latitude', 'longitude'] as const
const HOST_RULE = 'A host name without the dot at its end.'
const SERVICE_RULE = 'Target and parameters in one line, such as . alpn=h2,h3; a dot alone means the name itself.'

/**
 * All types of record and what each takes. The contract gives the types and the fields but not which belong together;
 * this is how the platform is publicly known to treat them.
 */
export const RECORD_TYPES: Readonly<Record<DnsRecordTypeName, RecordType>> = {
  A: {
    summary: 'an IPv4 address',
    needs: ['value'],
    takes: ['ttl', 'weight', ...SERVED, 'monitor', ...PLACED, ...ANY],
    value: { label: 'IPv4 address', hint: 'Four numbers, such as 192.0.2.10.' },
    maxWeight: 100,
  },
  AAAA: {
    summary: 'an IPv6 address',
    needs: ['value'],
    takes: ['ttl', 'weight', 'monitor', ...PLACED, 'autoSsl', ...ANY],
    value: { label: 'IPv6 address', hint: 'Such as 2001:db8::10.' },
    maxWeight: 100,
  },
  CNAME: {
    summary: 'another name for a host',
    needs: ['value'],
    takes: ['ttl', ...SERVED, ...ROUTED, ...ANY],
    value: { label: 'Host', hint: HOST_RULE },
  },
  TXT: {
    summary: 'text',
    needs: ['value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Text', hint: 'Without the quotes of zone files; they are taken off.' },
  },
  MX: {
    summary: 'a mail server',
    needs: ['priority', 'value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Mail server', hint: `${HOST_RULE} A dot alone says that no mail is taken.` },
  },
  Redirect: {
    summary: 'sends visitors to a URL',
    needs: ['value'],
    takes: ['autoSsl', ...ANY],
    value: { label: 'URL', hint: 'The whole URL, with https:// or http://.' },
  },
  Flatten: {
    summary: 'discontinued by the CDN',
    needs: ['value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Host', hint: `${HOST_RULE} The CDN has discontinued this type.` },
  },
  PullZone: { summary: 'a pull zone of this account', needs: ['pullZone'], takes: ['ttl', 'autoSsl', ...ANY] },
  SRV: {
    summary: 'where a service runs',
    needs: ['priority', 'weight', 'port', 'value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Target host', hint: `${HOST_RULE} A dot alone says that the service is not offered.` },
    maxWeight: 65_535,
  },
  CAA: {
    summary: 'who may issue certificates',
    needs: ['flags', 'tag', 'value'],
    takes: ['ttl', ...ANY],
    value: {
      label: 'Authority',
      hint: 'The domain of the authority, ; for none, or with iodef the URL to report to. Without quotes.',
    },
  },
  PTR: {
    summary: 'the name of an address',
    needs: ['value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Host', hint: HOST_RULE },
  },
  Script: { summary: 'an edge script of this account', needs: ['script'], takes: ['variables', 'autoSsl', ...ANY] },
  NS: {
    summary: 'name servers of a part of the zone',
    needs: ['value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Name server', hint: `${HOST_RULE} Not possible for the zone itself.` },
  },
  SVCB: {
    summary: 'how to reach a service',
    needs: ['priority', 'value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Target and parameters', hint: SERVICE_RULE },
  },
  HTTPS: {
    summary: 'how to reach a website',
    needs: ['priority', 'value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Target and parameters', hint: SERVICE_RULE },
  },
  TLSA: {
    summary: 'which certificate to expect',
    needs: ['value'],
    takes: ['ttl', ...ANY],
    value: { label: 'Usage, selector, matching, data', hint: 'In one line, such as 3 1 1 and 64 hexadecimal digits.' },
  },
}

export function recordTypeNamed(typed: string): DnsRecordTypeName | undefined {
  const wanted = typed.trim().toLowerCase()
  return typeNames().find((name) => name.toLowerCase() === wanted)
}

export function typeNames(): readonly DnsRecordTypeName[] {
  return Object.keys(RECORD_TYPES) as DnsRecordTypeName[] // the keys are those of the record's own type
}

export function takesField(type: DnsRecordTypeName, field: RecordFieldName): boolean {
  const { needs, takes } = RECORD_TYPES[type]
  return needs.includes(field) || takes.includes(field)
}

export function aRecord(type: DnsRecordTypeName): string {
  // Spelled out, these begin with a vowel: "an em-ex record". HTTPS is read letter by letter too.
  const vowel = ['A', 'AAAA', 'MX', 'SRV', 'NS', 'SVCB', 'HTTPS'].includes(type)
  return `${vowel ? 'an' : 'a'} ${type} record`
}
