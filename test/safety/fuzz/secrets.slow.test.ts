import fc from 'fast-check'
import { test } from 'vitest'
import { createLog } from '../../../src/shared/log.ts'
import { Scrubber } from '../../../src/shared/scrubber.ts'
import { anyText, expectForAll } from './fuzzing.ts'

const PLAIN = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/
/** Spelt here anew, so that a mistake in the program's own list is seen. */
const SPELLINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => encodeURIComponent(secret),
  (secret) => Buffer.from(secret).toString('base64'),
]
/** As keys and tokens are made: no blanks, no control characters, long enough to be told from words. */
const secret = fc.string({
  unit: fc.constantFrom(...'abcdefXYZ0123456789-_.+/=:~!$&<>'.split('')),
  minLength: 12,
  maxLength: 60,
})
const MOST_RUNS = 100_000
const RUNS = 20_000
const NOTHING = '[secret]'

test('no spelling of a secret comes through, whatever is around it', () => {
  expectForAll(
    fc.tuple(secret, fc.constantFrom(...SPELLINGS), anyText, anyText),
    MOST_RUNS,
    ([value, spell, before, after]) => {
      const scrubber = new Scrubber()
      scrubber.register(value)
      const spelt = spell(value)
      const clean = scrubber.scrub(`${before}${spelt}${after}`)
      // The padding of base64 is the same for every secret.
      const core = spelt.replace(/=+$/, '')
      if (clean.replaceAll(NOTHING, '').includes(core)) throw new Error(`${core} is left in ${clean}`)
    },
  )
})

test('what holds no secret is left as it is, and a line stays a line of JSON', () => {
  const scrubber = new Scrubber()
  for (const value of ['canary-1f0c7a52-3d9e', 'xoxb-12-canary-77aa', 'q"uo\\ted-canary-9911']) scrubber.register(value)
  expectForAll(anyText, RUNS, (text) => {
    const line = JSON.stringify({ text })
    if (PLAIN.test(text) && scrubber.scrub(line) !== line) throw new Error('changed')
    JSON.parse(scrubber.scrub(line))
  })
})

test('a log has as many lines as there were events, whatever their words', () => {
  let written = ''
  const log = createLog({ level: 'info', scrubber: new Scrubber(), write: (line) => void (written += line) })
  expectForAll(anyText, RUNS, (text) => {
    written = ''
    log.info({ text, [text.slice(0, 20)]: 1, err: new Error(text) }, text)
    if (!/^[^\n\r]+\n$/.test(written)) throw new Error('not one line')
    JSON.parse(written)
  })
})
