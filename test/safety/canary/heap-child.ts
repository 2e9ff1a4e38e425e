/**
 * Lists the keys of an account in a process of its own and writes down its heap, so that the server's and the test's stay
 * apart from it: once while the answer is being read, when everything made of it is still in use, and once afterwards.
 * Usage: node heap-child.ts <folder of the program> <address> <folder for the heap snapshots> [afterwards]
 */
import { writeHeapSnapshot } from 'node:v8'
import type { CdnClient } from '../../../src/cdn/client.ts'
import type { LogLimit } from '../../../src/cdn/log-limit.ts'
import type { systemClock } from '../../../src/shared/clock.ts'
import type { Secret } from '../../../src/shared/secret.ts'

const [, , program = '', managementUrl = '', snapshots = '', afterwards] = process.argv
// Of the program that is meant, which may be a copy with a mistake in it.
const load = (path: string): Promise<unknown> => import(`${program}/src/${path}`)
const { CdnClient: Client } = (await load('cdn/client.ts')) as { CdnClient: typeof CdnClient }
const { LogLimit: Limit } = (await load('cdn/log-limit.ts')) as { LogLimit: typeof LogLimit }
const { systemClock: clock } = (await load('shared/clock.ts')) as { systemClock: typeof systemClock }
const { Secret: Hidden } = (await load('shared/secret.ts')) as { Secret: typeof Secret }

const credential = { scheme: 'accessKey', secret: new Hidden('key-of-the-account') } as const
const client = new Client({ managementUrl, credential, clock, limiter: new Limit({ clock, warm: true }) })
let isWritten = false
/** At the first moment only: all that was made of the answer until then is still in use. */
function whileReading(): void {
  if (!isWritten) writeHeapSnapshot(`${snapshots}/reading.heapsnapshot`)
  isWritten = true
}
const parse = JSON.parse
JSON.parse = (text, reviver) => {
  const answer: unknown = parse(text, reviver)
  if (text.startsWith('{"Items"')) whileReading()
  return answer
}
const { Items } = await client.listApiKeys()
if (afterwards !== undefined) writeHeapSnapshot(`${snapshots}/afterwards.heapsnapshot`)
await client.close()
process.stdout.write(`${Items.length} ${Items[0]?.redactedKey}\n`)
