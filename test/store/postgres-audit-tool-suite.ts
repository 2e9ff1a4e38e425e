import { expect, test } from 'vitest'
import { auditTool } from '../support/audit-tool.ts'
import { entry } from './harness.ts'
import type { PostgresHarness } from './postgres-harness.ts'

/** The audit tool on a server, which the bot may be using. */
export function postgresAuditToolSuite(harness: () => PostgresHarness): void {
  test('it reads beside the bot, and finds what was changed', async () => {
    const store = await harness().open()
    for (let n = 0; n < 3; n++) await store.audit.append(entry('read'))
    const { code, output } = await auditTool({}, 'verify', '--store', harness().url)
    expect(code).toBe(0)
    expect(output).toMatch(/3 entries[\s\S]*Without AUDIT_KEY this detects accidents, not tampering/)
    expect((await auditTool({ STORE_URL: harness().url }, 'export')).output.trimEnd().split('\n')).toHaveLength(3)
    await harness().sql('delete from audit_entries where seq = 2')
    expect(await auditTool({ STORE_URL: harness().url }, 'verify')).toMatchObject({
      code: 1,
      output: expect.stringContaining('The first bad entry is 2') as string,
    })
  })

  test('it makes no tables and changes none', async () => {
    const { code, complaints } = await auditTool({ STORE_URL: harness().url }, 'verify')
    expect(code).toBe(78)
    expect(complaints).toContain('no store of CDN Ops')
    expect(await harness().columns()).toEqual([])
    await (await harness().open()).close()
    await harness().sql('delete from kysely_migration')
    expect((await auditTool({ STORE_URL: harness().url }, 'verify')).complaints).toContain('older version')
    expect(await harness().sql('select name from kysely_migration')).toHaveLength(0)
  })
}
