/**
 * Asks for far more pages of one pull zone's log than its limit allows, all at once and through the real client, and goes on
 * until it is ended. Argument: the address of the platform.
 */
import { CdnClient } from '../../../src/cdn/client.ts'
import { LogLimit } from '../../../src/cdn/log-limit.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'

const CALLS = 300
const PULL_ZONE = 301n
/** Nobody in the backlog gives up while it is measured. */
const PATIENCE_MS = 10 * 60_000

const [, , loggingUrl = ''] = process.argv
const limiter = new LogLimit({ clock, warm: true, personMaxWaitMs: PATIENCE_MS })
const credential = { scheme: 'accessKey', secret: new Secret('bench-key') } as const
const client = new CdnClient({ loggingUrl, credential, clock, limiter })

// Listening on keeps the process alive, which no timer of the program does.
process.on('message', () => {
  for (let call = 0; call < CALLS; call += 1) {
    // A refusal is the platform's to count.
    client.queryLogs(PULL_ZONE, {}, { maxEntries: 1 }).catch(() => undefined)
  }
})
process.send?.('ready')
