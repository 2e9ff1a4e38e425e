import { count } from '../../block-kit/amounts.ts'
import { UserError } from '../../shared/errors.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import { type AuditFilter, MAX_AUDIT_PAGE_ROWS } from '../../store/audit-log.ts'
import { matchOperation } from '../find-operation.ts'
import type { OperationContext } from '../operation.ts'
import type { AuditQuestion } from './audit-words.ts'

/** How many entries one answer shows. */
export const SHOWN_ENTRIES = 25
/** How many entries a file takes. */
export const MAX_FILE_ENTRIES = 10_000

/** Entries that fit the question, the newest first. */
export interface AuditReading {
  /** Those of one answer, or of a whole file. */
  readonly entries: readonly RecordedEntry[]
  /** Whether there are older ones that fit. */
  readonly hasMore: boolean
  /** Set when the words name no operation: entries of what is gone can still be found by its exact name. */
  readonly unknownOperation?: { readonly typed: string; readonly suggestion: string | undefined } | undefined
}

/** Reads as many entries as an answer shows, or as a file takes, and finds out whether there are more. */
export async function readRecord(question: AuditQuestion, context: OperationContext): Promise<AuditReading> {
  const { who, since, until, before, csv } = question
  const { name, unknownOperation } = operationMeant(question.operation, context)
  const filter: AuditFilter = { actor: who, operation: name, from: since, until }
  const wanted = csv === true ? MAX_FILE_ENTRIES : SHOWN_ENTRIES
  const entries = await readNewest(filter, { before, limit: wanted + 1 }, context)
  return { entries: entries.slice(0, wanted), hasMore: entries.length > wanted, unknownOperation }
}

async function readNewest(
  filter: AuditFilter,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
  context: Pick<OperationContext, 'store' | 'progress'>,
): Promise<readonly RecordedEntry[]> {
  const entries: RecordedEntry[] = []
  while (entries.length < limit) {
    const rows = Math.min(limit - entries.length, MAX_AUDIT_PAGE_ROWS)
    const page = await context.store.audit.list({ ...filter, before: entries.at(-1)?.seq ?? before, limit: rows })
    entries.push(...page)
    if (page.length < rows || entries.length >= limit) break
    context.progress(`Read ${count(entries.length)} entries of the audit log`)
  }
  return entries
}

interface OperationMeant {
  readonly name: string | undefined
  readonly unknownOperation: AuditReading['unknownOperation']
}

function operationMeant(words: string | undefined, { catalog }: Pick<OperationContext, 'catalog'>): OperationMeant {
  if (words === undefined) return { name: undefined, unknownOperation: undefined }
  const match = matchOperation(
    words,
    catalog.map(({ operation }) => operation),
  )
  if (match.kind === 'one') return { name: match.operation.name, unknownOperation: undefined }
  if (match.kind === 'none') {
    return { name: words, unknownOperation: { typed: words, suggestion: match.suggestion?.name } }
  }
  const names = match.operations.map(({ name }) => name).join(', ')
  throw new UserError(
    'invalid_input',
    `${words} is several operations, so nothing was read.`,
    `Name one of them: ${names}`,
  )
}
