/**
 * Reads pages over and over in a process of its own, as the client does it and with `JSON.parse` alone, and says what that
 * took. Answers each message `{ turn, batches }` with the figures of a round.
 */
import { Readable } from 'node:stream'
import { type AnswerReading, readApiKeys, readLogPage } from '../../../src/cdn/answer-reading.ts'
import { Deadline } from '../../../src/cdn/deadline.ts'
import { defaultDialect } from '../../../src/cdn/dialect.ts'
import type { Incoming } from '../../../src/cdn/transport.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { type Figures, inTurn } from '../bench.ts'
import { keyPageBytes, logPageBytes, PAGE_SIZE } from './page-bytes.ts'

export interface Round {
  readonly turn: number
  /** How often 25 pages of each kind are read, by us and by the reference. */
  readonly batches: number
}

/** What a socket commonly hands over at once. */
const CHUNK_BYTES = 64 * 1024
const PAGES_A_BATCH = 25
/** After so many the engine has compiled what it will. */
const WARM_UP_BATCHES = 4
const US_PER_MS = 1_000

/** One way to read one kind of page, and what it took so far. */
interface Work {
  readonly name: string
  readonly bytes: Buffer
  /** How many lines or keys came of the page. */
  readonly read: (bytes: Buffer) => number | Promise<number>
  wallMs: number
  cpuMs: number
}

const reading: AnswerReading = { dialect: defaultDialect }
const deadline = new Deadline(systemClock, 0, undefined)
const logsOf = async (bytes: Buffer): Promise<number> => {
  const { entries } = await readLogPage(arrived(bytes), deadline, reading)
  return entries.length
}
const keysOf = async (bytes: Buffer): Promise<number> => {
  const { Items } = await readApiKeys(arrived(bytes), deadline, reading)
  return Items.length
}
/** The body is left to be counted, so that the engine cannot leave out making it. */
const parsed = (bytes: Buffer): number => {
  const body = JSON.parse(bytes.toString()) as {
    readonly data?: readonly unknown[]
    readonly Items?: readonly unknown[]
  }
  return (body.data ?? body.Items ?? []).length
}

const KINDS: readonly (readonly [ours: Work, theirs: Work])[] = [
  pair('log page', logPageBytes({ hasLongIds: false }), logsOf),
  pair('key page', keyPageBytes({ hasLongIds: false }), keysOf),
  pair('log page with long ids', logPageBytes({ hasLongIds: true }), logsOf),
  pair('key page with a long id', keyPageBytes({ hasLongIds: true }), keysOf),
]

await measure({ turn: 0, batches: WARM_UP_BATCHES })
process.on('message', (round: Round) => void measure(round).then((figures) => process.send?.(figures)))
process.send?.('ready')

async function measure({ turn, batches }: Round): Promise<Figures> {
  for (const work of KINDS.flat()) Object.assign(work, { wallMs: 0, cpuMs: 0 })
  for (const kind of KINDS) {
    for (let batch = 0; batch < batches; batch += 1) {
      await inTurn(
        turn + batch,
        kind.map((work) => async () => readBatch(work)),
      )
    }
  }
  const pages = batches * PAGES_A_BATCH
  const figures = KINDS.flat().map(({ name, wallMs, cpuMs }) => [
    [`${name}: wall`, wallMs / pages],
    [`${name}: CPU`, cpuMs / pages],
  ])
  return Object.fromEntries(figures.flat()) as Figures
}

async function readBatch(work: Work): Promise<void> {
  // What is read is wiped, so each page is a copy; and no batch pays for what another one has left behind.
  const pages = Array.from({ length: PAGES_A_BATCH }, () => Buffer.from(work.bytes))
  globalThis.gc?.()
  const before = process.cpuUsage()
  const startedAt = performance.now()
  for (const page of pages) {
    const count = await work.read(page)
    if (count !== PAGE_SIZE) throw new Error(`${work.name}: ${count} came of a page of ${PAGE_SIZE}`)
  }
  work.wallMs += performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  work.cpuMs += (user + system) / US_PER_MS
}

function pair(name: string, bytes: Buffer, read: Work['read']): readonly [Work, Work] {
  const start = { bytes, wallMs: 0, cpuMs: 0 }
  return [
    { ...start, name, read },
    { ...start, name: `${name}, JSON.parse`, read: parsed },
  ]
}

/** An answer as the transport hands it on. */
function arrived(bytes: Buffer): Incoming {
  let at = 0
  const body = new Readable({
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, (at += CHUNK_BYTES)) : null)
    },
  })
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
