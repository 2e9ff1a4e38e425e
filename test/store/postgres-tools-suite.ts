import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { runDoctor } from '../../src/process/doctor/doctor-command.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { auditTool, toolRun } from '../support/audit-tool.ts'
import { settingsFor } from '../support/bot.ts'
import { rule } from './alert-fixtures.ts'
import { entry } from './harness.ts'
import type { PostgresHarness } from './postgres-harness.ts'

/** Tools in a terminal on a server, which the bot may be using. */
export function postgresToolsSuite(harness: PostgresHarness): void {
  describe('audit tool', () => {
    test('it reads beside the bot, and finds what was changed', async () => {
      const store = await harness.open()
      for (let n = 0; n < 3; n++) await store.audit.append(entry('read'))
      const { code, output } = await auditTool({}, 'verify', '--store', harness.url)
      expect(code).toBe(0)
      expect(output).toMatch(/3 entries[\s\S]*Without AUDIT_KEY this detects accidents, not tampering/)
      expect((await auditTool({ STORE_URL: harness.url }, 'export')).output.trimEnd().split('\n')).toHaveLength(3)
      await harness.sql('delete from audit_entries where seq = 2')
      expect(await auditTool({ STORE_URL: harness.url }, 'verify')).toMatchObject({
        code: 1,
        output: expect.stringContaining('The first bad entry is 2') as string,
      })
    })

    test('it makes no tables and changes none', async () => {
      await harness.dropTables()
      const { code, complaints } = await auditTool({ STORE_URL: harness.url }, 'verify')
      expect(code).toBe(78)
      expect(complaints).toContain('no store of CDN Ops')
      expect(await harness.columns()).toEqual([])
      await (await harness.open()).close()
      await harness.sql('delete from kysely_migration')
      expect((await auditTool({ STORE_URL: harness.url }, 'verify')).complaints).toContain('older version')
      expect(await harness.sql('select name from kysely_migration')).toHaveLength(0)
    })
  })

  describe('npm run doctor', () => {
    let around: {
      readonly slack: Awaited<ReturnType<typeof startSlackEmulator>>
      readonly cdn: Awaited<ReturnType<typeof startCdnEmulator>>
    }
    beforeEach(async () => {
      around = { slack: await startSlackEmulator(), cdn: await startCdnEmulator({ clock: systemClock }) }
    })
    afterEach(async () => void (await Promise.all([around.slack.close(), around.cdn.close()])))
    const doctor = () => toolRun(runDoctor, settingsFor(around.slack, around.cdn, harness.url), [])

    test('it finds nothing wrong beside a bot, and compares the clock of the server too', async () => {
      await harness.open()
      expect((await doctor()).output).toMatch(/store: PostgreSQL may lose what it has committed/)
      await harness.sql(`do $$ begin execute format('alter database %I reset all', current_database()); end $$`)
      const { code, output } = await doctor()
      expect(output).toMatch(/✓ store: PostgreSQL, its tables are right, and it takes writes/)
      expect(output).toMatch(/✓ clock: as that of .*the database/)
      expect({ code, end: output.split('\n').at(-2) }).toEqual({ code: 0, end: 'Nothing is wrong.' })
    })

    test('its look at logs takes a slot of the limit that all who share the store have together', async () => {
      const store = await harness.open()
      await store.alertRules.add([rule('r1')], () => entry('alert_added'))
      const warm: typeof runDoctor = (args, context) => runDoctor(args, context, { warm: true })
      const { output } = await toolRun(warm, settingsFor(around.slack, around.cdn, harness.url), [])
      expect(output).toMatch(/✓ logs: on for 1 of 1 watched pull zones/)
      const taken = await harness.sql('select pull_zone_id from log_slots where free_at > 0')
      expect(taken).toEqual([{ pull_zone_id: '301' }])
    })

    test('it makes no tables before the first start, which is nothing wrong', async () => {
      await harness.dropTables()
      const { code, output } = await doctor()
      expect(output).toMatch(/\? store: not looked at, the next start makes its tables/)
      expect(code).toBe(0)
      expect(await harness.columns()).toEqual([])
    })

    test('it finds a server that takes no writes', async () => {
      await (await harness.open()).close()
      const database = new URL(harness.url).pathname.slice(1)
      await harness.sql(`alter database ${database} set default_transaction_read_only = on`)
      const { code, output } = await doctor()
      expect(output).toMatch(
        /✗ store: The store cannot be written to \(25006\), so nothing .*\n +→ Give CDN Ops the right to write/,
      )
      expect(code).toBe(1)
    })
  })
}
