import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Scrubber } from '../../src/shared/scrubber.ts'
import { anyCharacter } from '../block-kit/foreign-text.ts'

/** Its base64 has a plus sign and ends in padding, which is missing where more was encoded with it. */
const SECRET = 'pa"ss>>>?~wörd12'
const ADDRESS = 'https://hooks.example.com/services/T0/B1/k3y-of-the-hook'

function scrubber(...values: readonly string[]): Scrubber {
  const made = new Scrubber()
  for (const value of values) made.register(value)
  return made
}

/** What stands in the text for the secret once it is encoded together with other bytes. */
function among(before: string): string {
  return Buffer.from(`${before}${SECRET}-after`).toString('base64')
}

describe('the scrubber', () => {
  const bytes = Buffer.from(SECRET)
  test.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['in an address', `https://x/?key=${encodeURIComponent(SECRET)}`],
    ['as base64', bytes.toString('base64')],
    ['as base64 without its padding', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['as base64 behind one byte', among('1')],
    ['as base64 behind two bytes', among('12')],
    ['as base64 behind a name', among('user:')],
  ])('finds a secret %s', (_, text) => {
    const shown = scrubber(SECRET).scrub(`before ${text} after ${text}`)
    expect(shown).toMatch(/^before .*\[secret\].* after .*\[secret\]/)
    expect(shown).not.toContain(text)
    for (const half of [text.slice(0, 12), text.slice(-12)]) {
      if (text.length <= 40) expect(shown).not.toContain(half)
    }
  })

  it.each([8, 9, 15])('finds what is left of a secret that was cut off behind %i characters', (length) => {
    const key = 'k3y-of-the-account'
    expect(scrubber(key).scrub(`${key.slice(0, length)}…`)).toBe('[secret]…')
    expect(scrubber(key).scrub(key.slice(0, 7))).toBe(key.slice(0, 7))
  })

  it('leaves other addresses of the same host alone', () => {
    const shown = scrubber(ADDRESS).scrub(`${ADDRESS} ${ADDRESS.slice(0, 36)} https://hooks.example.com/help`)
    expect(shown).toBe('[secret] [secret] https://hooks.example.com/help')
  })

  it('leaves nothing of a secret that begins with another, in whatever order they came', () => {
    for (const values of [
      ['abcdefgh', 'abcdefgh-1234', 'abcdefgh-12-and-more'],
      ['abcdefgh-12-and-more', 'abcdefgh-1234', 'abcdefgh'],
    ]) {
      expect(scrubber(...values).scrub('abcdefgh-1234 abcdefgh')).toBe('[secret] [secret]')
    }
  })

  it('takes two that overlap for one', () => {
    expect(scrubber('abcdefgh1234', '1234ijklmnop').scrub('<abcdefgh1234ijklmnop>')).toBe('<[secret]>')
  })

  it('takes what has a meaning in patterns literally', () => {
    expect(scrubber('.*$&[a-z]+').scrub('abc .*$&[a-z]+ def')).toBe('abc [secret] def')
  })

  it('leaves values alone that would hide ordinary words', () => {
    expect(scrubber('error12').scrub('error12')).toBe('error12')
    expect(scrubber('error123').scrub('error123')).toBe('[secret]')
  })

  it('says whether there is anything to find', () => {
    expect(scrubber(SECRET).finds(`x${SECRET}`)).toBe(true)
    expect(scrubber(SECRET).finds('nothing at all')).toBe(false)
  })

  it('lets no secret through, whatever stands around it', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 40 })
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 8, maxLength: 60 }),
        text,
        text,
        (secret, before, after) => {
          fc.pre(!'[secret]'.includes(secret) && !`${before}[secret]${after}`.includes(secret))
          expect(scrubber(secret).scrub(`${before}${secret}${after}`)).not.toContain(secret)
        },
      ),
    )
  })

  it('lets no byte of it through in base64, whatever stands around it', () => {
    const around = fc.uint8Array({ maxLength: 20 })
    const secret = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_'.split('')),
      minLength: 12,
      maxLength: 60,
    })
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        fc.pre(!Buffer.concat([before, after]).toString('latin1').includes(value.slice(0, 6)))
        const text = Buffer.concat([before, Buffer.from(value), after]).toString('base64')
        for (const part of scrubber(value).scrub(text).split('[secret]')) {
          // Cut anywhere, a piece of base64 has to be read from each of its four places.
          for (const from of [0, 1, 2, 3]) {
            expect(Buffer.from(part.slice(from), 'base64').toString('latin1')).not.toContain(value.slice(0, 6))
          }
        }
      }),
    )
  })
})
