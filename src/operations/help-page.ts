import { message } from '../block-kit/message.ts'
import { code, md, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { context, preformatted, section } from '../block-kit/sections.ts'
import { dataTable, tableText, type Table } from '../block-kit/table.ts'
import type { Answer } from './answer.ts'
import type { CatalogEntry, Operation, OperationContext } from './operation.ts'
import { mayGetGraver, promptWords } from './prompt-words.ts'
import { optionUsages, usageLine } from './usage.ts'

const EXAMPLES = 'Examples'
const PAGE_ROWS = 25

/** The help of one operation: how it is typed, examples, every option with its rule, and what this person gets. */
export function operationHelp(entry: CatalogEntry, { command }: Pick<OperationContext, 'command'>): Answer {
  const { operation, decision } = entry
  const examples = operation.examples.map((example) => `${command} ${example}`)
  const table = optionTable(operation)
  const small = smallPrint(entry, command)
  const title = md`*${operation.name}*: ${operation.summary}`
  const usage = code(`${command} ${usageLine(operation)}`)
  const text = [
    plainOf(title),
    plainOf(usage),
    ...small.map(plainOf),
    ...examples.map((example) => plainOf(md`Example: ${example}`)),
    ...(table.rows.length === 0 ? [] : [tableText(table, table.rows.length)]),
  ]
  const blocks = [
    section(md`${title}\n${usage}`),
    ...small.map((line) => context(line)),
    section(md`*${EXAMPLES}*`),
    preformatted(examples.join('\n')),
    ...(table.rows.length === 0 ? [] : [dataTable(table)]),
  ]
  const opens = operation.form !== undefined && decision.kind !== 'deny'
  return {
    message: message({ text: text.join('\n'), blocks }),
    ...(opens && { buttons: [{ kind: 'form', label: 'Open the form', operation: operation.name, values: {} }] }),
  }
}

function smallPrint(entry: CatalogEntry, command: string): readonly Mrkdwn[] {
  const { operation, decision } = entry
  const role = operation.minimumRole === 'none' ? 'for anyone' : `least role ${operation.minimumRole}`
  const audience = operation.audience === 'caller' ? 'only you see the answer' : 'the channel sees the answer'
  return [
    md`For you: ${promptWords(entry)}. ${decision.reason}`,
    md`A ${operation.baseEffect}, ${role}; ${audience}.`,
    ...(mayGetGraver(entry)
      ? [md`An input that may be billed or cannot be undone can ask for more; the review says so.`]
      : []),
    ...(operation.aliases.length > 0
      ? [md`Also typed as ${operation.aliases.map((alias) => `${command} ${alias}`).join(', ')}.`]
      : []),
  ]
}

function optionTable(operation: Operation): Table {
  return {
    caption: `Options of ${operation.name}`,
    columns: [
      { title: 'Option', kind: 'text' },
      { title: 'What it is', kind: 'text' },
      { title: 'Needed', kind: 'text' },
      { title: 'Rule', kind: 'text', width: 60 },
    ],
    rows: optionUsages(operation).map(({ typed, label, required, rule }) => [
      typed,
      label,
      required ? 'yes' : 'no',
      rule,
    ]),
    pageSize: PAGE_ROWS,
  }
}
