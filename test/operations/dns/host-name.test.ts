import { expect, test } from 'vitest'
import { normaliseHost, normaliseHostOrDot, normaliseRecordName } from '../../../src/operations/dns/record-value.ts'

test.each([
  ['@', ''],
  ['www', 'www'],
  ['WWW', 'WWW'],
  ['www.', 'www'],
  ['*', '*'],
  ['*.shop', '*.shop'],
  ['_443._tcp', '_443._tcp'],
  ['a.b.c', 'a.b.c'],
  ['1.2', '1.2'],
  ['bücher', 'xn--bcher-kva'],
  ['x'.repeat(63), 'x'.repeat(63)],
])('the name %s is sent as %s', (typed, sent) => {
  expect(normaliseRecordName(typed)).toMatchObject({ ok: true, sent })
})

test.each([
  '',
  '.',
  '..',
  'a..b',
  '.a',
  'a b',
  'a*b',
  'a.*',
  '-a',
  'a-',
  'a/b',
  'x'.repeat(64),
  'a.'.repeat(127) + 'ab',
  '@.shop',
])('the name %j is refused with the rule', (typed) => {
  expect(normaliseRecordName(typed)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('relative to the zone'),
  })
})

test('what is changed in a name is said, and a plain name needs no words', () => {
  expect(normaliseRecordName('@')).toMatchObject({
    notes: ['The name @ is the zone itself, which is sent as an empty name.'],
  })
  expect(normaliseRecordName('www.')).toMatchObject({ notes: ['The dot at the end of www. is left out.'] })
  expect(normaliseRecordName('bücher')).toMatchObject({ notes: ['bücher is sent in its ASCII form xn--bcher-kva.'] })
  expect(normaliseRecordName('www')).toMatchObject({ notes: [] })
})

test('a host loses the dot at its end and nothing else', () => {
  expect(normaliseHost('mail.example.net.', 'The host')).toEqual({
    ok: true,
    sent: 'mail.example.net',
    notes: ['The dot at the end of mail.example.net. is left out.'],
  })
  expect(normaliseHost('mail.example.net', 'The host')).toEqual({ ok: true, sent: 'mail.example.net', notes: [] })
})

test.each(['.', '', 'mail..example', 'https://example.net', 'mail example', '*.example.net', 'mail.example.net..'])(
  'the host %j is refused',
  (typed) => {
    expect(normaliseHost(typed, 'The host')).toEqual({
      ok: false,
      problem: 'The host must be a host name such as target.example.net.',
    })
  },
)

test('a dot alone is kept where it means none', () => {
  expect(normaliseHostOrDot('.', 'The mail server')).toEqual({ ok: true, sent: '.', notes: [] })
  expect(normaliseHostOrDot('..', 'The mail server').ok).toBe(false)
})
