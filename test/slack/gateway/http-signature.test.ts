import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../../src/shared/secret.ts'
import { isSignedBy, readSignature } from '../../../src/slack/gateway/http-receiver.ts'
import { signatureHeaders } from '../../support/request-signature.ts'

const SECRET = 'a-signing-secret'
const NOW_S = 1_795_000_000
const now = new Date(NOW_S * 1_000)
const BODY = 'token=x&command=%2Fcdn'

/** What a request has in its headers, as Node gives them. */
function signed(epochS: number | string = NOW_S): IncomingHttpHeaders {
  const headers = Object.entries(signatureHeaders(BODY, SECRET, epochS as number)) // odd times are what is tried here
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
}
function read(headers: IncomingHttpHeaders) {
  return readSignature(headers, now)
}
const TIME = 'x-slack-request-timestamp'
const SIGNATURE = 'x-slack-signature'

describe('the headers of a signature', () => {
  it.each([-300, 300])('may be %i s from now', (offsetS) => {
    expect(read(signed(NOW_S + offsetS))).toMatchObject({ timestamp: String(NOW_S + offsetS) })
  })

  it.each([-301, 301, 3_600, 315_360_000])('may not be %i s from now, earlier or later', (offsetS) => {
    expect(read(signed(NOW_S + offsetS))).toBe('signed at another time')
  })

  it.each(['1e10', 'NaN', '', ' 1795000000', '0x6afd8ec0', '1795000000.0', '+1795000000', '0179500000', '12345678'])(
    'have no other way to write a time: %j',
    (time) => {
      expect(read(signed(time))).toBe('signed in another form')
    },
  )

  it('are each there exactly once', () => {
    const headers = signed()
    expect(read({})).toBe('not signed')
    for (const name of [TIME, SIGNATURE]) {
      expect(read({ ...headers, [name]: undefined })).toBe('not signed')
      // So Node joins what is there twice.
      expect(read({ ...headers, [name]: `${String(headers[name])}, ${String(headers[name])}` })).toBe(
        'signed in another form',
      )
    }
  })

  it.each(['v1=', 'V0=', ''])('have no other version of the signature: %j', (version) => {
    const headers = signed()
    const value = String(headers[SIGNATURE])
    for (const odd of [value.replace('v0=', version), value.toUpperCase(), value.slice(0, -1)])
      expect(read({ ...headers, [SIGNATURE]: odd })).toBe('signed in another form')
  })
})

describe('a signature', () => {
  const given = read(signed())
  if (typeof given === 'string') throw new Error(given)
  const by = (body: string, secret = SECRET): boolean => isSignedBy(given, Buffer.from(body), new Secret(secret))

  it('is that of the bytes, the time and the secret', () => {
    expect(by(BODY)).toBe(true)
    expect(by(`${BODY} `)).toBe(false)
    expect(by('')).toBe(false)
    expect(by(BODY, 'another-secret')).toBe(false)
    expect(isSignedBy({ ...given, timestamp: String(NOW_S + 1) }, Buffer.from(BODY), new Secret(SECRET))).toBe(false)
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
