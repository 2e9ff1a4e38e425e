import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backtestTool, minuteLines, threeDays, TROUBLE } from '../support/backtest-tool.ts'
import { entry, MINUTE_MS, type StoreHarness } from './harness.ts'

/** What a store has of a zone, tried by the backtest tool: on any engine, while no bot runs. */
export function zonePastSuite(harness: StoreHarness, url: () => string): void {
  test('the past of a zone is tried by its name or id, as the same minutes in a file are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdn-ops-past-'))
    try {
      const minutes = threeDays({ bypass: 0.6 }, 12)
      const store = await harness.open()
      await store.minutes.put('301', minutes)
      await store.minutes.put('303', minutes.slice(0, 1))
      const named = { kind: 'pull', addedBy: 'U1', addedAt: new Date() } as const
      await store.zones.add({ ...named, name: 'shop', zoneId: '301' }, entry('zone_added'))
      await store.zones.add({ ...named, kind: 'dns', name: 'mail', zoneId: '301' }, entry('zone_added'))
      await store.zones.add({ ...named, name: 'empty', zoneId: '302' }, entry('zone_added'))
      await store.close()

      const tool = (...args: readonly string[]) => backtestTool({ STORE_URL: url() }, ...args)
      const file = join(folder, 'minutes.jsonl')
      writeFileSync(file, minuteLines(minutes))
      const told = await backtestTool({}, '--json', '--minutes', file)
      expect(told).toMatchObject({ code: 0, output: expect.stringContaining('cache-not-working') as string })
      expect(await tool('--json', '--zone', 'Shop')).toEqual(told)
      expect(await tool('--json', '--zone', '301')).toEqual(told)
      expect(await backtestTool({}, '--json', '--zone', 'shop', '--store', url())).toEqual(told)
      expect((await tool('--zone', '301')).output).toContain('\nshop (301): 2026-03-02 00:00 to 2026-03-05 00:00 UTC')

      expect((await tool('--zone', '303')).output).toMatch(/^Pull zone 303: 2026-03-02 00:00 to 2026-03-02 00:01 UTC/)

      const configuration = join(folder, 'cdn-ops.yml')
      writeFileSync(configuration, 'zones:\n  - { kind: pull, id: 301, name: store-front }\n')
      const configured = { STORE_URL: url(), CONFIG_FILE: configuration }
      expect(await backtestTool(configured, '--json', '--zone', 'store-front')).toEqual(told)
      expect(await tool('--zone', 'store-front')).toEqual({
        code: 2,
        output: '',
        complaints: 'No pull zone is called store-front.',
      })
      expect((await tool('--zone', 'mail')).complaints).toBe('No pull zone is called mail.')
      expect(await tool('--zone', 'empty')).toEqual({
        code: 2,
        output: '',
        complaints: 'The store knows nothing of the traffic of pull zone 302.',
      })
      writeFileSync(configuration, 'zonen: []\n')
      expect(await backtestTool(configured, '--zone', '301')).toMatchObject({ code: 78, output: '' })
      const missing = { STORE_URL: url(), CONFIG_FILE: join(folder, 'no.yml') }
      expect((await backtestTool(missing, '--zone', '301')).complaints).toContain('which cannot be read')

      const again = await harness.open()
      const mark = { id: 'm1', pullZoneId: '301', at: new Date(TROUBLE * MINUTE_MS), text: 'purge', by: 'U1' }
      await again.marks.add(mark, entry('alert_marked'))
      await again.close()
      expect(await tool('--json', '--zone', 'shop')).toEqual({ code: 0, output: '', complaints: '' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
