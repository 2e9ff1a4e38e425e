import { describe, expect, it } from 'vitest'
import { maskUrl, maskUrlsIn } from '../../../src/cdn/contract/mask-url.ts'

describe('masking an address', () => {
  it.each([
    ['https://a.example/v.mp4?token=abc&expires=1', 'https://a.example/v.mp4?token=…&expires=…'],
    ['/v.mp4?abcdef', '/v.mp4?…'],
    ['/v.mp4?a=b=c?d=e', '/v.mp4?a=…'],
    ['/v.mp4?', '/v.mp4?'],
    ['/token=abc&expires=1/v.m3u8', '/token=…&expires=…/v.m3u8'],
    ['/a;jsessionid=abc/b', '/a;jsessionid=…/b'],
    ['https://user:pass@a.example/', 'https://…@a.example/'],
    ['https://user:p@ss@a.example:8/x//y@z', 'https://…@a.example:8/x//y@z'],
    ['//user:pass@a.example', '//…@a.example'],
    ['/path//with@sign', '/path//with@sign'],
    ['https://a.example/#access_token=abc', 'https://a.example/#…'],
    ['#access_token=abc', '#…'],
    ['https://a.example/plain/path.ts', 'https://a.example/plain/path.ts'],
    ['user:pass@a.example/x', '…@a.example/x'],
    ['/go/user:pass@a.example/x', '/go/…@a.example/x'],
    ['/go/https://user:p@ss@a.example/x', '/go/https://…@a.example/x'],
    ['/go/https://token@a.example/x', '/go/https://…@a.example/x'],
    ['/go/https%3A%2F%2Fuser%3apass%40a.example%2Fx', '/go/https%3A%2F%2F…%40a.example%2Fx'],
    ['/go/https%3A%2F%2Ftoken%40a.example%2fx%2F', '/go/https%3A%2F%2F…%40a.example%2fx%2F'],
    ['/go/https%253A%252F%252Fuser%253Apass%2540a.example', '/go/https%253A%252F%252F…%2540a.example'],
    ['/v.mp4%3Ftoken%3Dabc%26expires%3D1/x', '/v.mp4%3Ftoken%3D…/x'],
    ['/v.mp4%253ftoken%253dabc', '/v.mp4%253ftoken%253d…'],
    ['/v.mp4?https://user:pass@a.example/x=1', '/v.mp4?https://…@a.example/x=…'],
    ['/@scope/pkg@1.2.3/index.js', '/@scope/pkg@1.2.3/index.js'],
    ['/users/a@b.example', '/users/a@b.example'],
    ['/users/a%40b.example:8080', '/users/a%40b.example:8080'],
    ['/maps/@52.5,13.4,12z', '/maps/@52.5,13.4,12z'],
    ['/wiki/What%3F%20Me%2FYou%26I', '/wiki/What%3F%20Me%2FYou%26I'],
    ['/12:30/a@b', '/12:30/a@b'],
    ['', ''],
  ])('%s is shown as %s', (url, masked) => {
    expect(maskUrl(url)).toBe(masked)
  })
})

it.each(['&', 'a&', 'a=&', '?', '=', ';=', '@', '/@', '//', ':@', '%', '%25', '%40', '%3D', '%3A%40', '%2F', '25'])(
  'is done with an address of a hundred thousand “%s”',
  (unit) => {
    const many = unit.repeat(100_000)
    expect(maskUrl(`https://a/?b=c${many}`)).toMatch(/^https:\/\/a\/\?b=…/)
    expect(maskUrl(`https://u@a/%${many}`)).toMatch(/^https:\/\/…@/)
    expect(maskUrlsIn(`curl ${many} https://u@a/`)).toMatch(/^curl .* https:\/\/…@a\/$/s)
  },
)

it('masks credentials in what a client calls itself, and leaves its other words', () => {
  const agent = 'bot/1.0 (+https://a.example/?k=v; u:p@b.example/x) me@c.example x=1 50%40'
  expect(maskUrlsIn(agent)).toBe('bot/1.0 (+https://a.example/?k=…; …@b.example/x) me@c.example x=1 50%40')
})
