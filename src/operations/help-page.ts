import { message } from '../block-kit/message.ts'
import { code, md, plainOf } from '../block-kit/mrkdwn.ts'
import { context, facts, preformatted, section, type Fact } from '../block-kit/sections.ts'
import { dataTable, tableText, type Table } from '../block-kit/table.ts'
import type { Answer } from './answer.ts'
import type { CatalogEntry, Operation, OperationContext } from './operation.ts'
import { mayGetGraver, promptWords } from './prompt-words.ts'
import { optionUsages, usageLine } from './usage.ts'

const EXAMPLES = 'Examples'
const PAGE_ROWS = 25

/** The help of one operation: how it is typed, every option with its rule, examples, and what this person gets. */
export function operationHelp(entry: CatalogEntry, { command }: Pick<OperationContext, 'command'>): Answer {
  const { operation, decision } = entry
  const examples = operation.examples.map((example) => `${command} ${example}`).join('\n')
  const about: readonly Fact[] = [
    ['Effect', operation.baseEffect],
    ['Least role', operation.minimumRole === 'none' ? 'anyone' : operation.minimumRole],
    ['Who sees the answer', operation.audience === 'caller' ? 'only who asks' : 'the channel'],
    ['For you', promptWords(entry)],
  ]
  const table = optionTable(operation)
  const small = [
    decision.reason,
    ...(mayGetGraver(entry)
      ? ['An input that may be billed or cannot be undone can ask for more; the review says so.']
      : []),
    ...(operation.aliases.length > 0
      ? [md`Also typed as ${operation.aliases.map((alias) => `${command} ${alias}`).join(', ')}.`]
      : []),
  ]
  const title = md`*${operation.name}*: ${operation.summary}`
  const usage = code(`${command} ${usageLine(operation)}`)
  const text = [
    plainOf(title),
    plainOf(usage),
    ...about.map(([label, value]) => plainOf(md`${label}: ${value}`)),
    examples,
    ...(table.rows.length === 0 ? [] : [tableText(table, table.rows.length)]),
    ...small.map((line) => plainOf(md`${line}`)),
  ]
  const blocks = [
    section(title),
    section(usage),
    ...facts(about),
    ...(table.rows.length === 0 ? [] : [dataTable(table)]),
    section(md`*${EXAMPLES}*`),
    preformatted(examples),
    ...small.map((line) => context(line)),
  ]
  const opens = operation.form !== undefined && decision.kind !== 'deny'
  return {
    message: message({ text: text.join('\n'), blocks }),
    ...(opens && { buttons: [{ kind: 'form', label: 'Open the form', operation: operation.name, values: {} }] }),
  }
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
