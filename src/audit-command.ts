import { parseArgs } from 'node:util'
import { type Environment, readStoreSettings, SettingsError } from './config.ts'
import { auditFile } from './operations/audit/audit-file.ts'
import { headIn, headText } from './operations/audit/head-field.ts'
import { verdictWords } from './operations/audit/verdict-words.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import type { RecordedEntry } from './store/audit-entry.ts'
import type { AuditHead } from './store/audit-head.ts'
import type { AuditFilter } from './store/audit-log.ts'
import { openRecord, type RecordReader } from './store/record-reader.ts'
import { StoreError } from './store/store-error.ts'

/** What a tool in a terminal has around it. */
export interface AuditSurroundings {
  readonly environment: Environment
  readonly clock: Clock
  readonly log: Log
  /** Writes to the output and resolves when that has been taken. Rejects when nobody reads it any more. */
  readonly print: (text: string) => Promise<void>
  /** Writes a line beside the output. */
  readonly complain: (line: string) => void
}

/** What is asked of the tool. */
export type AuditRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'verify'; readonly store: string | undefined; readonly expect: AuditHead | undefined }
  | {
      readonly kind: 'export'
      readonly store: string | undefined
      readonly format: AuditFormat
      readonly filter: Pick<AuditFilter, 'from' | 'until'>
    }

const FORMATS = ['csv', 'jsonl'] as const
type AuditFormat = (typeof FORMATS)[number]

const EXIT_SOUND = 0
const EXIT_BROKEN = 1
/** sysexits.h: what was typed or set is wrong, so nothing was looked at. */
const EXIT_CONFIGURATION = 78

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
export async function runAudit(args: readonly string[], surroundings: AuditSurroundings): Promise<number> {
  const { print, complain } = surroundings
  try {
    const request = readRequest(args)
    if (request.kind === 'help') {
      await print(`${USAGE}\n`)
      return EXIT_SOUND
    }
    const record = await open(request.store, surroundings)
    try {
      return await (request.kind === 'verify'
        ? verify(record, request.expect, surroundings)
        : write(record, request, surroundings))
    } finally {
      await record.close()
    }
  } catch (error) {
    if (error instanceof AuditUsageError) complain(`${error.message}\n\n${USAGE}`)
    else if (error instanceof SettingsError) complain(error.problems.join('\n'))
    else if (error instanceof StoreError) complain(`The record could not be read: ${error.message}`)
    else throw error
    return error instanceof StoreError && error.kind === 'corrupt' ? EXIT_BROKEN : EXIT_CONFIGURATION
  }
}

/** What was typed cannot be taken; the message says why. */
export class AuditUsageError extends Error {
  override readonly name = 'AuditUsageError'
}

/** Reads what was typed behind `audit`. Throws `AuditUsageError`. */
export function readRequest([command, ...args]: readonly string[]): AuditRequest {
  switch (command) {
    case 'verify': {
      const { store, expect } = options(args, ['store', 'expect'])
      return { kind: 'verify', store, expect: expect === undefined ? undefined : readHead(expect) }
    }
    case 'export': {
      const { store, format = 'jsonl', since, until } = options(args, ['store', 'format', 'since', 'until'])
      const known = FORMATS.find((name) => name === format)
      if (known === undefined) throw new AuditUsageError(`--format is ${FORMATS.join(' or ')}.`)
      return {
        kind: 'export',
        store,
        format: known,
        filter: { from: readTime('--since', since), until: readTime('--until', until) },
      }
    }
    case '--help':
    case '-h':
    case 'help':
      return { kind: 'help' }
    default:
      throw new AuditUsageError('Say what to do with the audit log: verify or export.')
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
    throw new AuditUsageError(
      `That cannot be taken. It takes ${names.map((name) => `--${name}`).join(', ')}, each with a value.`,
    )
  }
}

function readHead(text: string): AuditHead {
  const head = headIn(text)
  if (head !== undefined) return head
  throw new AuditUsageError('--expect is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….')
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

function readTime(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (TIME.test(text) && !Number.isNaN(time.getTime()) && isDay(text.slice(0, 10))) return time
  throw new AuditUsageError(`${option} is a day such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z.`)
}

/** JavaScript takes the 31st of November for the 1st of December. */
function isDay(day: string): boolean {
  return new Date(day).toISOString().startsWith(day)
}

function open(store: string | undefined, { environment, clock, log }: AuditSurroundings): Promise<RecordReader> {
  const { variables, readFile } = environment
  const chosen = store === undefined ? variables : { ...variables, STORE_URL: store, STORE_URL_FILE: undefined }
  const { STORE_URL, AUDIT_KEY } = readStoreSettings({ variables: chosen, readFile })
  return openRecord({ url: STORE_URL, clock, log, auditKey: AUDIT_KEY })
}

async function verify(
  { audit }: RecordReader,
  expect: AuditHead | undefined,
  { print }: AuditSurroundings,
): Promise<number> {
  const verdict = await audit.verify({ expect })
  const { headline, sentences } = verdictWords(verdict, expect)
  const head = verdict.ok && verdict.entries > 0 ? [`Head, to note elsewhere: ${headText(verdict.head)}`] : []
  await print(`${[`${headline}.`, ...sentences, ...head].join('\n')}\n`)
  return verdict.ok ? EXIT_SOUND : EXIT_BROKEN
}

/** Page by page, so that a record of any length fits. */
async function write(
  { audit }: RecordReader,
  { format, filter }: Extract<AuditRequest, { kind: 'export' }>,
  { print, complain, clock }: AuditSurroundings,
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
