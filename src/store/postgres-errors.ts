import pg from 'pg'
import * as z from 'zod'
import { StoreError, type StoreErrorKind } from './store-error.ts'

/** A failure of PostgreSQL or of the way to it as a `StoreError`; undefined for any other error. */
export function postgresError(error: unknown): StoreError | undefined {
  if (error instanceof pg.DatabaseError) return fromServer(error)
  const system = SystemFailure.safeParse(error)
  if (system.success) return new StoreError('unreachable', system.data.code)
  if (error instanceof AggregateError) return postgresError(error.errors[0])
  if (error instanceof Error && LOST.some((sign) => error.message.includes(sign))) return new StoreError('unreachable')
  return undefined
}

const SystemFailure = z.object({ code: z.string(), syscall: z.string() })

/** How the driver words, in errors without a code, that a connection was not made, ended, or gives no answer. */
const LOST = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end on the pool',
  'Postgres connection has been discarded',
]

/** The server's message and detail may quote values. Only for mistakes in the statement itself does the message not. */
function fromServer({ code, message }: pg.DatabaseError): StoreError {
  const state = code ?? 'no code'
  const kind = KINDS[state] ?? KINDS[state.slice(0, 2)]
  if (kind !== undefined) return new StoreError(kind, state)
  if (/^(28|3D)/.test(state)) return new StoreError('other', state, NOT_LET_IN)
  return new StoreError('other', STATEMENT_MISTAKES.has(state) ? `${state}: ${message}` : state)
}

/** Codes, or classes of them by their first two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const KINDS: Readonly<Record<string, StoreErrorKind>> = {
  '40001': 'locked',
  '40P01': 'locked',
  '55P03': 'locked',
  '57014': 'locked',
  '53100': 'full',
  '25006': 'read_only',
  // Nothing was heard of this process in the middle of a transaction: the server ended the connection.
  '25P03': 'unreachable',
  '42501': 'read_only',
  '08': 'unreachable',
  '53': 'unreachable',
  '57': 'unreachable',
  '58': 'unreachable',
  XX: 'corrupt',
}

const NOT_LET_IN = 'The database server does not take the user, password or database of STORE_URL'

/** Syntax error, undefined column, undefined table, undefined function. */
const STATEMENT_MISTAKES: ReadonlySet<string> = new Set(['42601', '42703', '42P01', '42883'])
