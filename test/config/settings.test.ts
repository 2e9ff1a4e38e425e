import { describe, expect, it, test } from 'vitest'
import { LOG_FIELDS } from '../../src/cdn/contract/log-entry.ts'
import {
  listSecrets,
  readSettings,
  readSlackSettings,
  SECRET_SETTINGS,
  Settings,
  SettingsError,
} from '../../src/config/settings.ts'
import { Secret } from '../../src/shared/secret.ts'
import { CASES } from './setting-cases.ts'

type Variables = Readonly<Record<string, string | undefined>>

const NEEDED: Variables = {
  SLACK_BOT_TOKEN: 'xoxb-1-hush',
  SLACK_APP_TOKEN: 'xapp-1-hush',
  CDN_API_URL: 'https://api.example.com',
  CDN_LOGGING_URL: 'https://logs.example.com/base',
  CDN_API_KEY: 'key-hush',
}
const noFiles = (): string => {
  throw new Error('There are no files')
}
const read = (more: Variables = {}, readFile: (path: string) => string = noFiles) =>
  readSettings({ variables: { ...NEEDED, ...more }, readFile })

function failure(more: Variables, readFile: (path: string) => string = noFiles): SettingsError {
  try {
    read(more, readFile)
  } catch (error) {
    if (error instanceof SettingsError) return error
    throw error
  }
  throw new Error('The settings were taken')
}

/** What a setting needs beside it: the other way to Slack, or an address. */
function neighbours(name: string): Variables {
  if (name === 'ALERT_ROUTING_KEY') return { ALERT_WEBHOOK_URL: 'https://hooks.example' }
  return name === 'SLACK_SIGNING_SECRET' ? { SLACK_APP_TOKEN: undefined, PORT: '3000' } : {}
}
const names = Object.keys(Settings.shape) as (keyof typeof Settings.shape)[] // the keys of this very object

describe('each setting', () => {
  test.each(names.flatMap((name) => CASES[name].good.map((value) => ({ name, value }))))(
    'takes what is right: $name=$value',
    ({ name, value }) => {
      expect(read({ [name]: ` ${value} ` })[name]).toBeDefined()
    },
  )

  test.each(
    names.flatMap((name) =>
      Object.entries(CASES[name].bad).flatMap(([says, values]) => values.map((value) => ({ name, value, says }))),
    ),
  )('names itself and quotes nothing when it is wrong: $name=$value', ({ name, value, says }) => {
    const key = name === 'CDN_BEARER_TOKEN' ? { CDN_API_KEY: undefined } : neighbours(name)
    const { problems, message, nothingSet } = failure({ ...key, [name]: value })
    expect(problems).toEqual([`${name} ${says}.`])
    expect(`${problems.join('\n')} ${message}`).not.toMatch(/hush/i)
    expect(nothingSet).toBe(false)
  })

  it('is explained', () => {
    for (const name of names) expect(`${name}: ${Settings.shape[name].description}`).toMatch(/: [`A-Z].{10,}[.`]$/)
  })
})

describe('a file of settings', () => {
  const FILE = '# ours\nCOMMAND=/ops\nLOG_LEVEL=debug\nCDN_API_KEY_FILE=secrets/key\nADMINS="U0123456789"\n'
  const files: Readonly<Record<string, string>> = { 'cdn-ops.env': FILE, 'secrets/key': 'key-of-file\n' }
  const readFile = (path: string): string => files[path] ?? noFiles()
  const given: Variables = { ENV_FILE: 'cdn-ops.env', CDN_API_KEY: undefined }

  it('gives what the environment does not have, also names of files', () => {
    const settings = read({ ...given, LOG_LEVEL: 'warn', COMMAND: ' ' }, readFile)
    expect(settings).toMatchObject({ COMMAND: '/ops', LOG_LEVEL: 'warn', ADMINS: new Set(['U0123456789']) })
    expect(settings.CDN_API_KEY?.reveal()).toBe('key-of-file')
  })

  it('may begin with the mark that editors write before UTF-8', () => {
    const marked = (): string => '\uFEFFCOMMAND=/ops\r\n'
    expect(read({ ENV_FILE: 'cdn-ops.env' }, marked).COMMAND).toBe('/ops')
  })

  it('is all that is spoken of where it cannot be read', () => {
    expect(failure({ ...given, COMMAND: 'wrong' }).problems).toEqual(['ENV_FILE names a file that cannot be read.'])
  })
})

describe('all settings together', () => {
  it('have defaults but for the five that nobody can guess', () => {
    const settings = read()
    expect(settings).toEqual({
      SLACK_BOT_TOKEN: new Secret('xoxb-1-hush'),
      SLACK_APP_TOKEN: new Secret('xapp-1-hush'),
      CDN_API_KEY: new Secret('key-hush'),
      CDN_API_URL: new URL('https://api.example.com'),
      CDN_LOGGING_URL: new URL('https://logs.example.com/base/'),
      SLACK_API_URL: new URL('https://slack.com/api/'),
      STORE_URL: './.data/cdn-ops.sqlite',
      COMMAND: '/cdn',
      ADMINS: new Set(),
      OPERATORS: new Set(),
      VIEWERS: new Set(),
      CHANGE_LEASE: 60,
      MARK_RECORDS: 'on',
      LOG_LEVEL: 'info',
      CDN_V1_PATH: '/{MM}-{DD}-{YY}/{pullZoneId}.log',
      CDN_V2_PAGING: 'limit',
      CDN_LOG_FIELDS: LOG_FIELDS,
      CDN_FIELD_ALIASES: {},
    })
    expect(JSON.stringify(settings)).not.toContain('hush')
  })

  it('that are missing are all named at once, each with what it is for', () => {
    const { problems, nothingSet } = failure({ CDN_API_URL: '', SLACK_BOT_TOKEN: undefined, CDN_API_KEY: ' ' })
    expect(problems).toEqual([
      'SLACK_BOT_TOKEN is not set. Bot token of the Slack app.',
      'CDN_API_URL is not set. Base address of the CDN’s management interface.',
      'CDN_API_KEY is not set (nor is CDN_BEARER_TOKEN): set one of them.',
    ])
    expect(nothingSet).toBe(false)
  })

  it('that are not there at all are somebody looking for the first time', () => {
    const nothing = Object.fromEntries(Object.keys(NEEDED).map((name) => [name, undefined]))
    expect(failure(nothing)).toMatchObject({ nothingSet: true, problems: { length: 5 } })
    expect(failure({ ...nothing, CDN_API_KEY_FILE: '/run/key' }).nothingSet).toBe(false)
    expect(failure({ ...nothing, COMMAND: '/cdn' }).nothingSet).toBe(false)
  })

  it('hold a routing key only with the address that it is for', () => {
    expect(failure({ ALERT_ROUTING_KEY: 'hush' }).problems).toEqual([
      'ALERT_ROUTING_KEY is set without ALERT_WEBHOOK_URL, which it is for: set both.',
    ])
  })

  it('hold one credential for the platform', () => {
    expect(failure({ CDN_BEARER_TOKEN: 'token-hush' }).problems).toEqual([
      'CDN_API_KEY and CDN_BEARER_TOKEN are both set: keep the one that is meant.',
    ])
    expect(read({ CDN_API_KEY: undefined, CDN_BEARER_TOKEN: 'token-hush' }).CDN_BEARER_TOKEN?.reveal()).toBe(
      'token-hush',
    )
  })

  it('hold one way to Slack: a token for links, or a secret and a port for requests', () => {
    const SLACK_SIGNING_SECRET = '0123456789abcdef-hush'
    expect(failure({ SLACK_SIGNING_SECRET, PORT: '3000' }).problems).toEqual([
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: keep the one that is meant.',
    ])
    expect(failure({ SLACK_APP_TOKEN: undefined }).problems).toEqual([
      'SLACK_APP_TOKEN is not set (nor is SLACK_SIGNING_SECRET): set one of them.',
    ])
    expect(failure({ SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET }).problems).toEqual([
      'PORT is not set: requests that SLACK_SIGNING_SECRET signs need a port.',
    ])
    const settings = read({ SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET, PORT: '3000' })
    expect([settings.SLACK_SIGNING_SECRET?.reveal(), settings.PORT?.port]).toEqual([SLACK_SIGNING_SECRET, 3_000])
    const overHttp = { SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET }
    for (const [PORT, HEALTH_PORT] of [
      ['8080', '8080'],
      ['127.0.0.1:8080', '8080'],
      ['8080', '[::1]:8080'],
      ['localhost:8080', 'localhost:8080'],
    ])
      expect(failure({ ...overHttp, PORT, HEALTH_PORT }).problems).toEqual([
        'PORT and HEALTH_PORT are the same port: give each its own. HEALTH_PORT is 8080 in a container unless it is set.',
      ])
    for (const [PORT, HEALTH_PORT] of [
      ['8080', '8081'],
      ['127.0.0.1:8080', '127.0.0.2:8080'],
      ['0', '0'],
    ])
      expect(read({ ...overHttp, PORT, HEALTH_PORT }).HEALTH_PORT).toBeDefined()
    // Some hosts set a port by themselves.
    expect(read({ PORT: '8080', HEALTH_PORT: '8080' }).PORT?.port).toBe(8_080)
    expect(read({ PORT: '3000' }).SLACK_APP_TOKEN?.reveal()).toBe('xapp-1-hush')
  })

  it('hold no placeholder that nothing fills, and all that are needed', () => {
    const told = (more: Variables) => failure(more).problems
    const known = 'known are {YYYY}, {YY}, {MM}, {DD}, {pullZoneId}.'
    expect(told({ CDN_V1_PATH: '/{pullZoneId}/{foo}' })).toEqual([
      'CDN_V1_PATH is not a path with {MM}, {DD} and {pullZoneId} in it.',
      `CDN_V1_PATH has {foo} in it, which nothing fills: ${known}`,
    ])
    expect(told({ CDN_V1_PATH: '/{MM}-{DD}-{YY/{pullZoneId}' })).toEqual([
      `CDN_V1_PATH has {YY in it, which nothing fills: ${known}`,
    ])
    expect(told({ CDN_PANEL_URL: 'https://p.example/{zone}/{id}' })).toEqual([
      'CDN_PANEL_URL has {zone} in it, which nothing fills: known are {place}, {id}.',
    ])
  })

  it('hold addresses, templates and lists in the form the program uses', () => {
    const settings = read({
      HEALTH_PORT: '[::1]:81',
      CDN_PANEL_URL: 'https://p.example/{place}/{id}?z={id}',
      CDN_LOG_FIELDS: 'url,statusCode,cacheStatus,timestamp',
      CDN_FIELD_ALIASES: 'A=B, C=D',
    })
    expect(settings.HEALTH_PORT).toEqual({ host: '::1', port: 81 })
    expect(read({ HEALTH_PORT: '81' }).HEALTH_PORT).toEqual({ host: '0.0.0.0', port: 81 })
    expect(settings.CDN_PANEL_URL?.('dns-zone', 7n)?.href).toBe('https://p.example/dns-zone/7?z=7')
    expect(settings.CDN_PANEL_URL?.('dns-zone')?.href).toBe('https://p.example/')
    const noFront = read({ CDN_PANEL_URL: 'https://{place}.p.example/{id}' }).CDN_PANEL_URL
    expect([noFront?.('dns-zone', 7n)?.href, noFront?.('dns-zone')]).toEqual([
      'https://dns-zone.p.example/7',
      undefined,
    ])
    expect(settings.CDN_LOG_FIELDS.toSorted()).toEqual(['cacheStatus', 'statusCode', 'timestamp', 'url'])
    expect(settings.CDN_FIELD_ALIASES).toEqual({ A: 'B', C: 'D' })
  })
})

it('a tool that only speaks with Slack needs its two tokens, and nothing else that is right', () => {
  const given = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', CDN_API_URL: 'wrong' }
  const take = (variables: Variables) => readSlackSettings({ variables, readFile: noFiles })
  expect(take(given)).toMatchObject({ COMMAND: '/cdn', SLACK_API_URL: new URL('https://slack.com/api/') })
  expect(() => take({ ...given, SLACK_APP_TOKEN: undefined })).toThrow(SettingsError)
})

const VALUES: Variables = { ALERT_WEBHOOK_URL: 'https://a.example/hook', HEARTBEAT_URL: 'https://a.example/beat' }

describe('a secret in a file', () => {
  test.each(SECRET_SETTINGS.filter((name) => name !== 'CDN_BEARER_TOKEN'))(
    'stands for %s, its line end left out',
    (name) => {
      const value = NEEDED[name] ?? VALUES[name] ?? '0123456789abcdef'
      const settings = read(
        { ...neighbours(name), [name]: undefined, [`${name}_FILE`]: ' /run/it ' },
        (path) => `${value}\n${path === '/run/it' ? '' : 'x'}`,
      )
      const given = settings[name]
      expect(typeof given === 'string' ? given : given?.reveal()).toBe(value)
    },
  )

  it('is refused beside the setting itself, and nothing else is said of it', () => {
    expect(failure({ CDN_API_KEY_FILE: '/run/hush' }).problems).toEqual([
      'CDN_API_KEY and CDN_API_KEY_FILE are both set: keep one.',
    ])
    expect(read({ CDN_API_KEY_FILE: ' ' }).CDN_API_KEY?.reveal()).toBe('key-hush')
  })

  it.each(['SLACK_BOT_TOKEN', 'CDN_API_KEY'])(
    'is the one thing wrong with %s when it is empty or unreadable',
    (name) => {
      const more = { [name]: undefined, [`${name}_FILE`]: '/run/it' }
      expect(failure(more, () => '\n').problems).toEqual([`${name}_FILE names an empty file.`])
      expect(failure(more).problems).toEqual([`${name}_FILE names a file that cannot be read.`])
    },
  )
})

describe('what must not reach a log', () => {
  it('is every secret that is set', () => {
    const AUDIT_KEY = '0123456789abcdef'
    const addresses = ['https://a.example/hook', 'https://a.example/beat']
    const [ALERT_WEBHOOK_URL, HEARTBEAT_URL] = addresses
    const more = { AUDIT_KEY, ALERT_WEBHOOK_URL, HEARTBEAT_URL, ALERT_ROUTING_KEY: 'routing' }
    const secrets = ['xoxb-1-hush', 'xapp-1-hush', 'key-hush', AUDIT_KEY, addresses[0], 'routing', addresses[1]]
    expect(listSecrets(read(more))).toEqual(secrets)
    const others = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: AUDIT_KEY, PORT: '1', CDN_API_KEY: '' }
    expect(listSecrets(read({ ...others, CDN_BEARER_TOKEN: 'bearer' }))).toEqual(['xoxb-1-hush', AUDIT_KEY, 'bearer'])
  })
  it.each([
    ['postgres://cdn:p%40ss%2dword@db.example/x', ['p@ss-word', 'p%40ss%2dword']],
    ['postgres://db.example/x?user=cdn&password=p%40ss%2dword&ssl=1', ['p@ss-word', 'p%40ss%2dword']],
    [
      'postgres://cdn:plus+word@db.example/x?sslmode=on&%70assword=two+words',
      ['plus+word', 'plus%2Bword', 'two words', 'two+words'],
    ],
    ['postgres://cdn@db.example/x', []],
    ['./.data/cdn-ops.sqlite', []],
    ['postgres://cdn:100%-sure@db.example/x', ['100%-sure']],
  ])('of %s the password, if there is one', (url, passwords) => {
    expect(listSecrets(read({ STORE_URL: url })).slice(3)).toEqual(passwords)
  })
})
