import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { Settings } from '../src/config/settings.ts'
import { OPERATIONS } from '../src/operations/index.ts'
import { FEATURE_SCOPES, manifest, METHOD_SCOPES, rawManifest, SCOPE_REASONS } from './support/slack-scopes.ts'
import { sourceFiles } from './support/source-imports.ts'

/** Slack's own JSON Schema of app manifests, transcribed from the one it publishes. */
const validate = new Ajv({ strict: false, allErrors: true, logger: false }).compile(
  JSON.parse(readFileSync('test/fixtures/slack-manifest.schema.json', 'utf8')) as object, // A schema is an object.
)
const slack = sourceFiles('src/slack')
const calls = slack.flatMap(({ code }) =>
  [...code.matchAll(/\.call\(\s*'\w+',\s*'([\w.]+)'/g)].map(([, name = '']) => name),
)
const { features, oauth_config: oauth, settings } = manifest()

describe('the manifest', () => {
  it('is what Slack’s schema allows', () => {
    expect(validate(rawManifest()) ? [] : validate.errors).toEqual([])
  })

  it('is refused with a key that Slack does not know, which shows that the schema is looked at', () => {
    expect(validate({ ...(rawManifest() as object), surprise: true })).toBe(false)
  })

  it('has the command that the bot answers to, with what is written escaped', () => {
    const [command] = features.slash_commands
    expect(features.slash_commands).toHaveLength(1)
    expect(command?.command).toBe(Settings.shape.COMMAND.parse(undefined))
    expect(command?.should_escape).toBe(true)
  })

  it('hints at every noun that can be typed', () => {
    const [command] = features.slash_commands
    const hinted = command?.usage_hint.match(/\w+/g)
    const nouns = new Set(OPERATIONS.map(({ name }) => name.split(' ')[0] ?? ''))
    expect([...nouns].filter((noun) => hinted?.includes(noun) !== true)).toEqual([])
  })

  it('speaks Socket Mode with interactivity, to one workspace, and lets people be written to', () => {
    expect(settings).toMatchObject({
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    })
    expect(features.app_home).toMatchObject({ messages_tab_enabled: true, messages_tab_read_only_enabled: false })
  })

  it('subscribes to exactly the events that are listened to', () => {
    const heard = slack.flatMap(({ code }) => [...code.matchAll(/\.event\(\s*'(\w+)'/g)].map(([, name = '']) => name))
    // Of messages only those to the bot itself.
    const named = heard.map((name) => (name === 'message' ? 'message.im' : name))
    expect(settings.event_subscriptions.bot_events).toEqual([...new Set(named)].toSorted())
  })

  it('has a Home page where the bot draws one', () => {
    expect(features.app_home.home_tab_enabled).toBe(calls.includes('views.publish'))
  })

  it('has shortcuts where the bot takes them, each for an operation with a form', () => {
    const taken = slack.some(({ path, code }) => path === 'listeners.ts' && code.includes('operationOfShortcut('))
    expect(features.shortcuts.length > 0).toBe(taken)
    const names = features.shortcuts.map((shortcut) => shortcut.callback_id.replaceAll('_', ' '))
    const withForm = new Set(OPERATIONS.filter(({ form }) => form !== undefined).map(({ name }) => name))
    expect(names.filter((name) => !withForm.has(name))).toEqual([])
  })

  it('asks for exactly the scopes that the methods called need, each with its reason', () => {
    const needed = calls.flatMap((method) => METHOD_SCOPES[method] ?? [`unknown: ${method}`])
    const wanted = new Set([...Object.keys(FEATURE_SCOPES), ...needed])
    expect(oauth.scopes.bot.toSorted()).toEqual([...wanted].toSorted())
    expect(Object.keys(SCOPE_REASONS).toSorted()).toEqual([...wanted].toSorted())
  })

  it('lets whoever installs it leave out what the bot can do without', () => {
    expect(oauth.scopes.bot_optional).toEqual(['files:write', 'usergroups:read'])
    expect(oauth.scopes.bot).toEqual(expect.arrayContaining(oauth.scopes.bot_optional))
    for (const scope of oauth.scopes.bot) {
      const isOptional = oauth.scopes.bot_optional.includes(scope)
      expect(SCOPE_REASONS[scope]?.startsWith('Optional: ')).toBe(isOptional)
    }
  })

  it('knows every call: each names its method where it is made', () => {
    const made = slack.flatMap(({ code }) => code.match(/\bapi\.call\(/g) ?? [])
    expect(calls).toHaveLength(made.length)
    expect(new Set(calls)).toEqual(new Set(Object.keys(METHOD_SCOPES)))
    const past = slack.filter(({ path, code }) => path !== 'out/web-api.ts' && /\bapiCall\(|\bWebClient\(/.test(code))
    expect(past.map(({ path }) => path)).toEqual([])
  })
})
