import { describe, expect, it } from 'vitest'
import { isKnownType, readEnvelope } from '../../../src/slack/gateway/http-body-parser.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const COMMAND = { command: '/cdn', text: 'help', api_app_id: 'A1', user_id: 'U1', team_id: 'T1' }
const CLICK = {
  type: 'block_actions',
  api_app_id: 'A1',
  user: { id: 'U1' },
  team: { id: 'T1' },
  actions: [{ action_id: 'x' }],
}
const EVENT = {
  type: 'event_callback',
  api_app_id: 'A1',
  team_id: 'T1',
  event_id: 'Ev1',
  event: { type: 'app_mention' },
}

const form = (fields: Readonly<Record<string, string>> | string) =>
  readEnvelope(FORM, Buffer.from(new URLSearchParams(fields).toString()))
const interaction = (payload: unknown) => form({ payload: JSON.stringify(payload) })
const json = (body: unknown) => readEnvelope(JSON_TYPE, Buffer.from(JSON.stringify(body)))

describe('a delivery', () => {
  it('is a command, an interaction or an event, with where it comes from', () => {
    expect(form(COMMAND)).toEqual({
      kind: 'delivery',
      body: COMMAND,
      origin: { appId: 'A1', userId: 'U1', places: [] },
    })
    expect(interaction({ ...CLICK, enterprise: { id: 'E1' } })).toMatchObject({
      kind: 'delivery',
      origin: { appId: 'A1', userId: 'U1', places: ['T1', 'E1'] },
    })
    expect(interaction({ ...CLICK, team: null })).toMatchObject({ origin: { places: [] } })
    expect(json({ ...EVENT, authorizations: [{ team_id: 'T2', enterprise_id: null }] })).toMatchObject({
      kind: 'delivery',
      origin: { appId: 'A1', userId: undefined, places: ['T1', 'T2'] },
    })
  })

  it.each(['view_submission', 'view_closed'])('is a %s that has a view', (type) => {
    const { actions: _, ...rest } = CLICK
    expect(interaction({ ...rest, type, view: { callback_id: 'c' } })).toMatchObject({ kind: 'delivery' })
    expect(interaction({ ...rest, type })).toBeUndefined()
  })

  it('keeps what it has beside, for those who read it', () => {
    expect(interaction({ ...CLICK, state: { values: { a: 1 } } })).toMatchObject({
      body: { state: { values: { a: 1 } } },
    })
  })
})

describe('what else Slack sends', () => {
  it('is a challenge, which is heard again', () => {
    expect(json({ type: 'url_verification', challenge: 'c' })).toEqual({ kind: 'challenge', challenge: 'c' })
    expect(json({ type: 'url_verification', challenge: { a: 1 } })).toBeUndefined()
  })

  it('is a look at the certificate, which never carries anything in, and word that events are held back', () => {
    expect(form({ ssl_check: '1', token: 'x' })).toEqual({ kind: 'check' })
    expect(form({ ...COMMAND, ssl_check: '1' })).toEqual({ kind: 'check' })
    expect(json({ type: 'app_rate_limited', minute_rate_limited: 1 })).toEqual({ kind: 'check' })
  })

  it.each(['0', 'true', '', '01'])('is no look at the certificate with ssl_check=%s', (value) => {
    expect(form({ ssl_check: value })).toBeUndefined()
  })
})

describe('what Slack never sends', () => {
  const bodies = ['null', '[]', '"x"', '0', 'true', '', ' ', '{', '{}', '[{}]', '{"type":null}', '{"event":{}}', 'NaN']

  it.each(bodies)('is refused as JSON: %s', (body) => {
    expect(readEnvelope(JSON_TYPE, Buffer.from(body))).toBeUndefined()
  })
  it.each(bodies)('is refused as the payload of an interaction: %s', (payload) => {
    expect(form({ payload })).toBeUndefined()
  })

  it.each(['api_app_id', 'type', 'user', 'actions'])('is refused as an interaction without %s', (field) => {
    expect(interaction({ ...CLICK, [field]: undefined })).toBeUndefined()
    expect(interaction({ ...CLICK, [field]: null })).toBeUndefined()
  })
  it.each(['api_app_id', 'event_id', 'event'])('is refused as an event without %s', (field) => {
    expect(json({ ...EVENT, [field]: undefined })).toBeUndefined()
    expect(json({ ...EVENT, [field]: null })).toBeUndefined()
  })
  it.each(['command', 'api_app_id', 'user_id', 'team_id'])('is refused as a command without %s', (field) => {
    const { [field]: _, ...rest } = COMMAND as Readonly<Record<string, string>>
    expect(form(rest)).toBeUndefined()
  })

  it('is refused when a field is there twice, or a payload is not alone', () => {
    expect(form(`${new URLSearchParams(COMMAND).toString()}&user_id=U2`)).toBeUndefined()
    const payload = new URLSearchParams({ payload: JSON.stringify(CLICK) }).toString()
    expect(form(`${payload}&${payload}`)).toBeUndefined()
    expect(form(`${payload}&command=%2Fcdn`)).toBeUndefined()
  })

  it('is refused when it is deeper than anything Slack has', () => {
    const read = (x: string) =>
      readEnvelope(JSON_TYPE, Buffer.from(JSON.stringify({ ...EVENT, x: 0 }).replace('"x":0', `"x":${x}`)))
    for (const depth of [32, 100_000]) expect(read('['.repeat(depth) + ']'.repeat(depth))).toBeUndefined()
    expect(read(`${'{"a":'.repeat(32)}0${'}'.repeat(32)}`)).toBeUndefined()
    expect(read('['.repeat(31) + ']'.repeat(31))).toBeDefined()
    // What stands in a text opens nothing, whatever is escaped in it.
    expect(read(JSON.stringify(`"${'[{'.repeat(100)}\\`))).toBeDefined()
  })

  it('is refused when it is no text', () => {
    const [start = '', end = ''] = JSON.stringify({ ...EVENT, x: '?' }).split('?')
    expect(readEnvelope(JSON_TYPE, Buffer.from(`${start}?${end}`))).toBeDefined()
    expect(
      readEnvelope(JSON_TYPE, Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)])),
    ).toBeUndefined()
  })

  it('has no content type but two', () => {
    for (const type of [FORM, JSON_TYPE, 'Application/JSON; charset=utf-8']) expect(isKnownType(type)).toBe(true)
    for (const type of [undefined, '', 'text/plain', 'multipart/form-data', `text/plain, ${JSON_TYPE}`])
      expect(isKnownType(type)).toBe(false)
  })
})
