import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maskUrl } from '../../src/cdn/mask-url.ts'

/** The same rule written down as it is said, by splitting. */
function plainlyMasked(url: string): string {
  const [all = '', ...fragments] = url.split('#')
  const [address = '', ...queries] = all.split('?')
  const query = queries.length === 0 ? '' : `?${queries.join('?').split('&').map(maskedPart).join('&')}`
  return `${maskedPath(withoutUser(address))}${query}${fragments.length === 0 ? '' : '#…'}`
}

function maskedPart(part: string): string {
  return part === '' ? '' : part.includes('=') ? `${part.slice(0, part.indexOf('='))}=…` : '…'
}

function maskedPath(path: string): string {
  return path.replaceAll(/=[^/;&]*/g, '=…')
}

function withoutUser(address: string): string {
  const [, scheme = '', user] = /^([^/]*\/\/)([^/]*@)?/.exec(address) ?? []
  return user === undefined ? address : `${scheme}…@${address.slice(scheme.length + user.length)}`
}

it('masks whatever may be a credential, and nothing else, in any address', () => {
  const address = fc.string({ unit: fc.constantFrom(...'ab/:?&=#@;.…'.split(''), '//', '=v'), maxLength: 24 })
  fc.assert(
    fc.property(address, (url) => {
      expect(maskUrl(url)).toBe(plainlyMasked(url))
    }),
    { numRuns: 3_000 },
  )
})

it.each(['&', 'a&', 'a=&', '?', '=', ';=', '@', '/@', '//'])(
  'is done with an address of half a million “%s”',
  (unit) => {
    expect(maskUrl(`https://a/?b=c${unit.repeat(500_000)}`)).toMatch(/^https:\/\/a\/\?b=…/)
  },
)
