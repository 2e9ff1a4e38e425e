import { describe, expect, it, test } from 'vitest'
import { readSettings, SECRET_SETTINGS, listSecrets, Settings, SettingsError } from '../../src/config/settings.ts'

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

/** For each setting, values it takes and values it does not. Needed settings have no default. */
const CASES: Readonly<Record<keyof typeof Settings.shape, { good: readonly string[]; bad: readonly string[] }>> = {
  SLACK_BOT_TOKEN: { good: ['xoxb-1'], bad: ['xoxp-hush', 'xoxb-', 'xoxb-a hush', 'xapp-hush'] },
  SLACK_APP_TOKEN: { good: ['xapp-1'], bad: ['xoxb-hush', 'xapp-', 'xapp-hü-hush'] },
  SLACK_SIGNING_SECRET: { good: [], bad: ['only-15-hush-xx', 'sixteen or more hush'] },
  PORT: { good: ['3000', '127.0.0.1:3000'], bad: ['hush', '65536'] },
  SLACK_TEAM_ID: { good: ['T0123456789'], bad: ['E0123456789', 'hush', 't01hush'] },
  SLACK_API_URL: {
    good: ['https://slack.example/api', 'http://127.0.0.1:1/api/'],
    bad: ['http://hush.example', 'hush'],
  },
  CDN_API_URL: {
    good: ['https://a.example', 'http://localhost:3000/x', 'http://127.1', 'http://[::1]:80'],
    bad: [
      'http://a.example/hush',
      'ftp://hush',
      'https://u:hush@a.example',
      'https://a.example/?key=hush',
      'https://a/#hush',
      'hush',
      'https://',
    ],
  },
  CDN_LOGGING_URL: { good: ['https://l.example/'], bad: ['http://localhost.example/hush', 'http://10.0.0.1/hush'] },
  CDN_API_KEY: { good: ['any-key=with.signs'], bad: ['two hush', 'line\nhush', 'hüsh-hush'] },
  CDN_BEARER_TOKEN: { good: [], bad: ['two hush'] },
  CDN_PANEL_URL: {
    good: ['https://p.example/{place}/{id}', 'https://p.example/#/{id}'],
    bad: ['https://p.example/hush', '/hush/{id}', 'javascript:hush({id})', '{id}'],
  },
  STORE_URL: {
    good: ['./data.sqlite', '/var/lib/x.sqlite', 'postgres://u:p@db/x', 'postgresql://db/x'],
    bad: ['mysql://u:hush@db/x', 'Postgres://u:hush@db', 'http://hush', 'postgres://u:hush@:x'],
  },
  ALERT_WEBHOOK_URL: {
    good: ['https://hooks.example/a?token=b', 'http://127.0.0.1:9/hook'],
    bad: ['http://hooks.example/hush', 'https://u:hush@hooks.example', 'https://hooks.example/#hush', 'hush'],
  },
  ALERT_ROUTING_KEY: { good: [], bad: ['a hush', 'hush\u00e9'] },
  HEARTBEAT_URL: { good: ['https://beats.example/a-b-c'], bad: ['http://beats.example/hush', 'beats.example/hush'] },
  AUDIT_KEY: { good: ['0123456789abcdef'], bad: ['only-15-hush-xx', 'sixteen or more hush'] },
  OPS_CHANNEL: { good: ['C0123456789', 'G0123456789'], bad: ['#hush', 'U0123456789', 'D0123456789'] },
  COMMAND: { good: ['/cdn', '/cdn-2_x'], bad: ['cdn', '/CDN', '/', '/a b', `/${'x'.repeat(32)}`] },
  ADMINS: {
    good: ['U0123456789', 'U0123456789, W0123456789 U1234'],
    bad: ['@hush', 'U0123456789;U1', '*', 'U01,'.repeat(1_001)],
  },
  OPERATORS: { good: ['U0123456789'], bad: ['hush', 'u0123456789'] },
  VIEWERS: { good: ['*', 'U0123456789'], bad: ['hush', '*,U0123456789', '**'] },
  CONFIG_FILE: { good: ['./cdn-ops.yaml', '/etc/cdn-ops.yaml'], bad: [] },
  // Each is a file that is not there.
  ENV_FILE: { good: [], bad: ['hush.env'] },
  CHANGE_LEASE: { good: ['2', '60', '3600'], bad: ['1', '3601', '60s-hush', '1.5', '-60', '1e3'] },
  MARK_RECORDS: { good: ['on', 'off'], bad: ['hush', 'true', 'ON'] },
  HEALTH_PORT: {
    good: ['8080', '127.0.0.1:8080', '[::1]:80', 'localhost:1'],
    bad: ['hush', '65536', ':8080', '8080/x', '-1', '[::1]'],
  },
  LOG_LEVEL: { good: ['debug', 'silent'], bad: ['hush', 'INFO'] },
  CDN_V1_PATH: {
    good: ['/{YYYY}/{MM}/{DD}/{pullZoneId}.log'],
    bad: ['{MM}{DD}{pullZoneId}', '/hush', '/{MM}/{DD}/{pullZoneId}/{0123456789-a-hush}'],
  },
  CDN_V2_PAGING: { good: ['limit', 'returned'], bad: ['hush'] },
  CDN_LOG_FIELDS: { good: ['cacheStatus,url', 'url , cacheStatus'], bad: ['hush', 'url,hush', 'url,,'] },
  CDN_FIELD_ALIASES: { good: ['Their=Ours,A=B'], bad: ['hush', 'A=', 'A=B=C', '1A=B'] },
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

  test.each(names.flatMap((name) => CASES[name].bad.map((value) => ({ name, value }))))(
    'names itself and quotes nothing when it is wrong: $name=$value',
    ({ name, value }) => {
      const key = name === 'CDN_BEARER_TOKEN' ? { CDN_API_KEY: undefined } : neighbours(name)
      const { problems, message, nothingSet } = failure({ ...key, [name]: value })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(new RegExp(`^${name} [a-z].{10,}\\.$`))
      expect(`${problems.join('\n')} ${message}`).not.toMatch(/hush/i)
      expect(nothingSet).toBe(false)
    },
  )

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

  it('is all that is spoken of where it cannot be read', () => {
    expect(failure({ ...given, COMMAND: 'wrong' }).problems).toEqual(['ENV_FILE names a file that cannot be read.'])
  })
})

describe('all settings together', () => {
  it('have defaults but for the five that nobody can guess', () => {
    const settings = read()
    expect(settings).toMatchObject({
      COMMAND: '/cdn',
      LOG_LEVEL: 'info',
      STORE_URL: './.data/cdn-ops.sqlite',
      ADMINS: new Set(),
      VIEWERS: new Set(),
    })
    expect(settings.SLACK_API_URL.href).toBe('https://slack.com/api/')
    expect(settings.CDN_LOGGING_URL.href).toBe('https://logs.example.com/base/')
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
    // Some hosts set a port by themselves.
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
      CDN_LOG_FIELDS: 'url,cacheStatus',
      CDN_FIELD_ALIASES: 'A=B, C=D',
    })
    expect(settings.HEALTH_PORT).toEqual({ host: '::1', port: 81 })
    expect(read({ HEALTH_PORT: '81' }).HEALTH_PORT).toEqual({ host: '0.0.0.0', port: 81 })
    expect(settings.CDN_PANEL_URL?.('dns-zone', 7n)?.href).toBe('https://p.example/dns-zone/7?z=7')
    expect(settings.CDN_PANEL_URL?.('dns-zone')?.href).toBe('https://p.example/')
    expect(settings.CDN_LOG_FIELDS.toSorted()).toEqual(['cacheStatus', 'url'])
    expect(settings.CDN_FIELD_ALIASES).toEqual({ A: 'B', C: 'D' })
  })
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
    expect(listSecrets(read())).toEqual(['xoxb-1-hush', 'xapp-1-hush', 'key-hush'])
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
