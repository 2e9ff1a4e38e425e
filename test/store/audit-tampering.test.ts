import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import { Secret } from '../../src/shared/secret.ts'
import type { AuditEntry } from '../../src/store/audit-entry.ts'
import type { AuditVerdict } from '../../src/store/audit-verification.ts'
import { entry } from './harness.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'

/** Whatever one does to one row, or one byte of it, verifying finds it and names the first entry that is not sound. */

const ENTRIES = 6
const COLUMNS = ['seq', 'at', 'actor', 'team', 'operation', 'event', 'change_id', 'summary', 'detail', 'hash'] as const
const HEAD_COLUMNS = ['id', 'seq', 'hash'] as const

let harness: SqliteHarness
let database: DatabaseSync
beforeEach(() => {
  harness = createSqliteHarness()
})
afterEach(async () => {
  database.close()
  await harness.close()
})

/** Text with characters of every length in bytes, and with what stands for bytes that are no text. */
const text = fc.string({
  unit: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('ü', '\u{FFFD}', '👩', '"', '\0')),
})
const name = text.map((characters) => `U${characters}`.slice(0, 100))
const written: fc.Arbitrary<AuditEntry> = fc.record({
  at: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  actor: name,
  team: name,
  operation: name,
  event: fc.constantFrom('read', 'done', 'denied'),
  changeId: fc.option(name, { nil: undefined }),
  summary: text,
  detail: fc.option(text, { nil: undefined }),
})

/** Something done to the tables, and the entry that has to be named for it. */
type Deed = () => number
const row = fc.integer({ min: 1, max: ENTRIES })
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(row, fc.constantFrom(...COLUMNS), fc.nat(), fc.integer({ min: 1, max: 255 })).map(changeByte),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...HEAD_COLUMNS), fc.nat(), fc.integer({ min: 1, max: 255 })).map(changeHead),
  },
  {
    weight: 1,
    arbitrary: row.map(
      (seq): Deed =>
        () => (run('delete from audit_entries where seq = ?', seq), seq),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(row, row)
      .filter(([one, two]) => one < two)
      .map(swap),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        row,
        fc.integer({ min: -3, max: 0 }).map((seq) => (seq === 0 ? ENTRIES + 1 : seq)),
      )
      .map(add),
  },
)

describe.each([
  ['with a key', new Secret('a key that is not in the database')],
  ['without a key', undefined],
])('%s', (_with, auditKey) => {
  test('any byte changed and any row removed, added or swapped is found, and the first bad entry named', async () => {
    const verify = await recordOf(auditKey)
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: ENTRIES, maxLength: ENTRIES }), deeds, async (entries, deed) => {
        const sound = await verify(entries)
        expect(sound).toMatchObject({ ok: true, entries: ENTRIES })
        const firstBad = deed()
        expect(await verify()).toMatchObject({ ok: false, firstBad, entries: expect.any(Number) as number })
      }),
      { numRuns: 300 },
    )
  })

  test('a tail that was cut off together with its head is found only by who noted the head', async () => {
    const verify = await recordOf(auditKey)
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { minLength: ENTRIES, maxLength: ENTRIES }),
        fc.nat(ENTRIES - 1),
        async (entries, left) => {
          const noted = await verify(entries)
          run('delete from audit_entries where seq > ?', left)
          run(
            `update audit_head set seq = ?, hash = coalesce((select hash from audit_entries where seq = ?), '')`,
            left,
            left,
          )
          expect(await verify()).toMatchObject({ ok: true, entries: left })
          const expected = noted.ok ? noted.head : undefined
          expect(await verify(undefined, expected)).toMatchObject({ ok: false, fault: 'cut', firstBad: left + 1 })
        },
      ),
      { numRuns: 50 },
    )
  })
})

test('bytes that are no text are not taken for the character that stands for them', async () => {
  const verify = await recordOf(undefined)
  await verify([entry('read', { summary: '\u{FFFD}' })])
  run(`update audit_entries set summary = cast(x'F0BFBD' as text)`)
  expect(database.prepare('select summary from audit_entries').get()).toEqual({ summary: '\u{FFFD}' })
  expect(await verify()).toMatchObject({ ok: false, firstBad: 1 })
})

/** Verifies the record; first writes it anew when entries are given. */
async function recordOf(auditKey: Secret | undefined) {
  const store = await harness.open(auditKey === undefined ? { clock: systemClock } : { auditKey, clock: systemClock })
  database = new DatabaseSync(harness.path)
  // Commits are on disk only for the sake of a power cut.
  database.exec('pragma synchronous = off')
  return async (entries?: readonly AuditEntry[], expected?: { seq: number; hash: string }): Promise<AuditVerdict> => {
    if (entries !== undefined) {
      database.exec(
        `delete from audit_entries; delete from audit_head; insert into audit_head (id, seq, hash) values (1, 0, '')`,
      )
      await store.audit.record(async ({ append }) => {
        for (const each of entries) await append(each)
      })
    }
    return store.audit.verify({ expect: expected })
  }
}

function run(statement: string, ...values: readonly SQLInputValue[]): void {
  database.prepare(statement).run(...values)
}

/** Numbers are eight bytes, texts their UTF-8; what is absent becomes a text of one byte. */
function otherByte(value: unknown, at: number, difference: number): SQLInputValue {
  if (typeof value === 'bigint') {
    const other = BigInt.asIntN(64, value ^ (BigInt(difference) << BigInt((at % 8) * 8)))
    return other
  }
  const bytes = Buffer.from(typeof value === 'string' && value !== '' ? value : '\0')
  const place = at % bytes.length
  bytes[place] = (bytes[place] ?? 0) ^ difference
  return bytes
}

function changeByte([seq, column, at, difference]: readonly [number, string, number, number]): Deed {
  return () => {
    const statement = database.prepare(`select ${column} as value from audit_entries where seq = ?`)
    statement.setReadBigInts(true)
    const value = otherByte(statement.get(seq)?.['value'], at, difference)
    if (typeof value === 'bigint') {
      // Two entries cannot have one number: the other way to change this byte is to swap them, which is tried too.
      run(`update or ignore audit_entries set ${column} = ? where seq = ?`, value, seq)
      if (column !== 'seq') return seq
      if (value >= 1n && value <= BigInt(ENTRIES)) return swap([seq, Number(value)])()
      return value < 1n ? 1 : seq
    }
    run(`update audit_entries set ${column} = cast(? as text) where seq = ?`, value, seq)
    return seq
  }
}

function changeHead([column, at, difference]: readonly [string, number, number]): Deed {
  return () => {
    const statement = database.prepare(`select ${column} as value from audit_head`)
    statement.setReadBigInts(true)
    const value = otherByte(statement.get()?.['value'], at, difference)
    run(`update audit_head set ${column} = ${typeof value === 'bigint' ? '?' : 'cast(? as text)'}`, value)
    if (column !== 'seq' || typeof value !== 'bigint' || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
      return ENTRIES
    return value > BigInt(ENTRIES) ? ENTRIES + 1 : Math.max(1, Number(value))
  }
}

function swap([one, two]: readonly [number, number]): Deed {
  return () => {
    run('update audit_entries set seq = -9 where seq = ?', one)
    run('update audit_entries set seq = ? where seq = ?', one, two)
    run('update audit_entries set seq = ? where seq = -9', two)
    return Math.min(one, two)
  }
}

function add([copied, seq]: readonly [number, number]): Deed {
  return () => {
    const others = COLUMNS.slice(1).join(', ')
    run(`insert into audit_entries (seq, ${others}) select ?, ${others} from audit_entries where seq = ?`, seq, copied)
    return seq < 1 ? 1 : seq
  }
}
