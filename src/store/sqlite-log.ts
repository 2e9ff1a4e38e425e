import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** As much as the steps of a change write, from its form to the message about its end. */
export const LOG_ROOM_BYTES = 256 * 1_024

/**
 * Gives the empty write-ahead log of a database room for what comes next. To make a file longer, the disk has to write
 * down where its new parts are, which takes as long again as what is written; what lies over old bytes spares that, and
 * every commit waits for the disk.
 *
 * The room is zeros, which SQLite takes for an empty log, as it does after a crash. A log that holds anything stays as it is,
 * and under the lock of a writer nobody puts anything in meanwhile. Throws what SQLite or the file system throws; the
 * store is sound then, too.
 */
export function layOutLog(database: DatabaseSync, path: string): void {
  database.exec('begin immediate')
  try {
    const log = `${path}-wal`
    if (statSync(log).size > 0) return
    const file = openSync(log, constants.O_WRONLY)
    try {
      writeSync(file, Buffer.alloc(LOG_ROOM_BYTES), 0, LOG_ROOM_BYTES, 0)
    } finally {
      closeSync(file)
    }
  } finally {
    database.exec('rollback')
  }
}
