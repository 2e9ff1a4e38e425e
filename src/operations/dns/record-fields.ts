import type { DnsRecordTypeName } from '../../cdn/contract/enums.ts'
import type { InputOf } from '../declaration/field.ts'
import { custom, decimal, id, integer, problem, required, spelled, text, triState } from '../declaration/fields.ts'
import { INT32_MAX } from '../../cdn/contract/wire-fields.ts'
import { choice } from '../declaration/choice-field.ts'
import { zone } from '../declaration/zone-field.ts'

/** The inputs of `dns add` that not every type of record takes. The zone, the type and the name always stand. */
export type RecordFieldName = Exclude<keyof typeof DNS_FIELDS, 'zone' | 'type' | 'name'>

interface RecordType {
  /** For the list of types, after the name of the type. */
  readonly summary: string
  /** What is typed after the name, in order; the last takes the rest of the line. The record cannot do without them. */
  readonly needs: readonly RecordFieldName[]
  /** What else the platform heeds, in the order of the form. Everything else is left out of the request. */
  readonly takes: readonly RecordFieldName[]
  /** What Value means here. */
  readonly value: { readonly label: string; readonly hint: string }
  /** The largest weight, where it is less than its field takes. */
  readonly maxWeight: number
}

const SERVED = ['accelerated', 'autoSsl'] as const
const ROUTED = ['smartRouting', 'latencyZone'] as const
const PLACED = [...ROUTED, 'latitude', 'longitude'] as const
const RANKED = ['priority', 'value'] as const
const HOST_RULE = 'A host name without the dot at its end.'
const SERVICE_RULE = 'Target and parameters in one line, such as . alpn=h2,h3; a dot alone means the name itself.'

/** A type with what Value means in it; all types take a comment, and can be disabled. */
function recordType(
  summary: string,
  label: string,
  hint: string,
  needs: readonly RecordFieldName[] = ['value'],
  takes: readonly RecordFieldName[] = ['ttl'],
  maxWeight = Infinity,
): RecordType {
  return { summary, needs, takes: [...takes, 'comment', 'disabled'], value: { label, hint }, maxWeight }
}

/**
 * All types of record and what each takes. The contract gives the types and the fields but not which belong together;
 * this is how the platform is publicly known to treat them.
 */
export const RECORD_TYPES: Readonly<Record<DnsRecordTypeName, RecordType>> = {
  A: recordType(
    'an IPv4 address',
    'IPv4 address',
    'Four numbers, such as 192.0.2.10.',
    ['value'],
    ['ttl', 'weight', ...SERVED, 'monitor', ...PLACED],
    100,
  ),
  AAAA: recordType(
    'an IPv6 address',
    'IPv6 address',
    'Such as 2001:db8::10.',
    ['value'],
    ['ttl', 'weight', 'monitor', ...PLACED, 'autoSsl'],
    100,
  ),
  CNAME: recordType('another name for a host', 'Host', HOST_RULE, ['value'], ['ttl', ...SERVED, ...ROUTED]),
  TXT: recordType('text', 'Text', 'Without the quotes of zone files; they are taken off.'),
  MX: recordType('a mail server', 'Mail server', `${HOST_RULE} A dot alone says that no mail is taken.`, RANKED),
  Redirect: recordType(
    'sends visitors to a URL',
    'URL',
    'The whole URL, with https:// or http://.',
    ['value'],
    ['autoSsl'],
  ),
  Flatten: recordType('discontinued by the CDN', 'Host', `${HOST_RULE} The CDN has discontinued this type.`),
  PullZone: recordType('a pull zone of this account', 'Value', '', ['pullZone'], ['ttl', 'autoSsl']),
  SRV: recordType(
    'where a service runs',
    'Target host',
    `${HOST_RULE} A dot alone says that the service is not offered.`,
    ['priority', 'weight', 'port', 'value'],
  ),
  CAA: recordType(
    'who may issue certificates',
    'Authority',
    'The domain of the authority, ; for none, or with iodef the URL to report to. Without quotes.',
    ['flags', 'tag', 'value'],
  ),
  PTR: recordType('the name of an address', 'Host', HOST_RULE),
  Script: recordType('an edge script of this account', 'Value', '', ['script'], ['variables', 'autoSsl']),
  NS: recordType('name servers of a part of the zone', 'Name server', `${HOST_RULE} Not possible for the zone itself.`),
  SVCB: recordType('how to reach a service', 'Target and parameters', SERVICE_RULE, RANKED),
  HTTPS: recordType('how to reach a website', 'Target and parameters', SERVICE_RULE, RANKED),
  TLSA: recordType(
    'which certificate to expect',
    'Usage, selector, matching, data',
    'In one line, such as 3 1 1 and 64 hexadecimal digits.',
  ),
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

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
const TTL = /^(\d{1,10})\s*([smhdw]?)$/i

/** How long an answer may be kept, in whole seconds; typed as seconds or with a unit, such as `5m`. */
function readTtl(typed: string): number | undefined {
  const [, amount, unit = ''] = TTL.exec(typed) ?? []
  const seconds = Number(amount) * (UNIT_SECONDS[unit.toLowerCase()] ?? Number.NaN)
  return seconds <= INT32_MAX ? seconds : undefined
}

export function ttlWords(seconds: number): string {
  const units = Object.entries(UNIT_SECONDS).filter(([unit]) => unit !== '' && unit !== 's')
  const largest = units.findLast(([, size]) => seconds > 0 && seconds % size === 0)
  const said = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return largest === undefined ? said : `${said} (${seconds / largest[1]}${largest[0]})`
}

interface Variable {
  readonly name: string
  readonly value: string
}

const MAX_CHARACTERS = 3_000
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/**
 * Environment variables, one `NAME=value` a line; the value may hold further equal signs, or nothing. No sentence
 * about a mistake quotes a line, since lines hold secrets.
 */
const variables = custom<readonly Variable[]>({
  label: 'Environment variables',
  hint: 'One NAME=value a line, for the script. The values are never shown again.',
  control: { kind: 'text', maxLength: MAX_CHARACTERS, multiline: true, word: 'NAME=value' },
  secret: true,
  read(raw) {
    const lines = [raw].flat().flatMap((part) => part.split(/\r\n|\r|\n/))
    if (lines.reduce((sum, line) => sum + line.length + 1, 0) > MAX_CHARACTERS + 1) {
      return problem(`Environment variables may have at most ${MAX_CHARACTERS} characters in all.`)
    }
    const found = new Map<string, Variable>()
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue
      const variable = readLine(line)
      if (variable === undefined) {
        return problem(
          `Line ${index + 1} of Environment variables is not NAME=value, with a name of letters, digits and _ that does not begin with a digit.`,
        )
      }
      if (found.has(variable.name)) return problem(`Environment variables has ${variable.name} twice.`)
      found.set(variable.name, variable)
    }
    return { ok: true, value: [...found.values()] }
  },
})

function readLine(line: string): Variable | undefined {
  const at = line.indexOf('=')
  if (at === -1) return undefined
  const name = line.slice(0, at).trim()
  return NAME.test(name) ? { name, value: line.slice(at + 1) } : undefined
}

const UINT16_MAX = 65_535
export const MAX_COMMENT_CHARACTERS = 500

const TYPES = typeNames().map((value) => ({ value, label: `${value}: ${RECORD_TYPES[value].summary}` }))

const MONITORS = [
  { value: 'None', label: 'None' },
  { value: 'Ping', label: 'Ping' },
  { value: 'Http', label: 'HTTP, on port 80' },
  { value: 'Monitor', label: 'Monitor' },
] as const

const ROUTINGS = [
  { value: 'None', label: 'None' },
  { value: 'Latency', label: 'Latency: the record of the nearest latency zone' },
  { value: 'Geolocation', label: 'Geolocation: the record nearest to the asker' },
] as const

const TAGS = [
  { value: 'issue', label: 'issue: may issue certificates' },
  { value: 'issuewild', label: 'issuewild: may issue wildcard certificates' },
  { value: 'iodef', label: 'iodef: where to report to' },
] as const

/**
 * Everything `dns add` can be given: the zone, and the 21 fields of the request. What each type takes is in
 * `RECORD_TYPES`; what it makes of a value in `record-value.ts`.
 */
export const DNS_FIELDS = {
  zone: required(zone({ label: 'DNS zone', hint: 'A name given with zones add, or the numeric id.', zoneKind: 'dns' })),
  type: required(choice({ label: 'Type', hint: 'The fields below follow the type.', choices: TYPES })),
  name: required(
    text({
      label: 'Name',
      hint: 'Relative to the zone, such as www. @ is the zone itself, * every name that has no record.',
      maxLength: 254,
    }),
  ),
  value: text({
    label: 'Value',
    hint: 'What the record says; its form follows the type.',
    maxLength: 3_000,
    untrimmed: true,
  }),
  ttl: spelled({
    label: 'TTL',
    hint: 'Seconds, or 5m, 1h, 1d: how long answers may be kept, and so how long a mistake stays. Left out, the CDN decides.',
    maxLength: 12,
    word: 'seconds|5m',
    parse: readTtl,
    rule: `TTL is a number of seconds up to ${INT32_MAX}, or a time such as 5m, 1h or 1d.`,
  }),
  weight: integer({
    label: 'Weight',
    hint: 'Share of the answers among records of one name: 0 to 100, for SRV 0 to 65535.',
    min: 0,
    max: UINT16_MAX,
  }),
  priority: integer({ label: 'Priority', hint: '0 to 65535; the lowest is tried first.', min: 0, max: UINT16_MAX }),
  flags: integer({
    label: 'Flags',
    hint: '0 as a rule; 128 forbids issuing to who does not know the tag.',
    min: 0,
    max: 255,
  }),
  tag: choice({ label: 'Tag', hint: 'What the record rules.', choices: TAGS }),
  port: integer({ label: 'Port', hint: '0 to 65535.', min: 0, max: UINT16_MAX }),
  pullZone: zone({
    label: 'Pull zone',
    hint: 'The pull zone that answers: its name here, or its id.',
    zoneKind: 'pull',
  }),
  script: id({ label: 'Script id', hint: 'Numeric id of the edge script that answers.' }),
  accelerated: triState({
    label: 'Accelerated',
    hint: 'On creates a pull zone, which is billed and stays; it can take half a minute.',
  }),
  monitor: choice({ label: 'Monitoring', hint: 'How the CDN watches the target.', choices: MONITORS }),
  latitude: decimal({ label: 'Latitude', hint: '-90 to 90; for geolocation routing.', min: -90, max: 90 }),
  longitude: decimal({ label: 'Longitude', hint: '-180 to 180; for geolocation routing.', min: -180, max: 180 }),
  latencyZone: spelled({
    label: 'Latency zone',
    hint: 'Code of a region, such as DE or NY; for latency routing.',
    maxLength: 10,
    word: 'code',
    parse: (typed) => (/^[A-Za-z0-9-]{1,10}$/.test(typed) ? typed : undefined),
    rule: 'Latency zone is the code of a region: at most 10 letters and digits.',
  }),
  smartRouting: choice({ label: 'Smart routing', hint: 'Which of several records is answered.', choices: ROUTINGS }),
  disabled: triState({ label: 'Disabled', hint: 'On keeps the record but does not answer with it.' }),
  variables,
  comment: text({ label: 'Comment', hint: 'For people who look at the zone.', maxLength: MAX_COMMENT_CHARACTERS }),
  autoSsl: triState({ label: 'Automatic certificate', hint: 'Whether the CDN gets a certificate for the name.' }),
}

export type DnsInput = InputOf<typeof DNS_FIELDS>

export const RECORD_FIELD_NAMES = Object.keys(DNS_FIELDS).filter(
  (name): name is RecordFieldName => !['zone', 'type', 'name'].includes(name),
)
