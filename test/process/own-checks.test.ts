import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, vi } from 'vitest'
import type { Standing } from '../../src/store/replicas.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { createDoctor, type DoctorOptions } from '../../src/process/doctor/doctor.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { look, refusing, type Row, SETTINGS } from './check-looks.ts'

it.each(['24.11.0', '24.11.1', '25.0.0', '100.0.0'])('Node %s is late enough', async (nodeVersion) =>
  expect(await look('Node', { nodeVersion })).toBe(`✓ ${nodeVersion}`),
)

it.each(['24.9.1', '22.99.99'])('Node %s is too old', async (nodeVersion) =>
  expect(await look('Node', { nodeVersion })).toBe(
    `✗ node: Node is ${nodeVersion}, and CDN Ops is made for 24.11.0 and later, so it may fail at any place. → Install a later one, or use the container.`,
  ),
)

describe('the check of the configuration', () => {
  const file = (...problems: readonly string[]) => ({
    settings: { CONFIG_FILE: 'a.yaml' },
    configuration: { problems: () => problems },
  })
  it.each<Row>([
    [{}, '✓ settings are right; there is no configuration file'],
    [file(), '✓ settings and configuration file are right'],
    [
      file('Alas.', 'Others.'),
      '✗ configuration: The configuration file cannot be used as it is now, so what was read before is in force: Alas. → Correct it, then send SIGHUP.',
    ],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('configuration', parts)).toBe(told))
})

describe('the check of the store', () => {
  const failed = (kind: string, remedy: string) =>
    `✗ store:${kind}: Alas, so nothing can be recorded: writes and key reads are refused. → ${remedy}`
  const proving = { prove: async () => undefined, keepsCommits: async () => true }
  it.each<Row>([
    [{}, '? no store'],
    [{ store: proving }, '✓ PostgreSQL, its tables are right, and it takes writes'],
    [{ store: proving, settings: { STORE_URL: 'a.sqlite' } }, '✓ SQLite, its tables are right, and it takes writes'],
    [
      { store: { ...proving, keepsCommits: async () => false } },
      '! store:commits: PostgreSQL may lose what it has committed when it crashes (fsync or synchronous_commit is off): a write could then be sent twice. → Turn both on for the database of CDN Ops.',
    ],
    [
      { store: { prove: refusing(new StoreError('full', undefined, 'Alas. Make some.')) } },
      failed('full', 'Make some.'),
    ],
    ...(
      [
        ['locked', 'End what holds it, such as a backup.'],
        ['busy', 'Look again in a minute.'],
        ['full', 'Make room on its disk.'],
        ['read_only', 'Give CDN Ops the right to write to it, and to its folder.'],
        ['corrupt', 'Restore it from a backup.'],
        ['in_use', 'End the other process, or name another store in STORE_URL.'],
        ['unreachable', 'See to the disk or the database server, and to STORE_URL.'],
        ['unanswered', 'See to the database server.'],
        ['other', 'See to STORE_URL, AUDIT_KEY and the log.'],
      ] as const
    ).map(([kind, remedy]): Row => [{ store: new StoreError(kind, undefined, 'Alas') }, failed(kind, remedy)]),
  ])('tells what there is (%#)', async (parts, told) => expect(await look('store', parts)).toBe(told))

  it('passes on a fault of the program', async () => {
    await expect(look('store', { store: new TypeError('a fault') })).rejects.toThrow('a fault')
  })
})

describe('the check of replicas', () => {
  const SINCE = new Date('2026-11-20T10:00:00Z')
  const row = (id: string, more = {}) => {
    return { id, name: `host-${id}`, version: '1.2.0', configuration: 'x', startedAt: SINCE, seenAt: SINCE, ...more }
  }
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id))
  const standing = (more: Partial<Standing>, settings = {}) => {
    const whole = { fence: undefined, holder: 'a', since: SINCE, replicas: [row('a')], ...more }
    return { settings, standing: () => whole }
  }
  const odd = (id: string) => row(id, { configuration: id })
  const WORKS = '(1.2.0) works since 2026-11-20T10:00:00.000Z,'
  const REST = 'host-c (1.2.0), host-d (1.2.0), host-e (1.2.0), host-f (1.2.0) on standby'
  const UNKNOWN = '? no bot runs here that shares the store'
  const NOBODY =
    '✗ replicas:nobody: No replica works in the background, so nothing is watched. → Look again in a minute.'
  const other = (causes: string, who: string) =>
    `✗ replicas:configuration:${causes}: ${who} with another configuration than host-a, so CDN Ops only reads there. → Give all the same settings and configuration file.`
  it.each<Row>([
    [{ settings: { STORE_URL: '.data/a.sqlite' } }, '✓ one process has the store for itself'],
    [{}, UNKNOWN],
    [{ standing: () => undefined }, UNKNOWN],
    [standing({}), `✓ host-a ${WORKS} alone`],
    [
      standing({ replicas: [row('b', { version: '1.3.0' }), row('a'), row('c')] }),
      `✓ host-a ${WORKS} host-b (1.3.0), host-c (1.2.0) on standby`,
    ],
    [standing({ holder: undefined }), NOBODY],
    [standing({ holder: 'gone' }), NOBODY],
    [standing({ replicas: [row('a'), odd('b'), row('c')] }), other('host-b', 'host-b (1.2.0) runs')],
    [
      standing({ replicas: [row('a'), odd('b'), odd('c')] }),
      other('host-b host-c', 'host-b (1.2.0), host-c (1.2.0) run'),
    ],
    [
      standing({ replicas: six }),
      '! replicas:many: 6 replicas are linked to Slack, which takes the links of 5. → Stop 1.',
    ],
    [standing({ replicas: six.slice(1), holder: 'b' }), `✓ host-b ${WORKS} ${REST}`],
    [standing({ replicas: six }, { SLACK_APP_TOKEN: undefined }), `✓ host-a ${WORKS} host-b (1.2.0), ${REST}`],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('replicas', parts)).toBe(told))
})

it('the space of a store is its server’s own, or that of its disk, also before its folder is there', async () => {
  expect(await look('space', {})).toBe('✓ the database server’s own')
  expect(await look('space', { settings: { STORE_URL: 'no/a.sqlite' } })).toMatch(/^✓ [\d.]+ [MGT]B free$/)
})

it.each([
  [100_000_000, '✓ 100.00 MB free'],
  [
    99_900_000,
    '! space: The disk of the store has 99.90 MB free; when it is full, writes are refused. → Make room: at least 100.00 MB.',
  ],
])('a disk with %i bytes free is enough, or told of before writes are refused', async (bytes, told) => {
  const stat = vi.spyOn(promises, 'statfs').mockResolvedValue({ bavail: BigInt(bytes), bsize: 1n } as never) // no more is read of it
  syncBuiltinESMExports()
  try {
    expect(await look('space', { settings: { STORE_URL: 'a.sqlite' } })).toBe(told)
  } finally {
    stat.mockRestore()
    syncBuiltinESMExports()
  }
})

describe('the check of the clock', () => {
  const ahead = (entries: Readonly<Record<string, number>>) => ({ secondsAhead: new Map(Object.entries(entries)) })
  const off = (which: string, how: string) =>
    `✗ clock:${which}: This machine’s clock is ${how}, so alerts look at the wrong minutes and people read wrong times. → Have both set by NTP.`
  it.each<Row>([
    [{}, '? nobody who answered said what time it is'],
    [ahead({ slack: 30, platform: -30, database: 0 }), '✓ as that of Slack and the CDN and the database'],
    [ahead({ slack: 30.6, platform: 45, database: 0 }), off('ahead', '31 s ahead of Slack and the CDN')],
    [ahead({ slack: 0, database: -90 }), off('behind', '90 s behind the database')],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('clock', parts)).toBe(told))
})

it('a check that breaks says so, is no tick, and is in the log, once a minute', async () => {
  const { log, lines } = recordingLog()
  const error = new TypeError('a fault')
  const parts = {
    settings: SETTINGS,
    store: { prove: refusing(error) },
    secondsAhead: new Map(),
    clock: new TurnedClock(),
    log,
  }
  const doctor = createDoctor(parts as unknown as DoctorOptions)
  const first = doctor.examineStore()
  parts.clock.turn(59_999)
  expect(doctor.examineStore()).toBe(first)
  parts.clock.turn(1)
  expect(doctor.examineStore()).not.toBe(first)
  const store = (await first).find(({ check }) => check === 'store')
  const seen = 'the check itself failed: the log says more'
  expect(store).toEqual({ check: 'store', seen, isUnknown: true, findings: [] })
  expect(lines).toContainEqual({
    level: 'error',
    sentence: 'a check of the set-up failed',
    fields: { err: error, check: 'store' },
  })
})
