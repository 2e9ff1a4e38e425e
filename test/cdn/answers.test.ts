import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter, readErrorBody } from '../../src/cdn/http/error-body.ts'
import { CdnError } from '../../src/cdn/contract/errors.ts'
import { fillPath, matchPath } from '../../src/cdn/contract/path-template.ts'
import { renameFields } from '../../src/cdn/reading/response-reading.ts'

describe('the body of a refusal', () => {
  it.each([
    [
      '{"ErrorKey":"validation_error","Field":"Value","Message":"NS is not supported on the root.\\r"}',
      { code: 'validation_error', field: 'Value', message: 'NS is not supported on the root.' },
    ],
    [
      '{"error":{"code":"invalid_request","message":"Bad query.","details":["limit too big.","from too old."]}}',
      { code: 'invalid_request', message: 'Bad query. limit too big. from too old.' },
    ],
    ['{"error":{"code":"x","details":["1","2","3","4","5","6"]},"Field":"f"}', { code: 'x', message: '1 2 3 4 5' }],
    ['{"title":"Bad Request","detail":"No body."}', { message: 'Bad Request No body.' }],
    ['{"title":"no","message":"Not found","detail":" Not found "}', { message: 'Not found' }],
    ['{"HttpCode":401,"message":"no","Message":"Unauthorized"}', { message: 'Unauthorized' }],
    ['{"ErrorKey":null,"Field":"","Message":null}', {}],
    ['{"ErrorKey":7,"Message":["x"],"error":"y"}', {}],
    ['"just text"', { message: 'just text' }],
    ['plain text\r\n', { message: 'plain text' }],
    ['', {}],
    ['null', {}],
    ['[]', {}],
    ['7', {}],
    ...['<!DOCTYPE html><html>key</html>', '  <html>', '<HEAD>', '<body>', '<?xml version="1.0"?>', '<!-- -->'].map(
      (text): [string, object] => [text, {}],
    ),
    ['<p>', { message: '<p>' }],
  ])('%s is read', (body, expected) => {
    expect(readErrorBody(body, 'canary')).toEqual(expected)
  })

  it('is bounded, and shows what would hide', () => {
    const long = `\u202Eevil${'x'.repeat(1_000)}`
    const sent = JSON.stringify({ Message: long, ErrorKey: long, Field: long })
    const { message, code, field } = readErrorBody(sent, 'canary')
    expect(message).toBe(`${String.raw`\u{202E}evil`}${'x'.repeat(287)}…`)
    expect([code?.length, field?.length]).toEqual([64, 64])
  })
})

describe('Retry-After', () => {
  const now = new Date('1994-11-06T08:49:30Z')
  it.each([
    ['7', 7_000],
    ['0', 0],
    ['1.5', 1_500],
    ['0.0001', 1],
    ['86400', 60_000],
    ['12345678901', undefined],
    ['Sun, 06 Nov 1994 09:00:00 GMT', 60_000],
    ['Sun, 99 Foo 1994 08:49:37 GMT', undefined],
    ['1994-11-06T08:49:37Z', undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 7_000],
    ['Sun Nov  6 08:49:37 1994', 7_000],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s means %s ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected)
  })
})

describe('a field the contract does not have', () => {
  it('may be another name for one it has', () => {
    expect(renameFields({ OtherName: 1, Id: 2 }, { OtherName: 'AdPartnerPublisherId' })).toEqual({
      AdPartnerPublisherId: 1,
      Id: 2,
    })
    for (const other of [null, [{ OtherName: 1 }], 'OtherName'])
      expect(renameFields(other, { OtherName: 'AdPartnerPublisherId' })).toBe(other)
  })
})

describe('a path', () => {
  it('takes an id and gives it back', () => {
    expect(fillPath('/dnszone/{zoneId}/records', { zoneId: '7' })).toBe('/dnszone/7/records')
    expect(matchPath('/{MM}-{DD}-{YY}/{pullZoneId}.log', '/11-20-26/7.log')).toEqual({
      MM: '11',
      DD: '20',
      YY: '26',
      pullZoneId: '7',
    })
    expect(matchPath('/apikey', '/apikey')).toEqual({})
    expect(matchPath('/a/{id}', '/a/%E0%A4')).toBeUndefined()
    expect(matchPath('/apikey', '/apikeys')).toBeUndefined()
  })

  it('lets no value leave its place', () => {
    expect(fillPath('/a/{id}', { id: '1/../../apikey?x=' })).toBe('/a/1%2F..%2F..%2Fapikey%3Fx%3D')
    for (const id of [undefined, '', '.', '..']) expect(() => fillPath('/a/{id}', { id })).toThrow(/needs id/)
    expect(matchPath('/a/{id}/b', '/a/1%2F2/b')).toEqual({ id: '1/2' })
    expect(matchPath('/a.b/{id}', '/axb/1')).toBeUndefined()
  })
})

describe('an error', () => {
  it('holds its endpoint and failure and nothing that was sent or received', () => {
    const error = new CdnError('listApiKeys', { kind: 'unreachable', reason: 'reset', sent: 'maybe' })
    expect(Object.getOwnPropertyNames(error).toSorted()).toEqual(['endpoint', 'failure', 'message', 'name', 'stack'])
    expect(inspect(error)).toContain('listApiKeys: unreachable (reset)')
  })

  it('says in a few words what it is', () => {
    const rejected = new CdnError('queryLogs', { kind: 'rejected', status: 404, message: 'hush' })
    const malformed = new CdnError('addDnsRecord', { kind: 'malformed', status: 201, why: 'hush' })
    expect([rejected.message, malformed.message]).toEqual([
      'queryLogs: rejected with 404',
      'addDnsRecord: unreadable answer with 201',
    ])
  })
})
