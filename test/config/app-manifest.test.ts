import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { cliManifest, httpManifest } from '../../src/config/app-manifest.ts'
import { REQUEST_PATH } from '../../src/slack/gateway/http-receiver.ts'
import { rawManifest } from '../support/slack-scopes.ts'

const text = readFileSync('manifest.yml', 'utf8')
const made = (address: string): unknown => parse(httpManifest(text, address))
const URL_OF_BOT = `https://bot.example.com${REQUEST_PATH}`

function schemaErrors(manifest: unknown): unknown {
  const schema = JSON.parse(readFileSync('test/fixtures/slack-manifest.schema.json', 'utf8')) as object // a schema is an object
  const validate = new Ajv({ strict: false, allErrors: true, logger: false }).compile(schema)
  return validate(manifest) ? [] : validate.errors
}

describe('the manifest for the Slack CLI', () => {
  it('is JSON that Slack’s schema allows, and else the one for links but that an organisation can take it', () => {
    const manifest: unknown = JSON.parse(cliManifest(text))
    const links = rawManifest() as { settings: object } // as it is written
    expect(manifest).toEqual({ ...links, settings: { ...links.settings, org_deploy_enabled: true } })
    expect(schemaErrors(manifest)).toEqual([])
  })
})

describe('the manifest for requests over HTTP', () => {
  it('names one address for everything that Slack sends, and is else the one for links', () => {
    const links = rawManifest() as Record<'features' | 'settings', Record<string, object>> // as it is written
    const { features, settings } = links
    expect(made('https://bot.example.com')).toEqual({
      ...links,
      features: {
        ...features,
        slash_commands: (features['slash_commands'] as object[]).map((command) => ({ ...command, url: URL_OF_BOT })),
      },
      settings: {
        ...settings,
        event_subscriptions: { ...settings['event_subscriptions'], request_url: URL_OF_BOT },
        interactivity: { is_enabled: true, request_url: URL_OF_BOT, message_menu_options_url: URL_OF_BOT },
        socket_mode_enabled: false,
      },
    })
  })

  it('is what Slack’s schema allows', () => expect(schemaErrors(made('https://bot.example.com'))).toEqual([]))

  it.each([
    'https://bot.example.com/',
    `https://bot.example.com${REQUEST_PATH}`,
    `https://bot.example.com${REQUEST_PATH}/`,
  ])('takes the address with or without the path: %s', (address) =>
    expect(made(address)).toEqual(made('https://bot.example.com')),
  )

  it('keeps a path before it', () => {
    expect(httpManifest(text, 'https://example.com/bots/cdn')).toContain(`https://example.com/bots/cdn${REQUEST_PATH}`)
  })

  it.each([
    '',
    'bot.example.com',
    'http://bot.example.com',
    'https://a:b@bot.example.com',
    'https://a.example/?x',
    'ftp://a',
  ])('takes no other address: %j', (address) => expect(() => made(address)).toThrow(/https:/))
})
