/**
 * Lists the keys of an account in a process of its own and writes down its heap, so that the server's and the test's stay
 * apart from it: once while the answer is being read, when everything made of it is still in use, and once afterwards.
 * Usage: node heap-child.ts <address> <folder for the heap snapshots>
 */
import { writeHeapSnapshot } from 'node:v8'
import { createCdnClient } from '../../../src/cdn/client.ts'
import { LogLimit } from '../../../src/cdn/http/log-limit.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'

const [, , url = '', snapshots = ''] = process.argv
const credential = { scheme: 'accessKey', secret: new Secret('key-of-the-account') } as const
const limiter = new LogLimit({ clock, warm: true })
const client = createCdnClient({ managementUrl: url, loggingUrl: url, credential, clock, limiter })
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
const { Items } = await client.listApiKeys({})
writeHeapSnapshot(`${snapshots}/afterwards.heapsnapshot`)
await client.close()
process.stdout.write(`${Items.length} ${Items[0]?.redactedKey}\n`)
