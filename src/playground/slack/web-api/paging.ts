import { SlackError } from '../slack-error.ts'

const CURSOR = /^from:(\d{1,6})$/

/** One page of a list and the cursor of the next, empty at the end. Throws `invalid_cursor`. */
export function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  limit: number,
): { readonly items: readonly T[]; readonly next: string } {
  const start = startOf(cursor)
  const end = start + Math.max(limit, 1)
  return { items: all.slice(start, end), next: end < all.length ? Buffer.from(`from:${end}`).toString('base64') : '' }
}

function startOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  const [, digits] = CURSOR.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (digits === undefined) throw new SlackError('invalid_cursor')
  return Number(digits)
}
