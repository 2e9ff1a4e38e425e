import { parseArgs } from 'node:util'
import * as z from 'zod'
import { type Environment, readStoreSettings, SettingsError } from '../config/settings.ts'
import { headIn, headText, verdictWords } from '../operations/audit/audit-verify.ts'
import { auditFile } from '../operations/audit/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { AuditHead } from '../store/audit-chain.ts'
import type { RecordedEntry } from '../store/audit-entry.ts'
import type { AuditFilter } from '../store/audit-log.ts'
import { StoreError } from '../store/store-error.ts'
import { openForReading, type StoreReader } from '../store/store.ts'
import { EXIT_CONFIGURATION } from './exit.ts'

export interface ToolSurroundings {
  readonly environment: Environment
  readonly clock: Clock
  readonly log: Log
  /** Writes to the output and resolves when that has been taken. Rejects when nobody reads it any more. */
  readonly print: (text: string) => Promise<void>
  readonly complain: (line: string) => void
}

const FORMATS = ['csv', 'jsonl'] as const

const EXIT_SOUND = 0
const EXIT_BROKEN = 1

const USAGE = `Checks the audit log, or writes it out, without the bot: while it is stopped, or on a copy of its store.

  npm run audit -- verify [--expect seq:mac] [--store path|postgres://…]
  npm run audit --silent -- export [--format csv|jsonl] [--since time] [--until time] [--store path|postgres://…]

  --expect   A head noted earlier: shows whether newer entries were cut off since.
  --store    Which store; else STORE_URL, as for the bot. AUDIT_KEY is read as for the bot, too.
  --format   jsonl, one object a line, unless csv is asked for.
  --since    From this time on: 2026-11-20, or 2026-11-20T10:00:00Z. Days are in UTC.
  --until    Up to this time, without it.

Ends with 0 when the record is sound, with 1 when it is not, with 78 when nothing could be looked at.`

/**
 * Verifies or exports the record of a store that it only reads, and returns the exit code: 0 when that is sound, 1 when
 * it is not what was written, 78 when what was asked for cannot be done.
 */
export async function runAudit(args: readonly string[], surroundings: ToolSurroundings): Promise<number> {
  try {
    return await run(args, surroundings)
  } catch (error) {
    const { complain } = surroundings
    if (error instanceof UsageError) complain(`${error.message}\n\n${USAGE}`)
    else if (error instanceof SettingsError) complain(error.problems.join('\n'))
    else if (error instanceof StoreError) complain(`The record could not be read: ${error.message}`)
    else throw error
    return error instanceof StoreError && error.kind === 'corrupt' ? EXIT_BROKEN : EXIT_CONFIGURATION
  }
}

/** What was typed cannot be taken; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

async function run([command, ...args]: readonly string[], surroundings: ToolSurroundings): Promise<number> {
  switch (command) {
    case 'verify': {
      const { store, expect } = options(args, ['store', 'expect'])
      const head = expect === undefined ? undefined : readHead(expect)
      return reading(store, surroundings, (record) => verify(record, head, surroundings))
    }
    case 'export': {
      const { store, format = 'jsonl', since, until } = options(args, ['store', 'format', 'since', 'until'])
      const known = FORMATS.find((name) => name === format)
      if (known === undefined) throw new UsageError(`--format is ${FORMATS.join(' or ')}.`)
      const filter = { from: readTime('--since', since), until: readTime('--until', until) }
      return reading(store, surroundings, (record) => write(record, known, filter, surroundings))
    }
    case '--help':
    case '-h':
    case 'help':
      await surroundings.print(`${USAGE}\n`)
      return EXIT_SOUND
    default:
      throw new UsageError('Say what to do with the audit log: verify or export.')
  }
}

function options<Name extends string>(args: readonly string[], names: readonly Name[]): Partial<Record<Name, string>> {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    // The values have the names of the options, which are all of one type.
    return parseArgs({ args: [...args], options: known, allowPositionals: false }).values as Partial<
      Record<Name, string>
    >
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(
      `That cannot be taken. It takes ${names.map((name) => `--${name}`).join(', ')}, each with a value.`,
    )
  }
}

function readHead(text: string): AuditHead {
  const head = headIn(text)
  if (head !== undefined) return head
  throw new UsageError('--expect is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….')
}

function readTime(option: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : typedTime(text)
  if (text === undefined || time !== undefined) return time
  throw new UsageError(`${option} is a day such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z.`)
}

export function storeAt(url: string | undefined, { variables, readFile }: Environment): Environment {
  const chosen = url === undefined ? variables : { ...variables, STORE_URL: url, STORE_URL_FILE: undefined }
  return { variables: chosen, readFile }
}

async function reading(
  store: string | undefined,
  { environment, clock, log }: ToolSurroundings,
  work: (record: StoreReader) => Promise<number>,
): Promise<number> {
  const { STORE_URL, AUDIT_KEY } = readStoreSettings(storeAt(store, environment))
  const record = await openForReading({ url: STORE_URL, clock, log, auditKey: AUDIT_KEY })
  try {
    return await work(record)
  } finally {
    await record.close()
  }
}

async function verify(
  { audit }: StoreReader,
  expect: AuditHead | undefined,
  { print }: ToolSurroundings,
): Promise<number> {
  const verdict = await audit.verify({ expect })
  const { headline, sentences } = verdictWords(verdict, expect)
  const head = verdict.ok && verdict.entries > 0 ? [`Head, to note elsewhere: ${headText(verdict.head)}`] : []
  await print(`${[`${headline}.`, ...sentences, ...head].join('\n')}\n`)
  return verdict.ok ? EXIT_SOUND : EXIT_BROKEN
}

/** Page by page, so that a record of any length fits. */
async function write(
  { audit }: StoreReader,
  format: (typeof FORMATS)[number],
  filter: Pick<AuditFilter, 'from' | 'until'>,
  { print, complain, clock }: ToolSurroundings,
): Promise<number> {
  const rows = (page: readonly RecordedEntry[]): string => auditFile(page, clock.now()).content
  const titles = rows([])
  if (format === 'csv') await print(titles)
  let entries = 0
  for await (const page of audit.pages(filter)) {
    await print(
      format === 'csv' ? rows(page).slice(titles.length) : page.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    )
    entries += page.length
  }
  complain(`Entries written: ${entries}. Whether they are what was recorded is what verify says.`)
  return EXIT_SOUND
}

const Time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })])
  .transform((text) => new Date(text))

/** A day, its beginning in UTC, or a time with its zone, as it is typed in a terminal; undefined for anything else. */
export function typedTime(text: string): Date | undefined {
  const time = Time.safeParse(text)
  return time.success ? time.data : undefined
}
