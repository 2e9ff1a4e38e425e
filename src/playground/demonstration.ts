import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS, MINUTE_MS } from '../shared/durations.ts'
import type { Clock } from '../shared/clock.ts'
import { startCdnEmulator } from './cdn/emulator.ts'
import { NAMED_ZONES } from './stage/stage.ts'

const SHOP = 301n
const FIRST_OUTAGE_MS = 5 * MINUTE_MS
const OUTAGE_MS = 10 * MINUTE_MS
/** One an hour, for two days. */
const OUTAGES = 48

/**
 * A made-up CDN for a bot in a real Slack. Its store and names of zones go with the process. The origin of the shop
 * fails for a while each hour, so that there is something to be alerted of.
 */
export async function startDemonstration(clock: Clock) {
  const cdn = await startCdnEmulator({ clock })
  for (let hour = 0; hour < OUTAGES; hour += 1) {
    const fromMs = clock.now().getTime() + FIRST_OUTAGE_MS + hour * HOUR_MS
    cdn.world.addIncident({ pullZoneId: SHOP, kind: 'origin outage', fromMs, untilMs: fromMs + OUTAGE_MS })
  }
  const folder = mkdtempSync(join(tmpdir(), 'cdn-ops-demonstration-'))
  writeFileSync(join(folder, 'cdn-ops.yaml'), JSON.stringify({ zones: NAMED_ZONES }))
  return {
    settings: {
      CDN_API_URL: cdn.managementUrl,
      CDN_LOGGING_URL: cdn.loggingUrl,
      CDN_API_KEY: cdn.accessKey,
      CONFIG_FILE: join(folder, 'cdn-ops.yaml'),
      STORE_URL: join(folder, 'store.sqlite'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
