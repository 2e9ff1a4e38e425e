/** Why the store did not do what was asked, by what can be done about it. */
export type StoreErrorKind =
  /** Somebody else held it for longer than the patience of a call. Nothing was changed; the same call may succeed later. */
  | 'locked'
  /** This process asks it for too much at once. Nothing was changed; the same call may succeed later. */
  | 'busy'
  /** No space left. Reading goes on. */
  | 'full'
  /** The process may read but not write. */
  | 'read_only'
  /** What is stored is not what was written, or cannot be read as such. */
  | 'corrupt'
  | 'in_use'
  /** The server or the disk does not answer. Nothing was changed. */
  | 'unreachable'
  /** The same when a write was being committed: whether it was is not known. */
  | 'unanswered'
  | 'other'

/**
 * Every failure of the store. Message and code say what failed, never what was in a row, so it may be logged and
 * shown whole. There is no `cause`: a database's own message may quote values.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind
  /** The database's own code for it, such as `SQLITE_FULL` or `40001`. */
  readonly code: string | undefined

  constructor(kind: StoreErrorKind, code?: string, message: string = SENTENCES[kind]) {
    super(code === undefined ? message : `${message} (${code})`)
    this.kind = kind
    this.code = code
  }

  /** Whether the disk did not keep what it was to keep: what the process takes for written may be gone then. */
  get isSyncFailure(): boolean {
    return this.code === 'SQLITE_IOERR_FSYNC'
  }

  /**
   * Whether a start that failed with it is worth another try, without anybody doing anything. A server that takes no writes
   * may be about to be replaced by the one that does.
   */
  get mayPass(): boolean {
    return this.kind === 'unreachable' || this.kind === 'locked' || this.code === SERVER_READ_ONLY
  }
}

/** A standby of PostgreSQL, or one that is told to take none. */
const SERVER_READ_ONLY = '25006'

/** It has no tables yet, or those of an older version: a start of the bot makes them, or brings them up to date. */
export class UnpreparedStoreError extends StoreError {
  constructor(message: string) {
    super('other', undefined, message)
  }
}

/** Another replica does this now. Nothing was written. */
export class LeaseLostError extends StoreError {
  constructor() {
    super('other', undefined, 'Another replica holds the lease now')
  }
}

const SENTENCES: Readonly<Record<StoreErrorKind, string>> = {
  locked: 'The store was locked for too long',
  busy: 'The store has too much to do at this moment',
  full: 'The store has no space left',
  read_only: 'The store cannot be written to',
  corrupt: 'The store is damaged',
  in_use: 'The store is used by another process',
  unreachable: 'The store does not answer',
  unanswered: 'The store did not say whether it committed',
  other: 'The store refused the statement',
}
