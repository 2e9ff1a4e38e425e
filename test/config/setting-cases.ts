import { LOG_FIELDS } from '../../src/cdn/contract/log-entry.ts'
import type { SettingName } from '../../src/config/settings.ts'

const PATH_PARTS = 'is not a path with {MM}, {DD} and {pullZoneId} in it'
const NO_KEY = 'holds spaces, line ends or other characters that no key has'
const NO_ADDRESS = 'is not an address such as https://api.example.com'
const PLAIN_HTTP = 'is http, which is taken only for this machine itself: use https'
const PERSON = 'holds a user name or password: take it out'
const QUERY = 'holds a query or fragment: take it out'
const PEOPLE = 'is not a list of at most 1000 Slack user ids such as U0123456789, separated by commas'
const PORT = 'is not a port such as 8080, or a host with a port'
const FIELDS = LOG_FIELDS.join(', ')
const COUNTED = 'cacheStatus,timestamp,statusCode'

interface Case {
  readonly good: readonly string[]
  /** By what is said of them. */
  readonly bad: Readonly<Record<string, readonly string[]>>
}

/** For each setting, values it takes and values it does not. Needed settings have no default. */
export const CASES: Readonly<Record<SettingName, Case>> = {
  SLACK_BOT_TOKEN: {
    good: ['xoxb-1'],
    bad: { 'does not start with xoxb-': ['xoxp-hush', 'xoxb-', 'xoxb-a hush', 'xapp-hush'] },
  },
  SLACK_APP_TOKEN: { good: ['xapp-1'], bad: { 'does not start with xapp-': ['xoxb-hush', 'xapp-', 'xapp-hü-hush'] } },
  SLACK_SIGNING_SECRET: {
    good: [],
    bad: { 'is shorter than 16 characters': ['only-15-hush-xx'], [NO_KEY]: ['sixteen or more hush'] },
  },
  PORT: { good: ['3000', '127.0.0.1:3000'], bad: { [PORT]: ['hush', '65536'] } },
  SLACK_TEAM_ID: {
    good: ['T0123456789', 'T01', `T${'0'.repeat(20)}`],
    bad: {
      'is not the id of a Slack workspace, such as T0123456789': [
        'E0123456789',
        'hush',
        't01hush',
        `T${'0'.repeat(21)}`,
      ],
    },
  },
  SLACK_API_URL: {
    good: ['https://slack.example/api', 'http://127.0.0.1:1/api/'],
    bad: { [PLAIN_HTTP]: ['http://hush.example'], [NO_ADDRESS]: ['hush'] },
  },
  CDN_API_URL: {
    good: ['https://a.example', 'http://localhost:3000/x', 'http://127.1', 'http://[::1]:80'],
    bad: {
      [PLAIN_HTTP]: ['http://a.example/hush'],
      'is not an https address': ['ftp://hush'],
      [PERSON]: ['https://u:hush@a.example'],
      [QUERY]: ['https://a.example/?key=hush', 'https://a/#hush'],
      [NO_ADDRESS]: ['hush', 'https://'],
    },
  },
  CDN_LOGGING_URL: {
    good: ['https://l.example/'],
    bad: { [PLAIN_HTTP]: ['http://localhost.example/hush', 'http://10.0.0.1/hush'] },
  },
  CDN_API_KEY: { good: ['any-key=with.signs'], bad: { [NO_KEY]: ['two hush', 'line\nhush', 'hüsh-hush'] } },
  CDN_BEARER_TOKEN: { good: [], bad: { [NO_KEY]: ['two hush'] } },
  CDN_PANEL_URL: {
    good: ['https://p.example/{place}/{id}', 'https://p.example/#/{id}', 'http://p.example/{id}'],
    bad: {
      'is not an address with {id} in it, such as https://panel.example.com/{place}/{id}': [
        'https://p.example/hush',
        '/hush/{id}',
        'javascript:hush({id})',
        '{id}',
      ],
    },
  },
  STORE_URL: {
    good: ['./data.sqlite', '/var/lib/x.sqlite', 'postgres://u:p@db/x', 'postgresql://db/x'],
    bad: {
      'is neither the path of a file nor postgres://…': [
        'mysql://u:hush@db/x',
        'Postgres://u:hush@db',
        'http://hush',
        'postgres://u:hush@:x',
      ],
    },
  },
  ALERT_WEBHOOK_URL: {
    good: ['https://hooks.example/a?token=b', 'http://127.0.0.1:9/hook'],
    bad: {
      [PLAIN_HTTP]: ['http://hooks.example/hush'],
      [PERSON]: ['https://u:hush@hooks.example'],
      'holds a fragment: take it out': ['https://hooks.example/#hush'],
      [NO_ADDRESS]: ['hush'],
    },
  },
  ALERT_ROUTING_KEY: { good: [], bad: { [NO_KEY]: ['a hush', 'hush\u00e9'] } },
  HEARTBEAT_URL: {
    good: ['https://beats.example/a-b-c'],
    bad: { [PLAIN_HTTP]: ['http://beats.example/hush'], [NO_ADDRESS]: ['beats.example/hush'] },
  },
  AUDIT_KEY: {
    good: ['0123456789abcdef'],
    bad: { 'is shorter than 16 characters': ['only-15-hush-xx'], [NO_KEY]: ['sixteen or more hush'] },
  },
  OPS_CHANNEL: {
    good: ['C0123456789', 'G0123456789'],
    bad: { 'is not a channel id such as C0123456789': ['#hush', 'U0123456789', 'D0123456789', 'C0'] },
  },
  COMMAND: {
    good: ['/cdn', '/cdn-2_x', `/${'x'.repeat(31)}`],
    bad: {
      'is not a slash command of at most 32 lower-case letters, digits, - and _': [
        'cdn',
        '/CDN',
        '/',
        '/a b',
        `/${'x'.repeat(32)}`,
      ],
    },
  },
  ADMINS: {
    good: ['U0123456789', 'U0123456789, W0123456789 U1234', 'U01,'.repeat(1_000)],
    bad: { [PEOPLE]: ['@hush', 'U0123456789;U1', '*', 'U01,'.repeat(1_001)] },
  },
  OPERATORS: { good: ['U0123456789'], bad: { [PEOPLE]: ['hush', 'u0123456789', '*'] } },
  VIEWERS: { good: ['*', 'U0123456789'], bad: { [`${PEOPLE}, nor *`]: ['hush', '*,U0123456789', '**'] } },
  CONFIG_FILE: { good: ['./cdn-ops.yaml', '/etc/cdn-ops.yaml'], bad: {} },
  // Each is a file that is not there.
  ENV_FILE: { good: [], bad: { 'names a file that cannot be read': ['hush.env'] } },
  CHANGE_LEASE: {
    good: ['2', '60', '3600'],
    bad: { 'is not a whole number of seconds from 2 to 3600': ['1', '3601', '60s-hush', '1.5', '-60', '1e3'] },
  },
  MARK_RECORDS: { good: ['on', 'off'], bad: { 'is none of on, off': ['hush', 'true', 'ON'] } },
  HEALTH_PORT: {
    good: ['8080', '127.0.0.1:8080', '[::1]:80', 'localhost:1', '65535'],
    bad: { [PORT]: ['hush', '65536', ':8080', '8080/x', '-1', '[::1]'] },
  },
  LOG_LEVEL: {
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    bad: { 'is none of fatal, error, warn, info, debug, trace, silent': ['hush', 'INFO'] },
  },
  CDN_V1_PATH: {
    good: ['/{YYYY}/{MM}/{DD}/{pullZoneId}.log'],
    bad: { [PATH_PARTS]: ['{MM}{DD}{pullZoneId}', '/hush', '/{MM}/{pullZoneId}', '/{DD}/{pullZoneId}', '/{MM}/{DD}'] },
  },
  CDN_V2_PAGING: { good: ['limit', 'returned'], bad: { 'is none of limit, returned': ['hush'] } },
  CDN_LOG_FIELDS: {
    good: ['cacheStatus,timestamp,statusCode', 'url , statusCode,timestamp,cacheStatus', `${COUNTED},url,url`],
    bad: {
      [`may name only ${FIELDS}`]: ['hush', 'url,hush', `${COUNTED},,`],
      'lacks one of cacheStatus, timestamp, statusCode, without which alerts would see nothing': [
        'url',
        'timestamp,cacheStatus,url',
        'timestamp,statusCode',
        'cacheStatus,statusCode',
      ],
    },
  },
  CDN_FIELD_ALIASES: {
    good: ['Their=Ours,A=B', `${'a'.repeat(100)}=b1`],
    bad: {
      'is not a list such as TheirName=ContractName,Other=Name': [
        'hush',
        'A=',
        'A=B=C',
        '1A=B',
        `${'a'.repeat(101)}=b`,
      ],
    },
  },
}
