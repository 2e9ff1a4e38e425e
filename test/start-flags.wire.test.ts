import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { startFlags } from './support/start-command.ts'

/** What V8 tells by whether compiled code fits it: version, processor, and nearly every flag. */
const TAG = ['--print', `require('node:v8').cachedDataVersionTag()`]

it('the bot is started with no flag for which Node would have to compile all of its own code anew', () => {
  const tag = (flags: readonly string[]): string => execFileSync(process.execPath, [...flags, ...TAG]).toString()
  expect(tag(startFlags())).toBe(tag([]))
})

const ADDRESS = 'an address such as https://bot.example.com, without anything behind its path.'
it.each([
  ['playground --help', 78, /^npm run playground takes no options\.\n$/],
  ['tour a b', 78, /^npm run tour takes no options\.\n$/],
  ['manifest', 0, /^display_information:|^#|^_metadata:/],
  ['manifest --http https://bot.example.com', 0, /https:\/\/bot\.example\.com\/slack\/events/],
  ['manifest --http https://bot.example.com x', 78, /^Give nothing, or: --http <address of the bot>\n$/],
  ['manifest --https', 78, /^Give nothing, or: --http <address of the bot>\n$/],
  ['manifest --http', 78, new RegExp(`${ADDRESS}\\n$`)],
  ['audit --help', 0, /^Checks the audit log/],
  ['backtest --help', 0, /^Tells what/],
  ['doctor --help', 0, /^Checks how the bot is set up/],
  ['slack-cli', 78, /^The Slack CLI asks for one of: doctor, get-manifest, start\.\n$/],
  ['slack-cli get-manifest', 0, /^\{.*"org_deploy_enabled":true/],
  ['slack-cli doctor', 0, /^\{"versions":\[\{"name":"CDN Ops"/],
  [
    'bot',
    78,
    /^There is no “bot”\. Run without an argument .*: audit, backtest, doctor, live-check, manifest, playground, tour\.\n$/,
  ],
])('with “%s” it ends with %i, and says so', (args, status, says) => {
  const run = spawnSync(process.execPath, ['src/main.ts', ...args.split(' ')], { encoding: 'utf8', timeout: 5_000 })
  expect(run).toMatchObject({ status, [status === 0 ? 'stdout' : 'stderr']: expect.stringMatching(says) as string })
  expect(run[status === 0 ? 'stderr' : 'stdout']).toBe('')
})
