import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { preflight } from '../../src/process/doctor/doctor.ts'
import { type AlertBench, alertBench } from '../alerts/alert-bench.ts'
import { type LogLine, recordingLog } from '../support/recording-log.ts'

const AFTER_MS = 30_000

let bench: AlertBench
let lines: readonly LogLine[]
beforeEach(async () => void (bench = await alertBench()))
afterEach(() => bench[Symbol.asyncDispose]())

/** What the operations channel is told by a start that finds this. */
async function start(
  causes: readonly string[],
  {
    unsure = false,
    stops = true,
    opsChannel = 'COPS',
    unrecorded = [] as readonly string[],
    stopping = new AbortController().signal,
  } = {},
): Promise<string> {
  const { store, clock } = bench
  const check = (cause: string) => {
    const findings = [{ cause, stops, happened: `${cause} is wrong.`, remedy: 'Mend it.' }]
    return { check: cause, seen: '', isUnknown: false, findings }
  }
  const unknown = unsure ? [{ check: 'store', seen: '', isUnknown: true, findings: [] }] : []
  const examine = async () => [...causes.map(check), ...unknown]
  const doctor = { examine, examineUnrecorded: async () => unrecorded.map(check), examineStore: examine }
  const { log, lines: logged } = recordingLog()
  lines = logged
  const options = { doctor, store, clock, log, team: () => 'T1', command: '/cdn' }
  const done = preflight({ ...options, opsChannel: opsChannel || undefined }, stopping)
  clock.turn(AFTER_MS)
  await done
  const messages = await store.outbox.claim(9)
  for (const message of messages) await store.outbox.delivered(message)
  return messages.map(({ body }) => JSON.stringify(body)).join()
}

describe('what stops something', () => {
  it('is told once, and once more where it comes back', async () => {
    const told = await start(['key:401'])
    for (const part of [
      '*CDN Ops has started, and something does not work:*',
      'key:401 is wrong.',
      'Mend it.',
      '/cdn doctor',
    ])
      expect(told).toContain(part)
    expect(lines).toMatchObject([
      {
        level: 'error',
        sentence: 'something in how CDN Ops is set up stops something',
        fields: { cause: 'key:401', happened: 'key:401 is wrong.', remedy: 'Mend it.' },
      },
    ])
    const summary = 'Check how CDN Ops is set up, the roles of its API key included'
    const entry = { actor: 'cdn-ops', team: 'T1', operation: 'doctor', event: 'read', summary }
    expect(await bench.store.audit.list({ limit: 9 })).toMatchObject([entry])
    expect(await start(['key:401'])).toBe('')
    expect(await start([])).toBe('')
    expect(await start(['key:401'])).toContain('key:401 is wrong.')
  })

  it.each([
    { while: 'is closed to the bot', causes: ['ops-channel:closed', 'key:401'], opsChannel: 'COPS' },
    { while: 'is not set', causes: ['key:401'], opsChannel: '' },
  ])('is told later where the operations channel $while', async ({ causes, opsChannel }) => {
    expect(await start(causes, { opsChannel })).toBe('')
    expect(await start(['key:401'])).toContain('key:401 is wrong.')
    expect(await start(['key:401'])).toBe('')
  })

  it('is told alone, and not what only could be better', async () => {
    expect(await start(['role:idle'], { stops: false })).toBe('')
    expect(lines).toEqual([])
  })

  it('is looked for without the roles of keys where it cannot be put on record that they are read', async () => {
    bench.store.audit.append = () => Promise.reject(new Error('full'))
    const told = await start(['key:401'], { unrecorded: ['logs:301'] })
    expect(told).toContain('logs:301 is wrong.')
    expect(told).not.toContain('key:401')
  })

  it('is told though it is not known what was told before', async () => {
    bench.store.remembered.get = () => Promise.reject(new Error('busy'))
    expect(await start(['key:401'])).toContain('key:401 is wrong.')
  })

  it('is in the log where it cannot be told, and the bot goes on', async () => {
    bench.store.remembered.set = () => Promise.reject(new Error('full'))
    expect(await start(['key:401'])).toBe('')
    const sentence = 'how CDN Ops is set up could not be checked, or not be told'
    expect(lines.at(-1)).toMatchObject({ level: 'warn', sentence, fields: { err: { message: 'full' } } })
  })

  it('is nothing where a stop ends the look', async () => {
    expect(await start(['key:401'], { stopping: AbortSignal.abort() })).toBe('')
    expect(lines).toEqual([])
  })

  it('is not told anew after a start that could not look at all of it', async () => {
    await start(['logs:301'])
    expect(await start([], { unsure: true })).toBe('')
    expect(await start(['logs:301'])).toBe('')
  })
})
