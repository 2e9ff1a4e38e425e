import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CdnEmulator } from '../../src/playground/cdn/emulator.ts'
import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import {
  BOT_USER_ID,
  NORA,
  OLGA,
  OPERATORS_GROUP,
  OTHER_TEAM_ID,
  OTTO,
  RANDOM,
  TEAM,
} from '../../src/playground/slack/state/seed.ts'
import { LEAST_NODE } from '../../src/process/doctor/own-checks.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import { closedPort, type Variables } from '../support/bot.ts'
import type { FailingSqlite } from '../support/failing-sqlite.ts'
import { HurriedClock } from '../support/hurried-clock.ts'
import { plantOrganisation, plantRoles } from '../support/planted-faults.ts'

/** Of which logs are watched. */
export const PULL_ZONE = 301n

/** A bot that is set up well, and does not run: its settings, its store, and what is around it. */
export interface SetUp {
  slack: SlackEmulator
  cdn: CdnEmulator
  variables: Variables
  clock: Clock
  nodeVersion: string
  readonly folder: string
  /** Fails where its store is, once it is broken. */
  readonly disk: FailingSqlite
  readonly store: string
  readonly config: string
}

export function set(setUp: SetUp, changes: Variables): void {
  setUp.variables = { ...setUp.variables, ...changes }
}

/** Changes settings; to put them right is to have them as they were. */
function wrong(changes: () => Variables | Promise<Variables>) {
  return async (setUp: SetUp) => {
    const before = setUp.variables
    set(setUp, await changes())
    return () => void (setUp.variables = before)
  }
}

const without = (scope: string) => (setUp: SetUp) => {
  const { scopes } = setUp.slack.app
  const at = scopes.indexOf(scope)
  scopes.splice(at, 1)
  return () => void scopes.splice(at, 0, scope)
}

const answering = (endpoint: 'listApiKeys' | 'queryLogs', status: number) => (setUp: SetUp) => {
  setUp.cdn.faults.set(endpoint, { kind: 'status', status })
  return () => setUp.cdn.faults.clear(endpoint)
}

const failing =
  (fault: Parameters<FailingSqlite['break']>[0]) =>
  ({ disk }: SetUp) => {
    disk.break(fault)
    return () => disk.mend()
  }

const nowhere = async () => `http://127.0.0.1:${await closedPort()}`

interface Fault {
  readonly name: string
  /** Brings it about, and returns what its remedy says. */
  readonly plant: (setUp: SetUp) => (() => unknown) | Promise<() => unknown>
  /** What is found then, by what begins its cause. */
  readonly causes: readonly string[]
}

/** One thing each that somebody may find on their first day. */
export const FAULTS: readonly Fault[] = [
  { name: 'a scope is missing', causes: ['scope:chat'], plant: without('chat:write') },
  {
    name: 'the token is of an organisation with two workspaces',
    causes: ['bot-token:workspace'],
    plant: (setUp) => {
      plantOrganisation(setUp.slack, [TEAM.id, OTHER_TEAM_ID])
      return () => set(setUp, { SLACK_TEAM_ID: TEAM.id })
    },
  },
  {
    name: 'the bot token is revoked',
    causes: ['bot-token:token_revoked'],
    plant: (setUp) => {
      setUp.slack.switches.refuseToken = 'token_revoked'
      return () => (setUp.slack.switches.refuseToken = '')
    },
  },
  {
    name: 'the app token is another one',
    causes: ['app-token:invalid_auth'],
    plant: wrong(() => ({ SLACK_APP_TOKEN: 'xapp-another' })),
  },
  {
    name: 'the bot is not in OPS_CHANNEL',
    causes: ['ops-channel:C0RANDOM01'],
    plant: (setUp) => {
      set(setUp, { OPS_CHANNEL: RANDOM })
      return () => setUp.slack.workspace.setMembership(RANDOM, BOT_USER_ID, true)
    },
  },
  {
    name: 'OPS_CHANNEL is not there',
    causes: ['ops-channel:C0NOSUCH01'],
    plant: wrong(() => ({ OPS_CHANNEL: 'C0NOSUCH01' })),
  },
  {
    name: 'a user group is not there',
    causes: ['groups:S0NOSUCH01'],
    plant: (setUp) => {
      const right = readFileSync(setUp.config, 'utf8')
      writeFileSync(setUp.config, right.replace(OPERATORS_GROUP, 'S0NOSUCH01'))
      return () => writeFileSync(setUp.config, right)
    },
  },
  {
    name: 'the plan has no user groups',
    causes: ['groups:plan'],
    plant: (setUp) => {
      setUp.slack.switches.paidPlan = false
      return () => writeFileSync(setUp.config, `roles: {operator: {users: [${OLGA}]}}`)
    },
  },
  {
    name: 'somebody listed is deactivated',
    causes: ['people:U0OTTO0001 (this account is deactivated)'],
    plant: (setUp) => {
      setUp.slack.workspace.changeMember(OTTO, { kind: 'deactivated' })
      return () => set(setUp, { OPERATORS: OLGA })
    },
  },
  {
    name: 'whom an alert mentions is deactivated',
    causes: ['pinged:U0NORA0001 (this account is deactivated)'],
    plant: (setUp) => {
      setUp.slack.workspace.changeMember(NORA, { kind: 'deactivated' })
      return () => setUp.slack.workspace.changeMember(NORA, { kind: 'member' })
    },
  },
  {
    name: 'the CDN does not take the key',
    causes: ['cdn-key:401', 'logs:403'],
    plant: wrong(() => ({ CDN_API_KEY: 'another-key-of-nobody' })),
  },
  { name: 'the key may not list keys', causes: ['cdn-key:403'], plant: answering('listApiKeys', 403) },
  {
    name: 'the key may not read statistics',
    causes: ['cdn-key:roles'],
    plant: (setUp) => {
      plantRoles(setUp.cdn, ['SubuserAPIStream'])
      return () => setUp.cdn.faults.clear()
    },
  },
  {
    name: 'nothing is at CDN_API_URL',
    causes: ['cdn-key:refused'],
    plant: wrong(async () => ({ CDN_API_URL: await nowhere() })),
  },
  {
    name: 'logging is off',
    causes: ['logs:404'],
    plant: (setUp) => {
      setUp.cdn.world.setLogging(PULL_ZONE, 'off')
      return () => setUp.cdn.world.setLogging(PULL_ZONE, 'on')
    },
  },
  {
    name: 'the clock is off by three minutes',
    causes: ['clock:ahead'],
    plant: (setUp) => {
      const clock = new HurriedClock()
      clock.turn(180_000)
      setUp.clock = clock
      return () => (setUp.clock = systemClock)
    },
  },
  { name: 'the disk is full', causes: ['store:full'], plant: failing({ code: 'full', at: /^insert/i }) },
  {
    name: 'the store is damaged',
    causes: ['store:corrupt'],
    plant: (setUp) => {
      const backup = join(setUp.folder, 'backup')
      copyFileSync(setUp.store, backup)
      writeFileSync(setUp.store, 'no database'.repeat(1_000))
      return () => copyFileSync(backup, setUp.store)
    },
  },
  {
    name: 'the store was used by a newer version',
    causes: ['store:other'],
    plant: (setUp) => {
      const alter = (sql: string): void => {
        const database = new DatabaseSync(setUp.store)
        database.exec(sql)
        database.close()
      }
      alter(`insert into kysely_migration values ('999_later', '2030-01-01')`)
      return () => alter(`delete from kysely_migration where name = '999_later'`)
    },
  },
  { name: 'AUDIT_KEY is another one', causes: ['store:other'], plant: wrong(() => ({ AUDIT_KEY: 'x'.repeat(32) })) },
  {
    name: 'Node is too old',
    causes: ['node'],
    plant: (setUp) => {
      setUp.nodeVersion = '24.9.1'
      return () => (setUp.nodeVersion = LEAST_NODE)
    },
  },
  {
    name: 'another workspace is named',
    causes: ['bot-token:workspace'],
    plant: wrong(() => ({ SLACK_TEAM_ID: OTHER_TEAM_ID })),
  },
  {
    name: 'the bot token is another one',
    causes: ['bot-token:invalid_auth'],
    plant: wrong(() => ({ SLACK_BOT_TOKEN: 'xoxb-another' })),
  },
  { name: 'OPS_CHANNEL is not set', causes: ['ops-channel:unset'], plant: wrong(() => ({ OPS_CHANNEL: '' })) },
  {
    name: 'nobody has an id that is listed',
    causes: ['people:U0NOSUCH01 (Slack knows nobody by this id)'],
    plant: wrong(() => ({ ADMINS: 'U0NOSUCH01' })),
  },
  { name: 'the key is not valid for logs', causes: ['logs:403'], plant: answering('queryLogs', 403) },
  {
    name: 'nothing is at CDN_LOGGING_URL',
    causes: ['logs:refused'],
    plant: wrong(async () => ({ CDN_LOGGING_URL: await nowhere() })),
  },
  {
    name: 'the store can only be read',
    causes: ['store:read_only'],
    plant: failing({ code: 'readOnly', at: /^begin immediate/i }),
  },
]
