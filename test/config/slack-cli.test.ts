import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SettingsError } from '../../src/config/settings.ts'
import { cliVersions, keptInDemonstration, lacksCdn, withCliTokens } from '../../src/config/slack-cli.ts'

const FILES: Readonly<Record<string, string>> = {
  'cdn.env': 'CDN_API_KEY=key\nOPS_CHANNEL=C0123456789\n',
  'slack.env': 'SLACK_TEAM_ID=T0123456789\nSTORE_URL=real.sqlite\n',
}
const readFile = (path: string): string => {
  const text = FILES[path]
  if (text === undefined) throw new Error('ENOENT')
  return text
}

describe('tokens that the Slack CLI gives', () => {
  it('count before those of the settings, and where it gives none these stay', () => {
    const own = { SLACK_BOT_TOKEN: 'xoxb-own', SLACK_APP_TOKEN: 'xapp-own', OTHER: 'x' }
    expect(withCliTokens(own)).toEqual(own)
    expect(withCliTokens({ ...own, SLACK_CLI_XOXB: 'xoxb-cli', SLACK_CLI_XAPP: '' })).toMatchObject({
      SLACK_BOT_TOKEN: 'xoxb-cli',
      SLACK_APP_TOKEN: 'xapp-own',
      OTHER: 'x',
    })
  })
})

describe('a demonstration', () => {
  it.each<[Readonly<Record<string, string>>, boolean]>([
    [{}, true],
    [{ CDN_API_URL: ' ', CDN_API_KEY: '' }, true],
    [{ CDN_PANEL_URL: 'https://panel.example/{id}' }, true],
    [{ CDN_API_URL: 'https://api.example' }, false],
    [{ CDN_LOGGING_URL: 'https://logs.example' }, false],
    [{ CDN_API_KEY: 'key' }, false],
    [{ CDN_BEARER_TOKEN_FILE: 'secrets/token' }, false],
    [{ ENV_FILE: 'cdn.env' }, false],
    [{ ENV_FILE: 'slack.env' }, true],
  ])('is for where no setting of a CDN is there: %j', (variables, lacks) => {
    expect(lacksCdn({ variables, readFile })).toBe(lacks)
  })

  it('is none where nobody can tell', () => {
    expect(() => lacksCdn({ variables: { ENV_FILE: 'gone.env' }, readFile })).toThrow(SettingsError)
  })

  it('has nothing to do with the store, the webhook and the rules of a real one', () => {
    const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_API_URL: 'http://127.0.0.1:1', OPS_CHANNEL: 'C0123456789' }
    const real = { ALERT_WEBHOOK_URL: 'https://a.example', CONFIG_FILE: 'cdn-ops.yaml', AUDIT_KEY: 'k', HOME: '/' }
    const variables = { ...slack, ...real, OPERATORS: 'U1', ENV_FILE: 'slack.env' }
    expect(keptInDemonstration({ variables, readFile })).toEqual({ ...slack, SLACK_TEAM_ID: 'T0123456789' })
  })
})

describe('what slack doctor shows', () => {
  it('is versions, and that there will be a demonstration', () => {
    const text = readFileSync('package.json', 'utf8')
    const shown = (variables: Readonly<Record<string, string>>): unknown =>
      JSON.parse(cliVersions(text, '24.11.0', { variables, readFile }))
    expect(shown({})).toEqual({
      versions: [
        { name: 'CDN Ops', current: '0.1.0', message: expect.stringContaining('demonstration') },
        { name: 'Node', current: '24.11.0' },
        { name: '@slack/bolt', current: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      ],
    })
    expect(shown({ ENV_FILE: 'cdn.env' })).toMatchObject({ versions: [{ name: 'CDN Ops', current: '0.1.0' }, {}, {}] })
    expect(JSON.stringify(shown({ ENV_FILE: 'cdn.env' }))).not.toContain('message')
  })
})
