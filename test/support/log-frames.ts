/** What of a write-ahead log of SQLite is in use; a log may be longer than that. */
export interface LogFrames {
  readonly count: number
  readonly bytes: number
  /** Where the last of them ends. */
  readonly endsAt: number
}

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_SIZE_AT = 8
/** Two numbers that a log gives each of its frames, and changes whenever it begins anew. */
const SALT_AT = 16
const SALT_IN_FRAME_AT = 8
const SALT_BYTES = 8

/** Counts the frames from the beginning on that carry the salt of the log. Everything else is left over or was never written. */
export function framesIn(log: Buffer): LogFrames {
  const salt = log.subarray(SALT_AT, SALT_AT + SALT_BYTES)
  const pageBytes = log.length < HEADER_BYTES ? 0 : log.readUInt32BE(PAGE_SIZE_AT)
  if (pageBytes === 0) return { count: 0, bytes: 0, endsAt: 0 }
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  let count = 0
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes, count += 1) {
    const saltAt = at + SALT_IN_FRAME_AT
    if (!log.subarray(saltAt, saltAt + SALT_BYTES).equals(salt)) break
  }
  return { count, bytes: count * frameBytes, endsAt: HEADER_BYTES + count * frameBytes }
}
