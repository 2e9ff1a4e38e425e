import { describe, expect, test } from 'vitest'
import { baseUrl, secretAddress } from '../../src/config/setting-values.ts'

/** Addresses that may be set, and where a call to them goes. */
const GOOD: readonly (readonly [typed: string, href: string])[] = [
  ['https://api.example.com', 'https://api.example.com/'],
  ['https://api.example.com:8443/base', 'https://api.example.com:8443/base/'],
  ['https://api.example.com/v2/eu/', 'https://api.example.com/v2/eu/'],
  ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example/'],
  ['https://localhost', 'https://localhost/'],
  ['https://10.1.2.3', 'https://10.1.2.3/'],
  ['https://[fd12:3456::7]/x', 'https://[fd12:3456::7]/x/'],
  ['https://100.64.0.7', 'https://100.64.0.7/'],
  ['http://localhost:3000', 'http://localhost:3000/'],
  ['http://127.0.0.1:1/x', 'http://127.0.0.1:1/x/'],
  ['http://[::1]:8080', 'http://[::1]:8080/'],
  // However it is written, it is this machine and nothing else.
  ['http://2130706433', 'http://127.0.0.1/'],
  ['http://0177.0.0.1', 'http://127.0.0.1/'],
]

const PLAIN_HTTP = /use https/
const NOT_PLAIN = /is not an address such as/
const NOBODY = /no platform can be/
const BEYOND = /beyond ASCII/
const EXTRA = /query or fragment/
const PERSON = /user name or password/

const BAD: readonly (readonly [typed: string, says: RegExp])[] = [
  ['', NOT_PLAIN],
  ['api.example.com', NOT_PLAIN],
  ['https://', NOT_PLAIN],
  ['https:\\\\api.example.com', NOT_PLAIN],
  ['https://api.example.com:99999', NOT_PLAIN],
  ['https://256.256.256.256', NOT_PLAIN],
  ['https://[fe80::1%25eth0]', NOT_PLAIN],
  ['https://a b.example', BEYOND],
  ['ftp://api.example.com', /is not an https address/],
  ['file:///etc/passwd', NOT_PLAIN],
  ['ws://127.0.0.1', /is not an https address/],
  ['http://api.example.com', PLAIN_HTTP],
  ['http://10.0.0.1', PLAIN_HTTP],
  ['http://localhost.example', PLAIN_HTTP],
  ['http://0.0.0.0', PLAIN_HTTP],
  ['http://[::ffff:127.0.0.1]', PLAIN_HTTP],
  ['https://user@api.example.com', PERSON],
  ['https://user:word@api.example.com', PERSON],
  ['http://127.0.0.1@evil.example', PERSON],
  ['https://api.example.com?', EXTRA],
  ['https://api.example.com#', EXTRA],
  ['https://api.example.com/?key=x', EXTRA],
  ['https://169.254.169.254', NOBODY],
  ['https://100.100.100.200', NOBODY],
  ['https://168.63.129.16', NOBODY],
  ['https://0.0.0.0', NOBODY],
  ['https://224.0.0.1', NOBODY],
  ['https://192.0.2.1', NOBODY],
  ['https://240.0.0.1', NOBODY],
  ['https://[2001:db8::7]', NOBODY],
  ['https://[fe80::1]', NOBODY],
  ['https://[fd00:ec2::254]', NOBODY],
  ['https://[::ffff:169.254.169.254]', NOBODY],
  ['https://[64:ff9b::a9fe:a9fe]', NOBODY],
  ['https://[2002:a9fe:a9fe::1]', NOBODY],
  ['https://2852039166', NOBODY],
  ['https://\u0430pi.example.com', BEYOND],
  ['https://b\u00fccher.example', BEYOND],
  ['https://\uff11\uff12\uff17.0.0.1', BEYOND],
  ['https://api.exam\u00adple.com', BEYOND],
  ['https://api.example.com\u202e', BEYOND],
  [' https://api.example.com', BEYOND],
]

describe('a base address', () => {
  test.each(GOOD)('%j may be set', (typed, href) => {
    expect(baseUrl.parse(typed).href).toBe(href)
  })

  test.each(BAD)('%j is refused', (typed, says) => {
    const read = baseUrl.safeParse(typed)
    expect(read.error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(says)])
  })
})

describe('an address that is a secret itself', () => {
  test.each(BAD.filter(([, says]) => says !== EXTRA))('%j is refused as well', (typed) => {
    expect(secretAddress.safeParse(typed).success).toBe(false)
  })

  test('may have a query, and no fragment', () => {
    expect(secretAddress.parse('https://hooks.example/a?b=c').reveal()).toBe('https://hooks.example/a?b=c')
    expect(secretAddress.safeParse('https://hooks.example/a#').success).toBe(false)
  })
})
