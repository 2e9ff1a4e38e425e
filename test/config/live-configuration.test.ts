import { describe, expect, it, test } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { type Configuration, readConfiguration } from '../../src/config/live-configuration.ts'
import { ConfigurationError } from '../../src/config/config-file.ts'
import { DEFAULT_POLICY } from '../../src/execution/policy/policy.ts'
import { NoticeBoard } from '../support/notice-board.ts'
import { recordingLog } from '../support/recording-log.ts'

const FILE = 'roles: {operator: {users: [U02]}}\nzones: [{kind: dns, id: 301, name: shop}]\napprovals: {count: 2}'
/** An empty setting counts as none. */
const NO_FILE = { path: '' }
const BAD = 'rolls: {}\nzones: nonsense'

/** A configuration from settings and a file whose text can be changed; undefined where it cannot be read. */
function configured(
  text: string | undefined,
  {
    path = '/etc/cdn-ops.yaml',
    opsChannel = 'COPS',
    more = {},
    isDemonstration = false,
  }: {
    readonly path?: string
    readonly opsChannel?: string
    readonly more?: Readonly<Record<string, string>>
    readonly isDemonstration?: boolean
  } = {},
) {
  const file = { text }
  const settings = readSettings({
    variables: {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      CDN_API_URL: 'https://api.example.com',
      CDN_LOGGING_URL: 'https://logs.example.com',
      CDN_API_KEY: 'key',
      ADMINS: 'U01',
      OPERATORS: 'U04',
      VIEWERS: 'U05',
      CONFIG_FILE: path,
      OPS_CHANNEL: opsChannel,
      ...more,
    },
    readFile: () => '',
  })
  const readFile = (asked: string): string => {
    if (asked !== path || file.text === undefined) throw new Error('ENOENT')
    return file.text
  }
  return { file, make: async () => readConfiguration(settings, readFile, isDemonstration) }
}

const said = ({ roles, file }: Configuration) => ({
  admins: [...roles.settings.admin.users],
  operators: [...roles.file.operator.users],
  viewers: [...roles.settings.viewer.users],
  quorum: file.policy.quorum.count,
  zones: file.zones.map(({ name }) => name),
})
const AS_IN_FILE = { admins: ['U01'], operators: ['U02'], viewers: ['U05'], quorum: 2, zones: ['shop'] }

describe('settings and configuration file together', () => {
  it('say who has which role, what takes whom, and how zones are called', async () => {
    const configuration = await configured(FILE).make()
    expect(said(configuration)).toEqual(AS_IN_FILE)
    // What people are told of a name, and whether they may remove it, hangs on where it comes from.
    expect(configuration.file.zones).toEqual([{ kind: 'dns', name: 'shop', zoneId: '301', managed: true }])
  })

  it('are the settings and the default policy where no file is named', async () => {
    const configuration = await configured(undefined, NO_FILE).make()
    expect(said(configuration)).toEqual({ ...AS_IN_FILE, operators: [], quorum: 1, zones: [] })
    expect(configuration.file.policy).toBe(DEFAULT_POLICY)
    const { alertRules, sharedChannels } = configuration.file
    expect([alertRules, sharedChannels, configuration.problems()]).toEqual([[], [], []])
  })

  it('have every full member as an operator in a demonstration, and else who is listed', async () => {
    const { operator } = (await configured(FILE).make()).roles.settings
    expect(operator).toMatchObject({ users: new Set(['U04']), everybody: false })
    const shown = await configured(FILE, { isDemonstration: true }).make()
    expect(shown.roles.settings.operator).toMatchObject({ users: new Set(), everybody: true })
  })

  it('say which alerts there are, where, and what would be wrong with the file now', async () => {
    const alerts = 'alerts: {sharedChannels: [C09], rules: [{kind: storage-change, channel: C01}]}'
    const { file, make } = configured(`${FILE}\n${alerts}`)
    const configuration = await make()
    expect(configuration.file.alertRules).toMatchObject([{ kind: 'storage-change', channelId: 'C01' }])
    expect([configuration.file.sharedChannels, configuration.problems()]).toEqual([['C09'], []])
    file.text = BAD
    expect(configuration.problems()).toHaveLength(2)
    expect(configuration.file.sharedChannels).toEqual(['C09'])
  })

  test.each([
    { what: 'has mistakes', text: BAD, count: 2 },
    { what: 'cannot be read', text: undefined, count: 1 },
  ])('cannot be begun with when the file $what: all of it is named', async ({ text, count }) => {
    const error = await configured(text)
      .make()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect((error as ConfigurationError).problems).toHaveLength(count)
  })
})

describe('what replicas have to agree on', () => {
  const hashOf = async (more = {}, text = FILE, path?: string) =>
    (await configured(text, { more, ...(path !== undefined && { path }) }).make()).hash

  test.each([
    ['ADMINS', 'U09'],
    ['OPERATORS', 'U09'],
    ['VIEWERS', '*'],
    ['SLACK_TEAM_ID', 'T0123456789'],
    ['CDN_API_URL', 'https://other.example.com'],
    ['CDN_LOGGING_URL', 'https://other.example.com'],
    ['CDN_API_KEY', 'another'],
    ['CDN_PANEL_URL', 'https://panel.example.com/{place}/{id}'],
    ['AUDIT_KEY', '0123456789abcdef'],
    ['OPS_CHANNEL', 'C09'],
    ['COMMAND', '/ops'],
    ['CHANGE_LEASE', '61'],
    ['MARK_RECORDS', 'off'],
    ['ALERT_WEBHOOK_URL', 'https://pager.example.com/x'],
    ['HEARTBEAT_URL', 'https://beat.example.com/x'],
    ['CDN_V1_PATH', '/{MM}/{DD}/{pullZoneId}'],
    ['CDN_V2_PAGING', 'returned'],
    ['CDN_LOG_FIELDS', 'timestamp,cacheStatus,statusCode'],
    ['CDN_FIELD_ALIASES', 'A=B'],
  ])('is %s', async (name, value) => {
    expect(await hashOf({ [name]: value })).not.toBe(await hashOf())
    expect(await hashOf()).toMatch(/^[0-9a-f]{16}$/)
  })

  test.each([
    ['SLACK_BOT_TOKEN', 'xoxb-2'],
    ['SLACK_APP_TOKEN', 'xapp-2'],
    ['SLACK_API_URL', 'https://slack.example.com'],
    ['PORT', '3000'],
    ['HEALTH_PORT', '8081'],
    ['STORE_URL', 'other.sqlite'],
    ['LOG_LEVEL', 'debug'],
  ])('is not %s', async (name, value) => {
    expect(await hashOf({ [name]: value })).toBe(await hashOf())
  })

  it('is not where the file is', async () => expect(await hashOf({}, FILE, '/other.yaml')).toBe(await hashOf()))

  it('is what the file says, and not how', async () => {
    expect(await hashOf({}, `# ours\n${FILE}`)).toBe(await hashOf())
    expect(await hashOf({}, FILE.replace('count: 2', 'count: 3'))).not.toBe(await hashOf())
  })
})

describe('reading the file again', () => {
  const listening = () => {
    const { log, lines } = recordingLog()
    return { log, lines, notifier: new NoticeBoard() }
  }

  it('takes all of it at once, and every change has another version', async () => {
    const { file, make } = configured(FILE)
    const configuration = await make()
    const { version } = configuration.file.policy
    file.text = FILE.replace('count: 2', 'count: 3').replace('U02', 'U03')
    const listeners = listening()
    await configuration.reload(listeners.log, listeners.notifier)
    expect(said(configuration)).toEqual({ ...AS_IN_FILE, operators: ['U03'], quorum: 3 })
    expect(configuration.file.policy.version).not.toBe(version)
    expect(listeners.lines.map(({ level }) => level)).toEqual(['info'])
    expect(listeners.notifier.in('COPS')).toEqual([
      'The configuration file was read again, and is in force. The rules have changed: what waits for approval under the older ones is cancelled.',
    ])
  })

  it('says nothing of requests that wait where the rules are what they were', async () => {
    const { file, make } = configured(`${FILE}\npolicies: [{decision: approve}, {decision: deny, operations: [logs]}]`)
    const configuration = await make()
    file.text = file.text?.replace('[U02]', '[U02, U03], groups: [S01]')
    const listeners = listening()
    await configuration.reload(listeners.log, listeners.notifier)
    const told = 'The configuration file was read again, and is in force.'
    expect(listeners.notifier.in('COPS')).toEqual([told])
    expect(JSON.stringify(listeners.notifier.posted[0]?.message.blocks)).toContain(told)
  })

  it('is nothing to tell of where no file is named', async () => {
    const listeners = listening()
    const configuration = await configured(undefined, NO_FILE).make()
    await configuration.reload(listeners.log, listeners.notifier)
    expect(listeners.notifier.posted).toEqual([])
    expect(listeners.lines).toMatchObject([
      { level: 'warn', sentence: expect.stringContaining('CONFIG_FILE names none') },
    ])
  })

  test.each([
    { what: 'with a mistake', text: BAD, told: /rolls/ },
    { what: 'half written', text: '', told: /holds nothing/ },
    { what: 'that cannot be read', text: undefined, told: /cannot be read/ },
  ])('changes nothing for one $what, and tells operators each of them', async ({ text, told }) => {
    const { file, make } = configured(FILE)
    const configuration = await make()
    file.text = text
    const listeners = listening()
    await configuration.reload(listeners.log, listeners.notifier)
    expect(said(configuration)).toEqual(AS_IN_FILE)
    const [line] = listeners.lines
    expect(line).toMatchObject({ level: 'error', fields: { problems: expect.any(Array) } })
    const [message] = listeners.notifier.in('COPS')
    expect(message).toMatch(/was not taken, so everything stays as it was\. Mend it, then send the signal again\./)
    expect(message).toMatch(told)
    expect(JSON.stringify(listeners.notifier.posted[0]?.message.blocks)).toMatch(told)
  })

  it('is logged where nobody can be told, and never fails because of it', async () => {
    const without = configured(FILE, { opsChannel: '' })
    const unwatched = await without.make()
    const nowhere = listening()
    for (const text of [BAD, FILE]) {
      without.file.text = text
      await unwatched.reload(nowhere.log, nowhere.notifier)
    }
    expect(nowhere.notifier.posted).toEqual([])
    const { file, make } = configured(FILE)
    const configuration = await make()
    file.text = BAD
    const archived = listening()
    archived.notifier.refusing.set('COPS', 'for good')
    await configuration.reload(archived.log, archived.notifier)
    file.text = FILE
    await configuration.reload(archived.log, archived.notifier)
    expect(archived.lines.map(({ sentence }) => sentence)).toEqual([
      'invalid configuration file: the previous one stays in force',
      'notice about the configuration could not be posted',
      'configuration file reloaded',
      'notice about the configuration could not be posted',
    ])
  })
})
