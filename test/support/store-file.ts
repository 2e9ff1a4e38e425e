import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A change as it stands in the file of a store. */
export interface ChangeRow {
  readonly id: string
  readonly state: string
  readonly operation: string
  readonly values: string
}

/** An entry of the audit log as it stands in the file of a store. */
export interface AuditRow {
  readonly event: string
  readonly operation: string
  readonly actor: string
  readonly changeId: string | null
}

/** Changes, oldest first, read beside the program. */
export function changesIn(path: string): readonly ChangeRow[] {
  return rowsOf(path, 'select id, state, operation, "values" from changes order by created_at, id') as ChangeRow[]
}

/** The audit log, oldest first, read beside the program. */
export function auditIn(path: string): readonly AuditRow[] {
  return rowsOf(
    path,
    'select event, operation, actor, change_id as "changeId" from audit_entries order by seq',
  ) as AuditRow[]
}

/** All that a store has on disk: the file, its log and the index of the log. */
export function bytesOf(path: string): Buffer {
  return Buffer.concat(
    ['', '-wal', '-shm'].filter((end) => existsSync(path + end)).map((end) => readFileSync(path + end)),
  )
}

/** Names of the tables that have rows. */
export function filledTables(path: string): readonly string[] {
  const tables = rowsOf(path, "select name from sqlite_schema where type = 'table'") as { readonly name: string }[]
  return tables.map(({ name }) => name).filter((name) => rowsOf(path, `select 1 from ${name} limit 1`).length > 0)
}

function rowsOf(path: string, statement: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare(statement).all()
  } finally {
    database.close()
  }
}
