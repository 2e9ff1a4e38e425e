import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../src/playground/slack/request-signature.ts'
import { Secret } from '../../src/shared/secret.ts'
import { isSignedBy, readSignature } from '../../src/slack/http-signature.ts'

const SECRET = 'a-signing-secret'
const NOW_S = 1_795_000_000
const now = new Date(NOW_S * 1_000)
const BODY = 'token=x&command=%2Fcdn'

/** What a request has in its headers, as Node gives them: names and values in turn. */
function raw(more: readonly string[] = [], epochS: number | string = NOW_S): string[] {
  const signed = signatureHeaders(BODY, SECRET, epochS as number) // odd times are what is tried here
  return [...Object.entries(signed).flat(), ...more]
}
function read(headers: readonly string[]) {
  return readSignature(headers, now)
}

describe('the headers of a signature', () => {
  it('are read, whatever the case of their names', () => {
    const headers = raw().map((each, index) => (index % 2 === 0 ? each.toUpperCase() : each))
    expect(read(headers)).toMatchObject({ timestamp: String(NOW_S) })
  })

  it.each([-300, 300])('may be %i s from now', (offsetS) => {
    expect(read(raw([], NOW_S + offsetS))).toMatchObject({ timestamp: String(NOW_S + offsetS) })
  })

  it.each([-301, 301, 3_600, 315_360_000])('may not be %i s from now, earlier or later', (offsetS) => {
    expect(read(raw([], NOW_S + offsetS))).toBe('signed at another time')
  })

  it.each(['1e10', 'Infinity', 'NaN', '', ' 1795000000', '1795000000 ', '0x6afd8ec0', '1795000000.0', '+1795000000'])(
    'have no other way to write a time: %j',
    (time) => {
      expect(read(raw([], time))).toBe('signed in another form')
    },
  )

  it.each(['0179500000', '-179500000', '12345678', '179500000000', '１７９５００００００'])(
    'have digits only, and as many as a time of today has: %j',
    (time) => {
      expect(read(raw([], time))).toBe('signed in another form')
    },
  )

  it('are each there exactly once', () => {
    expect(read([])).toBe('not signed')
    expect(read(raw().slice(0, 2))).toBe('not signed')
    expect(read(raw().slice(2))).toBe('not signed')
    expect(read(raw(['X-Slack-Request-Timestamp', String(NOW_S)]))).toBe('signed twice')
    expect(read(raw(['X-Slack-Signature', raw()[3] ?? '']))).toBe('signed twice')
  })

  it.each(['v1=', 'V0=', ''])('have no other version of the signature: %j', (version) => {
    const [name = '', time = '', signature = '', value = ''] = raw()
    expect(read([name, time, signature, value.replace('v0=', version)])).toBe('signed in another form')
    expect(read([name, time, signature, value.toUpperCase()])).toBe('signed in another form')
    expect(read([name, time, signature, value.slice(0, -1)])).toBe('signed in another form')
  })
})

describe('a signature', () => {
  const signed = read(raw())
  if (typeof signed === 'string') throw new Error(signed)
  const by = (body: string, secret = SECRET): boolean => isSignedBy(signed, Buffer.from(body), new Secret(secret))

  it('is that of the bytes, the time and the secret', () => {
    expect(by(BODY)).toBe(true)
    expect(by(`${BODY} `)).toBe(false)
    expect(by('')).toBe(false)
    expect(by(BODY, 'another-secret')).toBe(false)
    expect(isSignedBy({ ...signed, timestamp: String(NOW_S + 1) }, Buffer.from(BODY), new Secret(SECRET))).toBe(false)
  })

  it('is that of Slack’s own example', () => {
    const timestamp = '1531420618'
    const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const secret = new Secret('8f742231b10e8888abcd99yyyzzz85a5')
    expect(isSignedBy({ timestamp, signature }, Buffer.from(body), secret)).toBe(true)
  })
})
