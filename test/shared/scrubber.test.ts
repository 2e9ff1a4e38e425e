import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Scrubber } from '../../src/shared/scrubber.ts'

/** Its base64 has a plus sign and ends in padding, which is missing where more was encoded with it. */
const SECRET = 'pa"ss>>>?~wörd12'

function scrubber(...values: readonly string[]): Scrubber {
  const made = new Scrubber()
  for (const value of values) made.register(value)
  return made
}

describe('the scrubber', () => {
  const bytes = Buffer.from(SECRET)
  test.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['in an address', `https://x/?key=${encodeURIComponent(SECRET)}`],
    ['as base64', bytes.toString('base64')],
    ['as base64 without its padding', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['as base64 of addresses', bytes.toString('base64url')],
    ['as digits', bytes.toString('hex')],
  ])('finds a secret %s', (_, text) => {
    const shown = scrubber(SECRET).scrub(`before ${text} after ${text}`)
    expect(shown).toMatch(/^before .*\[secret\].* after .*\[secret\]/)
    expect(shown).not.toContain(text)
  })

  it('leaves nothing of a secret that begins with another, in whatever order they came', () => {
    for (const values of [
      ['abcdefgh', 'abcdefgh-1234'],
      ['abcdefgh-1234', 'abcdefgh'],
    ]) {
      expect(scrubber(...values).scrub('abcdefgh-1234 abcdefgh')).toBe('[secret] [secret]')
    }
  })

  it('takes what has a meaning in patterns literally', () => {
    expect(scrubber('.*$&[a-z]+').scrub('abc .*$&[a-z]+ def')).toBe('abc [secret] def')
  })

  it('leaves values alone that would hide ordinary words', () => {
    expect(scrubber('error12').scrub('error12')).toBe('error12')
    expect(scrubber('error123').scrub('error123')).toBe('[secret]')
  })

  it('takes two hundred values, the same one counted once', () => {
    const full = scrubber(...Array.from({ length: 200 }, (_, index) => `secret-${index}-value`))
    full.register('secret-7-value')
    expect(() => full.register('one more secret')).toThrow(RangeError)
    expect(full.scrub('secret-199-value')).toBe('[secret]')
  })

  it('lets no secret through, whatever stands around it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }), text, text, (secret, before, after) => {
        fc.pre(!'[secret]'.includes(secret) && !`${before}[secret]${after}`.includes(secret))
        expect(scrubber(secret).scrub(`${before}${secret}${after}`)).not.toContain(secret)
      }),
    )
  })
})
