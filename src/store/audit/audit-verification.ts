import { type AuditChain, fits, type AuditHead, HEAD_ID, StoredHead, createAuditChain } from '../schema/audit-chain.ts'
import type { Database } from '../engine/database.ts'
import { StoreError } from '../schema/store-error.ts'
import type { AuditEntriesTable } from '../schema/tables.ts'

/** How the record is not what was written. */
export type AuditFault =
  /** The entry was changed, removed, added or moved. */
  | 'entry'
  /** Entries are sound up to this one, but the head is not the one they lead to. */
  | 'head'
  /** All that is there is sound, but there was more. */
  | 'cut'
  /** Another entry stands where the expected one stood: the record was written anew, or it is another one. */
  | 'replaced'

/** Whether the record is what was written. `keyed` says whether that could be proven, or accidents only. */
export type AuditVerdict =
  | { readonly ok: true; readonly entries: number; readonly keyed: boolean; readonly head: AuditHead }
  /** The first `entries` are sound; `firstBad` is the number of the first entry that is not. */
  | {
      readonly ok: false
      readonly entries: number
      readonly firstBad: number
      readonly fault: AuditFault
      readonly keyed: boolean
    }

const PAGE_ROWS = 500
const FIRST: AuditHead = { seq: 0, hash: '' }

/**
 * Recomputes the chain from the first entry to the head. Entries may be appended meanwhile. Only with `expect` does it
 * see that the newest entries and the head were put back together to an earlier state: a head that was noted elsewhere, whose
 * entry has to be there, unchanged.
 */
export async function verifyRecord(
  database: Database,
  chain: AuditChain,
  expect: AuditHead | undefined,
): Promise<AuditVerdict> {
  const { head, alone, entries } = await readState(database)
  const bad = (sound: AuditHead, fault: AuditFault, firstBad = sound.seq + 1): AuditVerdict => ({
    ok: false,
    entries: sound.seq,
    firstBad,
    fault,
    keyed: chain.keyed,
  })
  let sound = FIRST
  for (;;) {
    const page = await readPage(database, sound.seq, head?.seq ?? Number.MAX_SAFE_INTEGER)
    for (const row of page) {
      if (row.seq !== sound.seq + 1 || !(await continues(database, chain, sound, row))) return bad(sound, 'entry')
      const next = { seq: row.seq, hash: row.hash }
      if (next.seq === expect?.seq && next.hash !== expect.hash) return bad(sound, 'replaced')
      sound = next
    }
    if (page.length < PAGE_ROWS) break
    // A page is computed in one go; between pages the rest of the process has its turn.
    await database.clock.sleep(0)
  }
  if (head !== undefined && sound.seq < head.seq) return bad(sound, 'entry')
  if (head?.hash !== sound.hash || !alone) return bad(sound, 'head', Math.max(1, sound.seq))
  // All numbers up to the head's were there, so what is too much stands outside of them.
  if (entries > sound.seq) return bad(sound, 'entry')
  if (expect !== undefined && expect.seq > sound.seq) return bad(sound, 'cut')
  return { ok: true, entries: sound.seq, keyed: chain.keyed, head: sound }
}

/** The head, whether it is the only row of its table, and how many entries there are: all at the same moment. */
async function readState(
  database: Database,
): Promise<{ readonly head: AuditHead | undefined; readonly alone: boolean; readonly entries: number }> {
  const row = await database.read((db) =>
    db
      .selectNoFrom((eb) => [
        eb
          .selectFrom('auditEntries')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('entries'),
        eb
          .selectFrom('auditHead')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('heads'),
        eb.selectFrom('auditHead').select('seq').where('id', '=', HEAD_ID).as('seq'),
        eb.selectFrom('auditHead').select('hash').where('id', '=', HEAD_ID).as('hash'),
      ])
      .executeTakeFirstOrThrow(),
  )
  return { head: StoredHead.safeParse(row).data, alone: row.heads === 1, entries: row.entries ?? 0 }
}

async function readPage(database: Database, after: number, last: number): Promise<readonly AuditEntriesTable[]> {
  return database.read((db) => {
    const page = db.selectFrom('auditEntries').selectAll().where('seq', '<=', last).orderBy('seq').limit(PAGE_ROWS)
    // Numbers start at 1: what stands below would be an addition, and the first page must show it.
    return (after === 0 ? page : page.where('seq', '>', after)).execute()
  })
}

const TEXTS = ['actor', 'team', 'operation', 'event', 'changeId', 'summary', 'detail'] as const

async function continues(database: Database, chain: AuditChain, sound: AuditHead, row: AuditEntriesTable) {
  if (!fits(chain, sound.hash, row)) return false
  if (!TEXTS.some((name) => row[name]?.includes('\u{FFFD}') === true)) return true
  // Bytes that are no text are read as U+FFFD, which may also have been written: only the database can tell them apart.
  const found = await database.read((db) =>
    db
      .selectFrom('auditEntries')
      .select('seq')
      .where('seq', '=', row.seq)
      .where((eb) => eb.and(TEXTS.map((name) => eb(name, 'is not distinct from', row[name]))))
      .executeTakeFirst(),
  )
  return found !== undefined
}

/**
 * Throws `StoreError` when the record was made with another key than `chain` has, or with none. Going on would leave a
 * record of two keys, which can never be proven any more. A record of which one end only does not fit was changed in
 * the database: that is for `verify` to say.
 */
export async function checkAuditKey(database: Database, chain: AuditChain): Promise<void> {
  const [first] = await database.read((db) =>
    db.selectFrom('auditEntries').selectAll().orderBy('seq').limit(1).execute(),
  )
  if (first === undefined || fits(chain, '', first)) return
  const [newest, before] = await database.read((db) =>
    db.selectFrom('auditEntries').selectAll().orderBy('seq', 'desc').limit(2).execute(),
  )
  if (newest !== undefined && before !== undefined && fits(chain, before.hash, newest)) return
  throw new StoreError('other', undefined, told(chain, first))
}

function told(chain: AuditChain, first: AuditEntriesTable): string {
  if (!chain.keyed) return `The record was made with a key, and AUDIT_KEY is not set. ${WITH_ITS_KEY}`
  if (fits(createAuditChain(undefined), '', first))
    return 'The record was made without a key, and AUDIT_KEY is set: all of it would look forged. Take AUDIT_KEY away; a key can begin with a new record only'
  return `The record was made with another key than AUDIT_KEY is. ${WITH_ITS_KEY}`
}

const WITH_ITS_KEY =
  'Start with the key that it was made with. If that is the one, the first entry was changed, which “audit verify” looks into without the bot'
