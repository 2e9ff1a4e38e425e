import { parseArgs } from 'node:util'
import { readHead, formatHead, describeVerdict, auditFile } from '../operations/audit/audit.ts'
import type { AuditHead } from '../store/schema/audit-chain.ts'
import type { RecordedEntry } from '../store/schema/audit-entry.ts'
import type { AuditFilter } from '../store/audit/audit-log.ts'
import { StoreError } from '../store/schema/store-error.ts'
import type { StoreReader } from '../store/store.ts'
import { EXIT_CONFIGURATION } from './exit.ts'
import {
  complaintOf,
  parseOptions,
  parseTime,
  printHelp,
  type ToolContext,
  UsageError,
  withStore,
} from './command-line.ts'

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

Ends with 0 when the audit log is intact, with 1 when it is not, with 78 when nothing could be looked at.`

/**
 * Verifies or exports the record of a store that it only reads, and returns the exit code: 0 when that is sound, 1 when
 * it is not what was written, 78 when what was asked for cannot be done.
 */
export async function runAudit(args: readonly string[], context: ToolContext): Promise<number> {
  try {
    return await run(args, context)
  } catch (error) {
    context.complain(complaintOf(error, USAGE))
    return error instanceof StoreError && error.kind === 'corrupt' ? EXIT_BROKEN : EXIT_CONFIGURATION
  }
}

const TEXT = { type: 'string' } as const

async function run([command, ...args]: readonly string[], context: ToolContext): Promise<number> {
  if (await printHelp(command, USAGE, context)) return EXIT_SOUND
  if (command === 'verify') {
    const { values } = parseOptions(() => parseArgs({ args, options: { store: TEXT, expect: TEXT } }))
    const head = values.expect === undefined ? undefined : readHead(values.expect)
    if (values.expect !== undefined && head === undefined)
      throw new UsageError('--expect is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….')
    return withStore(values.store, context, (store) => verify(store, head, context))
  }
  if (command === 'export') {
    const options = { store: TEXT, format: { ...TEXT, default: 'jsonl' }, since: TEXT, until: TEXT } as const
    const { store: url, format: name, since, until } = parseOptions(() => parseArgs({ args, options })).values
    const format = FORMATS.find((each) => each === name)
    if (format === undefined) throw new UsageError(`--format is ${FORMATS.join(' or ')}.`)
    const filter = {
      from: since === undefined ? undefined : parseTime('--since', since),
      until: until === undefined ? undefined : parseTime('--until', until),
    }
    return withStore(url, context, (store) => writeEntries(store, format, filter, context))
  }
  throw new UsageError('Say what to do with the audit log: verify or export.')
}

async function verify({ audit }: StoreReader, expect: AuditHead | undefined, { print }: ToolContext): Promise<number> {
  const verdict = await audit.verify({ expect })
  const { headline, sentences } = describeVerdict(verdict, expect)
  const head = verdict.ok && verdict.entries > 0 ? [`Head, to note elsewhere: ${formatHead(verdict.head)}`] : []
  await print(`${[`${headline}.`, ...sentences, ...head].join('\n')}\n`)
  return verdict.ok ? EXIT_SOUND : EXIT_BROKEN
}

/** Page by page, so that a record of any length fits. */
async function writeEntries(
  { audit }: StoreReader,
  format: (typeof FORMATS)[number],
  filter: Pick<AuditFilter, 'from' | 'until'>,
  { print, complain, clock }: ToolContext,
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
