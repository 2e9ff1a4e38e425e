import type { DnsRecordTypeName } from '../../cdn/enums.ts'
import type { Issue } from '../operation.ts'
import { sentenceStart } from '../prompt-words.ts'
import { DNS_FIELDS, type DnsInput, RECORD_FIELD_NAMES } from './record-fields.ts'
import { aRecord, RECORD_TYPES, type RecordFieldName, takesField } from './record-types.ts'
import { hidesSomething } from '../../shared/untrusted.ts'
import { domainToUnicode } from 'node:url'

function labelOf(type: DnsRecordTypeName, field: RecordFieldName): string {
  return field === 'value' ? (RECORD_TYPES[type].value?.label ?? DNS_FIELDS.value.label) : DNS_FIELDS[field].label
}

export function typeIssues(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  return [...missing(type, input), ...bounds(type, input), ...nameIssues(type, input), ...routingIssues(type, input)]
}

function missing(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  return RECORD_TYPES[type].needs
    .filter((field) => input[field] === undefined)
    .map((field) => ({
      field,
      problem: `${sentenceStart(aRecord(type))} needs ${labelOf(type, field)}.`,
      missing: true,
    }))
}

function bounds(type: DnsRecordTypeName, { weight }: Partial<DnsInput>): readonly Issue[] {
  const { maxWeight } = RECORD_TYPES[type]
  if (weight === undefined || maxWeight === undefined || weight <= maxWeight) return []
  return [{ field: 'weight', problem: `The weight of ${aRecord(type)} is a whole number from 0 to ${maxWeight}.` }]
}

function nameIssues(type: DnsRecordTypeName, { name }: Partial<DnsInput>): readonly Issue[] {
  if (name === undefined) return []
  if (type === 'NS' && name === '@') {
    return [
      { field: 'name', problem: 'The platform takes no NS record for the zone itself: give the name of a part of it.' },
    ]
  }
  if (type === 'SRV' && !/^_[^.]+\._[^.]+/.test(name)) {
    return [
      { field: 'name', problem: 'The name of an SRV record begins with service and protocol, such as _sip._tcp.' },
    ]
  }
  return []
}

function routingIssues(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  if (
    input.smartRouting === 'Latency' &&
    input.latencyZone === undefined &&
    RECORD_TYPES[type].takes.includes('latencyZone')
  ) {
    return [
      {
        field: 'latencyZone',
        problem: 'Latency routing needs the latency zone this record stands for.',
        missing: true,
      },
    ]
  }
  if (input.smartRouting !== 'Geolocation') return []
  if (type === 'CNAME') {
    return [{ field: 'smartRouting', problem: 'A CNAME record can be routed by latency only, not by geolocation.' }]
  }
  if (!RECORD_TYPES[type].takes.includes('latitude')) return []
  return (['latitude', 'longitude'] as const)
    .filter((field) => input[field] === undefined)
    .map((field) => ({ field, problem: `Geolocation routing needs the ${field} of this record.`, missing: true }))
}

/** What a person should know before the record is added, though nothing forbids it. `name` is the one sent. */
export function recordWarnings(
  type: DnsRecordTypeName,
  input: Partial<DnsInput>,
  name: string | undefined,
  value: string | undefined,
): readonly string[] {
  return [
    ...leftOut(type, input),
    ...aboutType(type, name, value),
    ...doubledZone(input, name),
    ...unusedRouting(type, input),
    ...lookAlikeWarnings(type, { name, value, comment: input.comment }),
  ]
}

function leftOut(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly string[] {
  return RECORD_FIELD_NAMES.filter((field) => input[field] !== undefined && !takesField(type, field)).map(
    (field) => `${labelOf(type, field)} is not sent: ${aRecord(type)} takes none.`,
  )
}

function aboutType(type: DnsRecordTypeName, name: string | undefined, value: string | undefined): readonly string[] {
  if (type === 'Flatten')
    return ['The platform has discontinued Flatten records and may refuse this one; CNAME takes their place.']
  if (type === 'CNAME' && name === '') {
    return ['At the zone itself a CNAME record is flattened: the platform answers with the addresses of its target.']
  }
  if ((type === 'SVCB' || type === 'HTTPS') && value !== undefined && !value.includes(' ')) {
    return ['The value has no parameters, and the platform has been known to refuse such records.']
  }
  return []
}

/** A name that ends with the zone's own would stand there twice. A zone is often called by its domain. */
function doubledZone({ zone }: Partial<DnsInput>, name: string | undefined): readonly string[] {
  const domain = zone?.name?.toLowerCase()
  if (name === undefined || domain === undefined || !domain.includes('.')) return []
  const doubled = name.toLowerCase() === domain || name.toLowerCase().endsWith(`.${domain}`)
  return doubled ? [`Names are relative to the zone, so this record would be ${name}.${domain}.`] : []
}

function unusedRouting(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly string[] {
  const warnings: string[] = []
  if (input.latencyZone !== undefined && input.smartRouting !== 'Latency' && takesField(type, 'latencyZone')) {
    warnings.push('The latency zone counts only with smart routing by latency.')
  }
  const placed = input.latitude !== undefined || input.longitude !== undefined
  if (placed && input.smartRouting !== 'Geolocation' && takesField(type, 'latitude')) {
    warnings.push('Latitude and longitude count only with smart routing by geolocation.')
  }
  return warnings
}

/**
 * What a name or value may be taken for: names in letters beyond ASCII that look like others, writing that runs the
 * other way, and characters nobody sees. None of it is forbidden; a person who reviews a record has to know.
 */
export function lookAlikeWarnings(
  type: DnsRecordTypeName,
  {
    name,
    value,
    comment,
  }: { readonly name?: string | undefined; readonly value?: string | undefined; readonly comment?: string | undefined },
): readonly string[] {
  const target = value === undefined ? undefined : hostIn(type, value)
  return [
    ...(name === undefined ? [] : hostWarnings(name)),
    ...(target === undefined ? [] : hostWarnings(target)),
    ...(value !== undefined && hidesSomething(value)
      ? ['The value holds characters that cannot be seen or that reorder text; they are shown as \\u{…}.']
      : []),
    ...(value !== undefined && /[\r\n\t]/.test(value)
      ? ['The value holds line ends or tabs, which are sent with it.']
      : []),
    ...(comment !== undefined && hidesSomething(comment)
      ? ['The comment holds characters that cannot be seen or that reorder text.']
      : []),
  ]
}

const HOSTS: ReadonlySet<DnsRecordTypeName> = new Set(['CNAME', 'Flatten', 'PTR', 'NS', 'MX', 'SRV', 'SVCB', 'HTTPS'])

function hostIn(type: DnsRecordTypeName, value: string): string | undefined {
  if (type === 'Redirect') return URL.canParse(value) ? new URL(value).hostname : undefined
  return HOSTS.has(type) ? value.split(' ')[0] : undefined
}

/** Only names in their ASCII form of other letters can be mistaken; all that is plain ASCII is what it looks like. */
function hostWarnings(host: string): readonly string[] {
  return host
    .split('.')
    .filter((label) => /^xn--/i.test(label))
    .flatMap(labelWarnings)
}

function labelWarnings(label: string): readonly string[] {
  const letters = domainToUnicode(label)
  if (letters === '' || letters === label.toLowerCase())
    return [`${label} looks like the ASCII form of other letters, and is none.`]
  const scripts = SCRIPTS.filter(({ has }) => has.test(letters)).map(({ script }) => script)
  const shape = Array.from(letters, (letter) => LOOKS_LIKE.get(letter) ?? letter).join('')
  const stands = `${label} stands for ${letters}`
  if (scripts.length > 1 && !TOGETHER.some((usual) => scripts.every((script) => usual.includes(script)))) {
    return [`${stands}, which mixes ${scripts.join(' and ')} letters: it can be taken for another name.`]
  }
  // eslint-disable-next-line no-control-regex -- the range is that of ASCII
  if (/^[\x00-\x7F]*$/.test(shape)) return [`${stands}, which looks like ${shape} in Latin letters and is not.`]
  return scripts.some((script) => RIGHT_TO_LEFT.has(script))
    ? [`${stands}, which runs from right to left: its parts may be shown in another order.`]
    : [`${stands}.`]
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Cherokee',
  'Hebrew',
  'Arabic',
  'Thai',
  'Devanagari',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
].map((script) => ({ script, has: new RegExp(`\\p{Script=${script}}`, 'u') }))
/** Scripts that people write together. */
const TOGETHER: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
]
const RIGHT_TO_LEFT = new Set(['Hebrew', 'Arabic'])

const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьЬ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еҽ',
    g: 'ɡ',
    h: 'һհ',
    i: 'іıι',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'ոп',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'υս',
    v: 'ѵν',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => Array.from(others).map((other) => [other, latin] as const)),
)
