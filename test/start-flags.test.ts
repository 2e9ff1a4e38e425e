import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { startFlags } from './support/start-command.ts'

/** What V8 tells by whether compiled code fits it: version, processor, and nearly every flag. */
const TAG = ['--print', `require('node:v8').cachedDataVersionTag()`]

it('the bot is started with no flag for which Node would have to compile all of its own code anew', () => {
  const tag = (flags: readonly string[]): string => execFileSync(process.execPath, [...flags, ...TAG]).toString()
  expect(tag(startFlags())).toBe(tag([]))
})
