import * as z from 'zod'
import { type Environment, readToolSettings } from '../config/settings.ts'
import type { Clock } from '../shared/clock.ts'
import { ProblemsError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { StoreError } from '../store/schema/store-error.ts'
import { openForReading, type StoreReader } from '../store/store.ts'

export interface ToolContext {
  readonly environment: Environment
  readonly clock: Clock
  readonly log: Log
  /** Writes to the output and resolves when that has been taken. Rejects when nobody reads it any more. */
  readonly print: (text: string) => Promise<void>
  readonly complain: (line: string) => void
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a person is told of what a tool cannot take: arguments, settings, files, a store. Throws on a fault of the program. */
export function complaintOf(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (error instanceof StoreError) return `The store could not be read: ${error.message}`
  if (error instanceof ProblemsError) return error.problems.join('\n')
  throw error
}

/** Prints how a tool is used, where its first argument asks for that; whether it did. */
export async function printHelp(argument: string | undefined, usage: string, { print }: ToolContext): Promise<boolean> {
  if (argument !== '--help' && argument !== '-h' && argument !== 'help') return false
  await print(`${usage}\n`)
  return true
}

/** Runs a parser of arguments; what it refuses becomes a `UsageError`. */
export function parseOptions<Options>(parse: () => Options): Options {
  try {
    return parse()
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${error.message.split('. ', 1)[0]}.`) : error
  }
}

const Time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })])
  .transform((text) => new Date(text))

/** A day, its beginning in UTC, or a time with its zone. */
export function parseTime(option: string, text: string): Date {
  const time = Time.safeParse(text)
  if (time.success) return time.data
  throw new UsageError(`${option} is a day such as 2026-11-20, or a time such as 2026-11-20T10:00Z.`)
}

/** Works on a store that is only read, and closes it: the one at `url`, else that of the settings. */
export async function withStore<T>(
  url: string | undefined,
  { environment: { variables, readFile }, clock, log }: ToolContext,
  work: (store: StoreReader, settings: ReturnType<typeof readToolSettings>) => Promise<T>,
): Promise<T> {
  const chosen = url === undefined ? variables : { ...variables, STORE_URL: url, STORE_URL_FILE: undefined }
  const settings = readToolSettings({ variables: chosen, readFile })
  const store = await openForReading({ url: settings.STORE_URL, clock, log, auditKey: settings.AUDIT_KEY })
  try {
    return await work(store, settings)
  } finally {
    await store.close()
  }
}
