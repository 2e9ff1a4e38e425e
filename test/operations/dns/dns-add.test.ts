import { describe, expect, test } from 'vitest'
import { DnsRecord, type DnsRecordRequest } from '../../../src/cdn/contract/dns-record.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import { DNS_FIELDS, RECORD_TYPES, typeNames } from '../../../src/operations/dns/record-fields.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { checkContext, invocationOf, operationContext } from '../../support/operation-context.ts'
import { RECORD_CASES, type RecordCase, typedValues } from '../../support/dns-record-cases.ts'

/** What the client is asked to send for these values. */
async function sentFor(values: RawValues): Promise<{ zoneId: bigint; request: DnsRecordRequest }> {
  const sent: { zoneId: bigint; request: DnsRecordRequest }[] = []
  const context = operationContext({
    addDnsRecord: async ({ zoneId, body: request }, options) => {
      expect(options?.signal).toBe(context.signal)
      sent.push({ zoneId, request })
      return DnsRecord.parse({ Id: 1 })
    },
  })
  await invocationOf(dnsAdd, values).run(context)
  expect(sent).toHaveLength(1)
  return sent[0]!
}

function essentials(each: RecordCase): RawValues {
  return typedValues({ ...each, further: {} }, dnsAdd.positionals({ type: each.type }))
}

/** What a form still holds of types chosen before. */
const NUMBERS: RawValues = { priority: '1', weight: '1', port: '1', flags: '1', pullZone: '9', script: '9' }
const LEFT_FROM_OTHER_TYPES: RawValues = { ...NUMBERS, value: 'left', tag: 'issue' }

describe('each type of record', () => {
  test('is in the table, and no other', () => {
    expect(RECORD_CASES.map(({ type }) => type)).toEqual(typeNames())
    expect(typeNames()).toHaveLength(16)
  })

  test.each(RECORD_CASES)('$type, filled in as a form, becomes the same body', async (each) => {
    const step = dnsAdd.form?.[0]
    const shown = step?.fields({ type: each.type }) ?? []
    const values = typedValues(each, dnsAdd.positionals({ type: each.type }))
    // A form shows exactly the fields of the type, and the table fills in every one of them.
    expect([...shown].toSorted()).toEqual(Object.keys(values).toSorted())
    expect(shown.slice(0, 3)).toEqual(['zone', 'type', 'name'])
    const sent = await sentFor(Object.fromEntries(shown.map((name) => [name, values[name] ?? ''])))
    expect(sent).toEqual({ zoneId: 301n, request: each.body })
  })

  test.each(RECORD_CASES)('$type with its essentials alone sends nothing else', async (each) => {
    const { request } = await sentFor(essentials(each))
    expect(Object.keys(request).length).toBe(2 + RECORD_TYPES[each.type].needs.length)
    expect(each.body).toMatchObject(request)
  })

  test.each(RECORD_CASES)('$type sends what it takes and nothing else, whatever else is given', async (each) => {
    const everything = Object.assign({}, ...RECORD_CASES.map(({ further }) => further), LEFT_FROM_OTHER_TYPES)
    const { request } = await sentFor({ ...everything, ...typedValues(each, dnsAdd.positionals({ type: each.type })) })
    expect(request).toEqual(each.body)
  })

  test.each(RECORD_CASES)('$type without one of its essentials asks for it', (each) => {
    for (const field of RECORD_TYPES[each.type].needs) {
      const { [field]: _, ...rest } = essentials(each)
      expect(dnsAdd.parse(rest, checkContext())).toMatchObject({ ok: false, issues: [{ field, missing: true }] })
    }
  })
})

test('all 21 fields of the request can be given', () => {
  const sent = new Set(RECORD_CASES.flatMap(({ body }) => Object.keys(body)))
  expect(sent.size).toBe(21)
  const used = new Set(
    RECORD_CASES.flatMap((each) => Object.keys(typedValues(each, dnsAdd.positionals({ type: each.type })))),
  )
  expect([...used].toSorted()).toEqual(Object.keys(DNS_FIELDS).toSorted())
})

test('routing that lacks its place asks for it rather than refusing', () => {
  const record = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10' }
  const missing = (more: RawValues): unknown => {
    const parsed = dnsAdd.parse({ ...record, ...more }, checkContext())
    return !parsed.ok && parsed.issues.map((issue) => issue.missing === true && issue.field)
  }
  expect(missing({ smartRouting: 'latency' })).toEqual(['latencyZone'])
  expect(missing({ smartRouting: 'geolocation' })).toEqual(['latitude', 'longitude'])
  expect(missing({ weight: '101' })).toEqual([false])
})

const HOST = 'Host | A host name without the dot at its end.'
const SERVICE =
  'Target and parameters | Target and parameters in one line, such as . alpn=h2,h3; a dot alone means the name itself.'

test.each([
  'A: an IPv4 address | IPv4 address | Four numbers, such as 192.0.2.10.',
  'AAAA: an IPv6 address | IPv6 address | Such as 2001:db8::10.',
  `CNAME: another name for a host | ${HOST}`,
  'TXT: text | Text | Without the quotes of zone files; they are taken off.',
  `MX: a mail server | Mail server | ${HOST.slice(7)} A dot alone says that no mail is taken.`,
  'Redirect: sends visitors to a URL | URL | The whole URL, with https:// or http://.',
  `Flatten: discontinued by the CDN | ${HOST} The CDN has discontinued this type.`,
  'PullZone: a pull zone of this account |  | ',
  `SRV: where a service runs | Target host | ${HOST.slice(7)} A dot alone says that the service is not offered.`,
  'CAA: who may issue certificates | Authority | The domain of the authority, ; for none, or with iodef the URL to report to. Without quotes.',
  `PTR: the name of an address | ${HOST}`,
  'Script: an edge script of this account |  | ',
  `NS: name servers of a part of the zone | Name server | ${HOST.slice(7)} Not possible for the zone itself.`,
  `SVCB: how to reach a service | ${SERVICE}`,
  `HTTPS: how to reach a website | ${SERVICE}`,
  'TLSA: which certificate to expect | Usage, selector, matching, data | In one line, such as 3 1 1 and 64 hexadecimal digits.',
])('the form says what a record is for and what its value is: %s', (said) => {
  const { control } = DNS_FIELDS.type
  const type = said.split(':')[0]
  const choice = control.kind === 'choice' ? control.choices.find(({ value }) => value === type) : undefined
  const { label = '', hint = '' } = dnsAdd.form?.[0]?.wording?.({ type: ` ${type?.toLowerCase()} ` }).value ?? {}
  expect([choice?.label, label, hint].join(' | ')).toBe(said)
})

test('before the type is known a name and a value are expected', () => {
  expect(dnsAdd.positionals({})).toEqual(['zone', 'type', 'name', 'value'])
  expect(dnsAdd.positionals({ type: 'cnme' })).toEqual(['zone', 'type', 'name', 'value'])
  expect(dnsAdd.positionals({ type: 'nonsense' })).toEqual(['zone', 'name', 'value'])
  expect(dnsAdd.positionals({ type: 'mx' })).toEqual(['zone', 'type', 'name', 'priority', 'value'])
})

test('the form is redrawn when the type changes, names the value as the type does, and says what it needs', () => {
  const step = dnsAdd.form?.[0]
  expect(step?.redrawOn).toEqual(['type'])
  for (const values of [{}, { type: 'AA' }]) expect(step?.fields(values)).toEqual(['zone', 'type', 'name'])
  expect(step?.fields({ value: '192.0.2.10' })).toEqual(['zone', 'type', 'name', 'value'])
  expect(step?.fields({ type: 'AA', value: '192.0.2.10' })).toEqual(['zone', 'type', 'name', 'value'])
  expect(step?.wording?.({ type: 'MX' })).toMatchObject({
    priority: { needed: true },
    value: { label: 'Mail server', needed: true },
  })
  expect(step?.wording?.({ type: 'PullZone' })).toEqual({ pullZone: { needed: true } })
  expect(step?.wording?.({})).toEqual({})
})

test('acceleration makes the effect graver, but only where it is sent', () => {
  const plain = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10' }
  expect(invocationOf(dnsAdd, plain).effect).toBe('write')
  expect(invocationOf(dnsAdd, { ...plain, accelerated: 'on' }).effect).toBe('billed or irreversible')
  expect(invocationOf(dnsAdd, { ...plain, accelerated: 'off' }).effect).toBe('write')
  const ignored = { ...plain, type: 'AAAA', value: '2001:db8::1', accelerated: 'on' }
  expect(invocationOf(dnsAdd, ignored).effect).toBe('write')
  expect(dnsAdd.baseEffect).toBe('write')
})
