import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maskUrl, maskUrlsIn } from '../../../src/cdn/contract/mask-url.ts'

/** The same rule written down as it is said, by splitting. */
function plainlyMasked(url: string): string {
  const [all = '', ...fragments] = url.split('#')
  const [address = '', ...queries] = all.split('?')
  const query = queries.length === 0 ? '' : `?${queries.join('?').split('&').map(maskedPart).join('&')}`
  return `${maskedPath(withoutUser(address))}${query}${fragments.length === 0 ? '' : '#…'}`
}

function maskedPart(part: string): string {
  return part === '' ? '' : part.includes('=') ? `${maskedPath(withoutUser(part.slice(0, part.indexOf('='))))}=…` : '…'
}

function maskedPath(path: string): string {
  return path.replaceAll(/(=|%3D)[^/;&]*/g, '$1…')
}

/** What stands before an @: a name and a password anywhere, anything at all where an address is certain to begin. */
function withoutUser(address: string): string {
  return address
    .replace(/^((?:(?!%2F)[^/])*(?:\/|%2F){2})(?:(?!%2F)[^/])*(@|%40)/, '$1…$2')
    .replaceAll(/((?::|%3A)(?:\/|%2F){2})(?:(?!%2F)[^/])*(@|%40)/g, '$1…$2')
    .replaceAll(/(?<=^|\/|%2F)(?:(?!%2F)[^/])*(?::|%3A)(?:(?!%2F)[^/])*(@|%40)/g, '…$1')
}

it('masks whatever may be a credential, and nothing else, in any address', () => {
  const address = fc.string({
    unit: fc.constantFrom(...'ab/:?&=#@;.…'.split(''), '//', '=v', '%3D', '%40', '%3A', '%2F', '%25'),
    maxLength: 24,
  })
  fc.assert(
    fc.property(address, (url) => {
      expect(maskUrl(url)).toBe(plainlyMasked(url))
    }),
    { numRuns: 1_500 },
  )
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
