import { describe, expect, it } from 'vitest'
import { addressMatches, blurAddress } from '../../../src/playground/cdn/log-access.ts'

describe('blurAddress', () => {
  it.each([
    ['192.0.2.77', 'none', '192.0.2.77'],
    ['192.0.2.77', 'last octet', '192.0.2.0'],
    ['192.0.2.77', 'full', '0.0.0.0'],
    ['2001:db8:1:2::9', 'none', '2001:db8:1:2::9'],
    ['2001:db8:1:2::9', 'last octet', '2001:db8:1:2::'],
    ['2001:db8::9', 'last octet', '2001:db8:0:0::'],
    ['2001:db8::9', 'full', '::'],
  ] as const)('keeps of %s under %s only %s', (address, anonymisation, kept) => {
    expect(blurAddress(address, anonymisation)).toBe(kept)
  })
})

describe('addressMatches', () => {
  it('compares what is kept', () => {
    expect(addressMatches('192.0.2.1', '192.0.2.77', 'none')).toBe(false)
    expect(addressMatches('192.0.2.1', '192.0.2.77', 'last octet')).toBe(true)
    expect(addressMatches('192.0.3.1', '192.0.2.77', 'last octet')).toBe(false)
    expect(addressMatches('2001:DB8:1:2::1', '2001:db8:1:2::9', 'last octet')).toBe(true)
  })

  it('ignores the question where nothing is kept', () => {
    expect(addressMatches('198.51.100.1', '192.0.2.77', 'full')).toBe(true)
  })
})
