import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { startFlags } from './support/start-command.ts'

/** What V8 tells by whether compiled code fits it: version, processor, and nearly every flag. */
const TAG = ['--print', `require('node:v8').cachedDataVersionTag()`]

it('the bot is started with no flag for which Node would have to compile all of its own code anew', () => {
  const tag = (flags: readonly string[]): string => execFileSync(process.execPath, [...flags, ...TAG]).toString()
  expect(tag(startFlags())).toBe(tag([]))
})

it.each(['playground', 'tour'])('%s says how it is used, and takes no option', (mode) => {
  const run = (option: string) =>
    spawnSync(process.execPath, ['src/main.ts', mode, option], { encoding: 'utf8', timeout: 5_000 })
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('127.0.0.1:4600') as string })
  expect(run('--fast')).toMatchObject({
    status: 78,
    stderr: expect.stringMatching(/^There is no option “--fast”/) as string,
  })
})
