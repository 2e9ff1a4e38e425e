import { fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { subscribe } from 'node:diagnostics_channel'
import { join } from 'node:path'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { ASKER, openFloor } from './change-floor.ts'

/**
 * The measured process: changes from their submission to the platform, and the bare reference. Started with a folder of
 * its own, the platform's address and how many changes it begins with, until the engine has seen all of it hot; says when
 * it is ready, and does what it is asked.
 */

export type Asked = { readonly work: 'changes' | 'fsyncs'; readonly count: number }

/** Of each change, or each pair of fsyncs, how long it took. */
export interface Answered {
  readonly ms: readonly number[]
}

const COMMITTED_WITHIN_MS = 2_500
const VALUES = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10', ttl: '5m', comment: 'for the shop' }

const [folder = '', platformUrl = '', warmUp = ''] = process.argv.slice(2)
const log = join(folder, 'store.db-wal')
/** By `performance.now`, when the client began to connect for the last request: what follows is the network's. */
let calledAt = 0
subscribe('undici:client:beforeConnect', () => (calledAt = performance.now()))
const { store, desk, sender, directory } = await openFloor(join(folder, 'store.db'), platformUrl)
const operation = OPERATIONS.find(({ name }) => name === 'dns add')
if (operation === undefined) throw new TypeError('The operation to measure is gone')
await changes(Number(warmUp))
const bytes = await bytesOfChange()
const bare = openSync(join(folder, 'bare'), 'a')
fsyncs(Number(warmUp))

process.on('message', ({ work, count }: Asked) => {
  const answered = work === 'changes' ? changes(count) : Promise.resolve(fsyncs(count))
  answered.then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function changes(count: number): Promise<Answered> {
  const ms: number[] = []
  for (let index = 0; index < count; index += 1) ms.push(await change())
  return { ms }
}

/** One change from its form to the message about its end. Says how long it was from its submission to its call. */
async function change(): Promise<number> {
  const asker = await directory.actor(ASKER, { fresh: true })
  const { id } = await desk.begin(operation!, VALUES, asker, 'C1')
  await desk.review(await desk.draft(id, asker), VALUES, asker)
  const submittedAt = performance.now()
  const accepted = await desk.submit(id, asker, undefined, submittedAt + COMMITTED_WITHIN_MS)
  if (accepted.kind !== 'confirmed') throw new Error(`The change is ${accepted.kind}`)
  const { outcome, told } = await sender.send(accepted.change)
  if (outcome !== 'done') throw new Error(`The change ended as ${outcome}`)
  await told
  return calledAt - submittedAt
}

/** What the two transactions before the call add to the log. At the end of a change it is cut, so it only grows until then. */
async function bytesOfChange(): Promise<readonly [accepted: number, sending: number]> {
  const { changes: kept } = store
  const move = kept.move.bind(kept)
  const grown: number[] = []
  kept.move = async (id, step) => {
    const before = statSync(log).size
    const moved = await move(id, step)
    grown.push(statSync(log).size - before)
    return moved
  }
  await change()
  kept.move = move
  const [accepted = 0, sending = 0] = grown
  return [accepted, sending]
}

/** The bare reference: the same bytes twice at the end of a file, and each time until the disk has them. */
function fsyncs(count: number): Answered {
  const transactions = bytes.map((size) => Buffer.alloc(size, 1))
  const ms: number[] = []
  for (let index = 0; index < count; index += 1) {
    const started = performance.now()
    for (const transaction of transactions) {
      writeSync(bare, transaction)
      fsyncSync(bare)
    }
    ms.push(performance.now() - started)
  }
  ftruncateSync(bare)
  return { ms }
}
