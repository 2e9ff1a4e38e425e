import { describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

async function add(body: unknown, zone = 201) {
  return await emulator.management(`/dnszone/${zone}/records`, { method: 'PUT', body })
}

const records = () => emulator.it.world.dnsZone(201n)!.records

describe('adding a DNS record', () => {
  it('answers 201 with what is stored, and stores an equal one beside it', async () => {
    const body = { Type: 0, Name: 'twin', Value: '192.0.2.7', Ttl: 60 }
    const before = records().length
    const [one, other] = [await add(body), await add(body)]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.json.Id).not.toBe(other.json.Id)
    expect(one.json).toMatchObject(body)
    expect(
      records()
        .slice(before)
        .map(({ name }) => name),
    ).toEqual(['twin', 'twin'])
  })

  it.each([
    [{ Type: 0, Value: '192.0.2.1', Weight: 50 }, { Weight: 50 }],
    [
      { Type: 1, Value: '2001:db8::1' },
      { Weight: 100, IPGeoLocationInfo: null },
    ],
    [{ Type: 2, Name: 'www', Value: 'target.example.' }, { Value: 'target.example' }],
    [{ Type: 3, Value: 'v=spf1 -all' }, { Value: 'v=spf1 -all' }],
    [
      { Type: 4, Value: 'mail.example.', Priority: 10 },
      { Value: 'mail.example', Priority: 10 },
    ],
    [
      { Type: 4, Value: '.' },
      { Value: '.', Priority: 0 },
    ],
    [{ Type: 5, Name: 'old', Value: 'https://new.example/x' }, { Value: 'https://new.example/x' }],
    [{ Type: 6, Name: 'flat', Value: 'target.example' }, { Type: 6 }],
    [
      { Type: 7, Name: 'cdn', PullZoneId: 301 },
      { LinkName: '301', Value: 'shop-web' },
    ],
    [
      { Type: 8, Name: '_sip._tcp', Value: 'sip.example', Priority: 1, Weight: 0, Port: 5060 },
      { Weight: 0, Port: 5060, Priority: 1 },
    ],
    [
      { Type: 9, Value: 'ca.example', Flags: 128, Tag: 'issue' },
      { Flags: 128, Tag: 'issue' },
    ],
    [{ Type: 10, Name: '7', Value: 'host.example.' }, { Value: 'host.example' }],
    [
      { Type: 11, Name: 'run', ScriptId: 77, EnviromentalVariables: [{ Name: 'A', Value: 'b' }] },
      { Value: '77', EnviromentalVariables: [{ Name: 'A', Value: 'b' }] },
    ],
    [{ Type: 12, Name: 'sub', Value: 'ns1.example' }, { Value: 'ns1.example' }],
    [{ Type: 13, Name: '_dns', Value: 'svc.example alpn=h2', Priority: 1 }, { Priority: 1 }],
    [{ Type: 14, Value: '. alpn=h2', Priority: 1 }, { Value: '. alpn=h2' }],
    [{ Type: 15, Name: '_443._tcp', Value: '3 1 1 0a1b2c' }, { Value: '3 1 1 0a1b2c' }],
  ])('takes %j', async (body, stored) => {
    const { status, json } = await add(body)
    expect(status).toBe(201)
    expect(json).toMatchObject({ Type: body.Type, ...stored })
  })

  it('fills in what was not given', async () => {
    expect((await add({ Value: '192.0.2.1' })).json).toMatchObject({
      Type: 0,
      Name: '',
      Ttl: 300,
      Weight: 100,
      Priority: 0,
      AutoSslIssuance: true,
      Disabled: false,
      Comment: null,
      LinkName: '',
      EnviromentalVariables: [],
      GeolocationInfo: null,
      IPGeoLocationInfo: { CountryCode: 'DE' },
      MonitorStatus: 0,
      AccelerationStatus: 0,
      AcceleratedPullZoneId: 0,
    })
  })

  it('answers with the settings it was given, and takes a weight of 0 for none', async () => {
    const asked = {
      Type: 0,
      Name: 'near',
      Value: '192.0.2.1',
      MonitorType: 2,
      SmartRoutingType: 2,
      GeolocationLatitude: 50.1,
      GeolocationLongitude: 8.7,
      LatencyZone: 'DE',
      Disabled: true,
      Comment: 'first',
      AutoSslIssuance: false,
      Accelerated: true,
    }
    const { json } = await add({ ...asked, Weight: 0 })
    expect(json).toMatchObject({ ...asked, Weight: 100 })
    expect(json.GeolocationInfo).toMatchObject({ Latitude: 50.1, Longitude: 8.7 })
  })

  it.each([
    [{ Type: 16, Value: 'x' }, 'Type'],
    [{ Type: 0 }, 'Value'],
    [{ Type: 0, Value: '2001:db8::1' }, 'Value'],
    [{ Type: 1, Value: '192.0.2.1' }, 'Value'],
    [{ Type: 2, Name: 'www', Value: '' }, 'Value'],
    [{ Type: 3, Value: '' }, 'Value'],
    [{ Type: 5, Value: 'new.example' }, 'Value'],
    [{ Type: 12, Name: '', Value: 'ns1.example' }, 'Value'],
    [{ Type: 15, Value: '3 1 0a1b' }, 'Value'],
    [{ Type: 9, Value: '"ca.example"', Tag: 'issue' }, 'Value'],
    [{ Type: 9, Value: 'ca.example' }, 'Tag'],
    [{ Type: 9, Value: 'ca.example', Tag: 'issue', Flags: 256 }, 'Flags'],
    [{ Type: 0, Name: '@', Value: '192.0.2.1' }, 'Name'],
    [{ Type: 0, Name: '@', Value: 'nonsense' }, 'Value'],
    [{ Type: 7, Name: 'cdn' }, 'PullZoneId'],
    [{ Type: 7, Name: 'cdn', PullZoneId: 999 }, 'PullZoneId'],
    [{ Type: 0, Value: '192.0.2.1', PullZoneId: 0 }, 'PullZoneId'],
    [{ Type: 11, Name: 'run' }, 'ScriptId'],
    [{ Type: 0, Value: '192.0.2.1', ScriptId: 0 }, 'ScriptId'],
    [{ Type: 1, Value: '2001:db8::1', Accelerated: true }, 'Accelerated'],
    [{ Type: 8, Name: '_a._b', Value: 'x.example', Port: 65_536 }, 'Port'],
    [{ Type: 0, Value: '192.0.2.1', MonitorType: 4 }, 'MonitorType'],
    [{ Type: 0, Value: '192.0.2.1', SmartRoutingType: 3 }, 'SmartRoutingType'],
    [{ Type: 0, Value: '192.0.2.1', EnvironmentalVariables: [] }, 'EnvironmentalVariables'],
  ])('refuses %j', async (body, field) => {
    const before = records().length
    const { status, json } = await add(body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ ErrorKey: 'validation_error', Field: field, Message: expect.stringMatching(/\r$/) })
    expect(records()).toHaveLength(before)
  })

  it('does not find a zone that is not there', async () => {
    const { status, json } = await add({ Value: '192.0.2.1' }, 999)
    expect([status, json.ErrorKey]).toEqual([404, 'dnszone.zone.not_found'])
  })
})
