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
  readonly says: RegExp
  readonly remedy: RegExp
  /** Whether it stops something; it does unless said. */
  readonly stops?: false
  /** What is found because of it besides. */
  readonly also?: RegExp
}

/** One thing each that somebody may find on their first day. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a scope is missing',
    plant: without('chat:write'),
    says: /scope chat:write, so nothing can be/,
    remedy: /Add it/,
  },
  {
    name: 'the token is of an organisation with two workspaces',
    plant: (setUp) => {
      plantOrganisation(setUp.slack, [TEAM.id, OTHER_TEAM_ID])
      return () => set(setUp, { SLACK_TEAM_ID: TEAM.id })
    },
    says: /granted to 2 workspaces/,
    remedy: /Name in SLACK_TEAM_ID/,
  },
  {
    name: 'the bot token is revoked',
    plant: (setUp) => {
      setUp.slack.switches.refuseToken = 'token_revoked'
      return () => (setUp.slack.switches.refuseToken = '')
    },
    says: /refuses SLACK_BOT_TOKEN \(token_revoked\)/,
    remedy: /Put in the token/,
  },
  {
    name: 'the app token is another one',
    plant: wrong(() => ({ SLACK_APP_TOKEN: 'xapp-another' })),
    says: /SLACK_APP_TOKEN \(invalid_auth\)/,
    remedy: /app-level token/,
  },
  {
    name: 'the bot is not in OPS_CHANNEL',
    plant: (setUp) => {
      set(setUp, { OPS_CHANNEL: RANDOM })
      return () => setUp.slack.workspace.setMembership(RANDOM, BOT_USER_ID, true)
    },
    says: /CDN Ops is not in OPS_CHANNEL, .*; it names C0RANDOM01\.$/,
    remedy: /\/invite/,
  },
  {
    name: 'OPS_CHANNEL is not there',
    plant: wrong(() => ({ OPS_CHANNEL: 'C0NOSUCH01' })),
    says: /no such channel as OPS_CHANNEL names.*; it names C0NOSUCH01\.$/,
    remedy: /correct OPS_CHANNEL/,
  },
  {
    name: 'a user group is not there',
    plant: (setUp) => {
      const right = readFileSync(setUp.config, 'utf8')
      writeFileSync(setUp.config, right.replace(OPERATORS_GROUP, 'S0NOSUCH01'))
      return () => writeFileSync(setUp.config, right)
    },
    says: /no user group S0NOSUCH01/,
    remedy: /Correct the id/,
  },
  {
    name: 'the plan has no user groups',
    plant: (setUp) => {
      setUp.slack.switches.paidPlan = false
      return () => writeFileSync(setUp.config, `roles: {operator: {users: [${OLGA}]}}`)
    },
    says: /plan .* has no user groups/,
    remedy: /List people/,
  },
  {
    name: 'somebody listed is deactivated',
    plant: (setUp) => {
      setUp.slack.workspace.changeMember(OTTO, { kind: 'deactivated' })
      return () => set(setUp, { OPERATORS: OLGA })
    },
    says: /U0OTTO0001 \(this account is deactivated\)/,
    remedy: /take them out/,
    stops: false,
  },
  {
    name: 'whom an alert mentions is deactivated',
    plant: (setUp) => {
      setUp.slack.workspace.changeMember(NORA, { kind: 'deactivated' })
      return () => setUp.slack.workspace.changeMember(NORA, { kind: 'member' })
    },
    says: /^Alerts mention somebody who cannot hear it: U0NORA0001 \(this account is deactivated\)\.$/,
    remedy: /somebody else/,
  },
  {
    name: 'the CDN does not take the key',
    plant: wrong(() => ({ CDN_API_KEY: 'another-key-of-nobody' })),
    says: /does not accept the key/,
    remedy: /CDN_API_KEY/,
    also: /pull zone 301 \(403\)/,
  },
  {
    name: 'the key may not list keys',
    plant: answering('listApiKeys', 403),
    says: /\(403\), so keys list/,
    remedy: /Give the key a role/,
  },
  {
    name: 'the key may not read statistics',
    plant: (setUp) => {
      plantRoles(setUp.cdn, ['SubuserAPIStream'])
      return () => setUp.cdn.faults.clear()
    },
    says: /the roles SubuserAPIStream, none of which reads storage statistics/,
    remedy: /Give the key one of User, UserApi/,
  },
  {
    name: 'nothing is at CDN_API_URL',
    plant: wrong(async () => ({ CDN_API_URL: await nowhere() })),
    says: /management interface .*\(refused\)/,
    remedy: /Check CDN_API_URL/,
  },
  {
    name: 'logging is off',
    plant: (setUp) => {
      setUp.cdn.world.setLogging(PULL_ZONE, 'off')
      return () => setUp.cdn.world.setLogging(PULL_ZONE, 'on')
    },
    says: /no log of pull zone 301 \(404\)/,
    remedy: /Enable logging/,
  },
  {
    name: 'the clock is off by three minutes',
    plant: (setUp) => {
      const clock = new HurriedClock()
      clock.turn(180_000)
      setUp.clock = clock
      return () => (setUp.clock = systemClock)
    },
    says: /clock is 1(79|80) s ahead of Slack and the CDN/,
    remedy: /NTP/,
  },
  {
    name: 'the disk is full',
    plant: failing({ code: 'full', at: /^insert/i }),
    says: /no space left/,
    remedy: /Make room/,
  },
  {
    name: 'the store is damaged',
    plant: (setUp) => {
      const backup = join(setUp.folder, 'backup')
      copyFileSync(setUp.store, backup)
      writeFileSync(setUp.store, 'no database'.repeat(1_000))
      return () => copyFileSync(backup, setUp.store)
    },
    says: /is no database, or a damaged one/,
    remedy: /Restore it from a backup/,
  },
  {
    name: 'the store was used by a newer version',
    plant: (setUp) => {
      const alter = (sql: string): void => {
        const database = new DatabaseSync(setUp.store)
        database.exec(sql)
        database.close()
      }
      alter(`insert into kysely_migration values ('999_later', '2030-01-01')`)
      return () => alter(`delete from kysely_migration where name = '999_later'`)
    },
    says: /newer version/,
    remedy: /run that one|STORE_URL/,
  },
  {
    name: 'AUDIT_KEY is another one',
    plant: wrong(() => ({ AUDIT_KEY: 'x'.repeat(32) })),
    says: /AUDIT_KEY/,
    remedy: /^Start with the key that it was made with\.$/,
  },
  {
    name: 'Node is too old',
    plant: (setUp) => {
      setUp.nodeVersion = '24.9.1'
      return () => (setUp.nodeVersion = LEAST_NODE)
    },
    says: /Node is 24\.9\.1/,
    remedy: /Install a later one/,
  },
]
