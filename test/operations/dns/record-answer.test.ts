import { expect, test } from 'vitest'
import type { Message } from '../../../src/block-kit/message.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { DnsRecord } from '../../../src/cdn/dns-record.ts'
import type { Answer } from '../../../src/operations/answer.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'

const MX = { zone: 'shop', type: 'MX', name: '@', priority: '10', value: 'mail.example.net' }
const SCRIPT = { zone: 'shop', type: 'Script', name: 'edge', script: '77', variables: 'TOKEN=hunter2' }

/** The answer when the platform stores this, as its schema reads it. */
async function answerTo(values: RawValues, stored: object): Promise<Answer> {
  const cdn = { addDnsRecord: async () => DnsRecord.parse({ Id: 5, ...stored }) }
  const answer = await invocationOf(dnsAdd, values).run(operationContext(cdn))
  expect(messageProblems(answer.message)).toEqual([])
  expect(messageProblems(allFields(answer))).toEqual([])
  return answer
}

function allFields(answer: Answer): Message {
  const button = answer.buttons?.[0]
  if (button?.kind !== 'more') throw new Error('The first button shows all fields')
  return button.message
}

test('a record stored as asked is said to be, without any difference', async () => {
  const { message } = await answerTo(MX, { Type: 4, Name: '', Value: 'mail.example.net', Priority: 10 })
  expect(message.text).toContain('The MX record @ was added to DNS zone shop (301). Its id is 5.')
  expect(message.text).toContain('Value: mail.example.net')
  expect(message.text).not.toContain('differently')
  expect(message.text).not.toContain('Filled in')
  expect(JSON.stringify(message.blocks)).toContain('https://panel.example.com/dns-zone/301')
})

test.each([
  [{ Value: 'mail.example.net.' }, '- Value: asked mail.example.net, stored mail.example.net.'],
  [{ Priority: 0 }, '- Priority: asked 10, stored 0'],
  [{ Name: 'shop' }, '- Name: asked @ (the zone itself, an empty name), stored shop'],
  [{ Type: 3 }, '- Type: asked MX (4), stored TXT (3)'],
  [{ Type: 99 }, '- Type: asked MX (4), stored 99'],
  [{ Value: null }, '- Value: asked mail.example.net; the answer does not say what was stored'],
])('%j is shown as a difference', async (stored, line) => {
  const { message } = await answerTo(MX, { Type: 4, Name: '', Value: 'mail.example.net', Priority: 10, ...stored })
  expect(message.text).toContain(`Stored differently from what was asked:\n${line}`)
})

test('what the platform filled in by itself is listed, and empty fields are not', async () => {
  const stored = {
    Type: 4,
    Name: '',
    Value: 'mail.example.net',
    Priority: 10,
    Weight: 100,
    Ttl: 300,
    AutoSslIssuance: true,
  }
  const { message } = await answerTo(MX, {
    ...stored,
    Port: 0,
    AcceleratedPullZoneId: 0,
    LinkName: '',
    Tag: null,
    Disabled: false,
  })
  expect(message.text).toContain(
    'Filled in by the platform:\n- Ttl: 300 seconds (5m)\n- Weight: 100\n- AutoSslIssuance: on\nStored',
  )
})

test('a long text that differs only at its end is a difference', async () => {
  const value = 'x'.repeat(400)
  const asked = { zone: 'shop', type: 'TXT', name: '@', value }
  const same = await answerTo(asked, { Type: 3, Name: '', Value: value })
  expect(same.message.text).not.toContain('differently')
  const other = await answerTo(asked, { Type: 3, Name: '', Value: `${value}y` })
  expect(other.message.text).toContain('differently')
})

test('the pull zone and the script are compared where the platform gives them back', async () => {
  const pullZone = { zone: 'shop', type: 'PullZone', name: 'cdn', pullZone: '201' }
  const linked = await answerTo(pullZone, { Type: 7, Name: 'cdn', LinkName: '201', Value: 'shop' })
  expect(linked.message.text).not.toContain('differently')
  const other = await answerTo(pullZone, { Type: 7, Name: 'cdn', LinkName: '202' })
  expect(other.message.text).toContain('- PullZoneId: asked 201, stored LinkName 202')
  const silent = await answerTo(pullZone, { Type: 7, Name: 'cdn', LinkName: '' })
  expect(silent.message.text).not.toContain('differently')
  const script = await answerTo(SCRIPT, {
    Type: 11,
    Name: 'edge',
    Value: '78',
    EnviromentalVariables: [{ Name: 'TOKEN', Value: 'hunter2' }],
  })
  expect(script.message.text).toContain('- ScriptId: asked 77, stored Value 78')
})

test('values of environment variables are compared but never shown', async () => {
  const same = await answerTo(SCRIPT, { EnviromentalVariables: [{ Name: 'TOKEN', Value: 'hunter2' }] })
  expect(same.message.text).not.toContain('EnviromentalVariables')
  const other = await answerTo(SCRIPT, { EnviromentalVariables: [{ Name: 'TOKEN', Value: 'hunter3' }] })
  expect(other.message.text).toContain(
    '- EnviromentalVariables: stored otherwise than asked, in a part of TOKEN=•••• that is not shown',
  )
  expect(allFields(same).text).toContain('EnviromentalVariables: TOKEN=••••')
  expect(JSON.stringify([same, other])).not.toMatch(/hunter[23]/)
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
  const { text, blocks } = allFields(answer)
  for (const name of Object.keys(DnsRecord.shape)) expect(text).toMatch(new RegExp(`^${name}[.:]`, 'm'))
  expect(text).toContain('IPGeoLocationInfo.ASN: 64500')
  expect(text).toContain('IPGeoLocationInfo.City: none')
  expect(text).toContain('GeolocationInfo.Longitude: none')
  expect(text).toContain('MonitorStatus: Offline (2)')
  expect(text).toMatch(/AccelerationStatus: 9$/)
  expect(text).toContain('AcceleratedPullZoneId: 9007199254740993')
  expect(JSON.stringify(blocks)).toContain('9007199254740993')
})

test('an answer with nothing but the id says what was asked', async () => {
  const { message } = await answerTo(MX, {})
  expect(message.text).toContain('The MX record @ was added')
  expect(message.text).toContain('- Priority: asked 10; the answer does not say what was stored')
})

test('text from the platform cannot format, link or mention, however long it is', async () => {
  const nasty = `<!channel> *x* <https://evil.example|y> ${'z'.repeat(20_000)}`
  const answer = await answerTo(MX, { Type: 4, Name: nasty, Value: nasty, Comment: nasty, LinkName: nasty, Tag: nasty })
  // The cells of a table are text by their structure; everything else is markup and must be escaped.
  const markup = JSON.stringify([answer.message, allFields(answer).text])
  expect(markup).not.toContain('<!channel>')
  expect(markup).not.toContain('<https://evil')
  expect(markup).toContain('&lt;!channel&gt;')
})

test('the client is called once, with the signal of the person who waits', async () => {
  const signals: (AbortSignal | undefined)[] = []
  const context = operationContext({
    addDnsRecord: async (_zone, _request, options) => {
      signals.push(options?.signal)
      return DnsRecord.parse({ Id: 5 })
    },
  })
  await invocationOf(dnsAdd, MX).perform(context)
  expect(signals).toEqual([context.signal])
})
