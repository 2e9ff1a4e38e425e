import { Readable } from 'node:stream'
import { readAnswer, readLogPage } from '../../../src/cdn/reading/response-reading.ts'
import { ApiKeyList } from '../../../src/cdn/contract/api-keys.ts'
import { createDeadline } from '../../../src/cdn/http/deadline.ts'
import { defaultDialect as dialect } from '../../../src/cdn/contract/dialect.ts'
import { listApiKeys } from '../../../src/playground/cdn/handlers.ts'
import { queryLogs } from '../../../src/playground/cdn/log-handlers.ts'
import { toJson } from '../../../src/playground/cdn/wire.ts'
import { World } from '../../../src/playground/cdn/world/world.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { type Bench, inTurn } from './bench.ts'
import { cpuSince } from '../../support/cpu-spent.ts'

const PAGE_SIZE = 1_000
const [BATCHES, PAGES_A_BATCH] = [40, 4]
const ROW = { reference: '`JSON.parse` of the bytes', unit: 'time', atMost: 3, quick: 16 } as const

/** The CDN's two large answers, from bytes to what the program holds of them, with every check on the way. */
export const pagesBench: Bench = {
  name: 'pages',
  runs: 'alone',
  rows: {
    logs: { ...ROW, work: 'Page of 1,000 log rows: bytes to entries, CPU' },
    keys: { ...ROW, work: 'Page of 1,000 API keys: bytes to redacted entries, CPU' },
  },
  async *rounds(testbed, quick) {
    await using worker = await testbed.fork(import.meta.url, readPages)
    await worker.run(0)
    for (let turn = 0; turn < (quick ? 3 : 7); turn += 1) yield await worker.run(turn)
  },
}

type Way = (bytes: Buffer) => Promise<number>

/** The CPU that ours takes for each page, and `JSON.parse`. They are as the emulator sends them, but for ids of a usual length. */
export async function readPages(turn: number) {
  const now = new Date('2026-11-20T18:00:00Z')
  const world = new World({ seed: 'bench', now, accessKey: 'bench-key-of-the-account', canaries: {} })
  const call = { body: undefined, world, now }
  const log = queryLogs({ ...call, params: { pullZoneId: 302n }, query: new URLSearchParams({ limit: '1000' }) }).body
  const list = listApiKeys({ ...call, params: {}, query: new URLSearchParams({ perPage: '1000' }) }).body
  const Items = list.Items?.map((item, index) => ({ ...item, Id: 70_001 + index }))
  return { logs: await readBoth(turn, log, readLogs), keys: await readBoth(turn, { ...list, Items }, readKeys) }
}

const deadline = createDeadline(systemClock, 0, undefined)
const readLogs: Way = async (bytes) => (await readLogPage(arrived(bytes), deadline, { dialect })).entries.length
const readKeys: Way = async (bytes) =>
  (await readAnswer('listApiKeys', ApiKeyList, arrived(bytes), deadline, { dialect })).Items.length
const ANSWER = { status: 200, headers: { 'content-type': 'application/json' } }
const arrived = (bytes: Buffer) => ({ ...ANSWER, body: Readable.from([bytes]) })
const parse: Way = async (bytes) => {
  const { data, Items } = JSON.parse(bytes.toString()) as Readonly<Record<string, unknown[] | undefined>>
  return (data ?? Items ?? []).length
}

/** The quickest batch of each: collecting garbage and whatever else the machine does only ever add to it. */
async function readBoth(turn: number, page: object, read: Way): Promise<readonly [ours: number, theirs: number]> {
  const bytes = Buffer.from(toJson(page))
  let [ours, theirs] = [Infinity, Infinity]
  for (let batch = turn; batch < turn + BATCHES; batch += 1) {
    const [our, their] = await inTurn(batch, [() => timeOf(bytes, read), () => timeOf(bytes, parse)])
    ours = Math.min(ours, our)
    theirs = Math.min(theirs, their)
  }
  return [ours, theirs]
}

/** Of one page. What is read is wiped, so each is a copy. */
async function timeOf(bytes: Buffer, read: Way): Promise<number> {
  const copies = Array.from({ length: PAGES_A_BATCH }, () => Buffer.from(bytes))
  const before = process.cpuUsage()
  for (const copy of copies) {
    const count = await read(copy)
    if (count !== PAGE_SIZE) throw new Error(`${count} came of a page of ${PAGE_SIZE}`)
  }
  return cpuSince(before) / PAGES_A_BATCH
}
