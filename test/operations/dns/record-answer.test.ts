import { expect, test } from 'vitest'
import { DnsRecord } from '../../../src/cdn/contract/dns-record.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { ask } from '../../support/ask.ts'

const MX = { zone: 'shop', type: 'MX', name: '@', priority: '10', value: 'mail.example.net' }
const SCRIPT = { zone: 'shop', type: 'Script', name: 'edge', script: '77', variables: 'TOKEN=hunter2' }

const WHERE = 'record 5 · Open in the panel (https://panel.example.com/dns-zone/301)'

/** The answer when the platform stores this, as its schema reads it. */
const answerTo = (values: RawValues, stored: object) =>
  ask(dnsAdd, values, { addDnsRecord: async () => DnsRecord.parse({ Id: 5, ...stored }) })

test('a record stored as asked is said to be, without any difference', async () => {
  const stored = { Type: 4, Name: '', Value: 'mail.example.net', Priority: 10, Disabled: false, Accelerated: false }
  const { text, said, details, buttons } = await answerTo({ ...MX, disabled: 'off', accelerated: 'off' }, stored)
  expect(text).toBe(`Done: added an MX record @ → mail.example.net to DNS zone shop (301), priority 10 · ${WHERE}`)
  expect(said).toContain('U1` added')
  expect([details?.text.split('\n')[0], buttons.length]).toEqual(['DNS record 5, all fields', 1])
})

test.each([
  [{ Value: 'mail.example.net.' }, '- Mail server: asked mail.example.net, stored mail.example.net.'],
  [{ Priority: 0 }, '- Priority: asked 10, stored 0'],
  [{ Name: 'shop' }, '- Name: asked @ (zone root), stored shop'],
  [{ Type: 3 }, '- Type: asked MX, stored TXT'],
  [{ Type: 99 }, '- Type: asked MX, stored 99'],
  [{ Value: null }, '- Mail server: asked mail.example.net; the answer does not say what was stored'],
])('%j is shown as a difference', async (stored, line) => {
  const { text } = await answerTo(MX, { Type: 4, Name: '', Value: 'mail.example.net', Priority: 10, ...stored })
  expect(text).toContain(`Stored differently from what was asked:\n${line}`)
})

test('what the platform filled in by itself stands behind the button alone', async () => {
  const filled = { Weight: 100, Ttl: 300, AutoSslIssuance: true, EnviromentalVariables: [] }
  const asked = { Type: 4, Name: '', Value: 'mail.example.net', Priority: 10 }
  const { text, details } = await answerTo(MX, { ...asked, ...filled })
  expect(text).toBe((await answerTo(MX, asked)).text)
  for (const line of ['Ttl: 300 seconds (5m)', 'Weight: 100', 'AutoSslIssuance: on', 'EnviromentalVariables: none'])
    expect(details?.text).toContain(line)
})

test('what costs money or hides the record is said again', async () => {
  const { text } = await answerTo(
    { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10', accelerated: 'on', disabled: 'on', ttl: '1h' },
    { Type: 0 },
  )
  const lines = text.split('\n')
  const facts = 'TTL 3600 seconds (1h), accelerated (billed), disabled'
  expect(lines[0]).toBe(`Done: added an A record www → 192.0.2.10 to DNS zone shop (301), ${facts} · ${WHERE}`)
  expect(lines.at(-1)).toBe('The pull zone that accelerates it may take some minutes to appear.')
})

test('a time to live that was asked for is said, however short', async () => {
  const asked = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10', ttl: '5m' }
  expect((await answerTo(asked, { Type: 0, Ttl: 300 })).text).toContain('DNS zone shop (301), TTL 300 seconds (5m) · ')
})

test('the pull zone and the script are compared where the platform gives them back', async () => {
  const pullZone = { zone: 'shop', type: 'PullZone', name: 'cdn', pullZone: '201' }
  const linked = await answerTo(pullZone, { Type: 7, Name: 'cdn', LinkName: '201', Value: 'shop' })
  expect(linked.text).not.toContain('differently')
  const other = await answerTo(pullZone, { Type: 7, Name: 'cdn', LinkName: '202' })
  expect(other.text).toContain('- Pull zone: asked 201, stored 202')
  const silent = await answerTo(pullZone, { Type: 7, Name: 'cdn', LinkName: '' })
  expect(silent.text).not.toContain('differently')
  const script = await answerTo(SCRIPT, {
    Type: 11,
    Name: 'edge',
    Value: '78',
    EnviromentalVariables: [{ Name: 'TOKEN', Value: 'hunter2' }],
  })
  expect(script.text).toContain('- Script id: asked 77, stored 78')
})

test('values of environment variables are compared but never shown', async () => {
  const same = await answerTo(SCRIPT, { EnviromentalVariables: [{ Name: 'TOKEN', Value: 'hunter2' }] })
  expect(same.text).not.toContain('Environment variables')
  const other = await answerTo(SCRIPT, { EnviromentalVariables: [{ Name: 'TOKEN', Value: 'hunter3' }] })
  expect(other.text).toContain(
    '- Environment variables: stored otherwise than asked, in a part of TOKEN=•••• that is not shown',
  )
  expect(same.details?.text).toContain('EnviromentalVariables: TOKEN=••••')
  expect(same.shown + other.shown).not.toMatch(/hunter[23]/)
})

test('all fields of the answer are reachable by name, nested ones and unknown numbers included', async () => {
  const answer = await answerTo(MX, {
    Type: 4,
    IPGeoLocationInfo: { CountryCode: 'DE', Country: 'Germany', ASN: 64_500, OrganizationName: 'Example', City: null },
    GeolocationInfo: { Country: 'Germany', City: 'Berlin', Latitude: 52.5 },
    MonitorStatus: 2,
    AccelerationStatus: 9,
    AcceleratedPullZoneId: 9_007_199_254_740_993n,
  })
  const { text = '', blocks } = answer.details ?? {}
  for (const name of Object.keys(DnsRecord.shape)) expect(text).toMatch(new RegExp(`^${name}[.:]`, 'm'))
  expect(text).toContain('IPGeoLocationInfo.ASN: 64500')
  expect(text).toContain('IPGeoLocationInfo.City: none')
  expect(text).toContain('GeolocationInfo.Longitude: none')
  expect(text).toContain('MonitorStatus: Offline\n')
  expect(text).toContain('AccelerationStatus: 9\n')
  expect(text).toContain('AcceleratedPullZoneId: 9007199254740993')
  expect(JSON.stringify(blocks)).toContain('9007199254740993')
})
