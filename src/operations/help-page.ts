import type { Block } from '../block-kit/blocks.ts'
import { message } from '../block-kit/message.ts'
import { code, md, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { bullets, context, preformatted, section } from '../block-kit/sections.ts'
import type { Answer } from './answer.ts'
import type { CatalogEntry, OperationContext } from './operation.ts'
import { mayGetGraver, promptWords } from './prompt-words.ts'
import { type OptionUsage, optionUsages, usageLine } from './usage.ts'

const EXAMPLES = 'Examples'
const OPTIONS = 'Options'
/** Few enough for a section, whatever their rules say. */
const LIST_LINES = 8

/** The help of one operation: how it is typed, examples, every option with its rule, and what this person gets. */
export function operationHelp(entry: CatalogEntry, { command }: Pick<OperationContext, 'command'>): Answer {
  const { operation, decision } = entry
  const examples = operation.examples.map((example) => `${command} ${example}`)
  const options = optionUsages(operation).map(optionLine)
  const small = smallPrint(entry, command)
  const title = md`*${operation.name}*: ${operation.summary}`
  const usage = code(`${command} ${usageLine(operation)}`)
  const text = [
    plainOf(title),
    plainOf(usage),
    ...small.map(plainOf),
    ...examples.map((example) => plainOf(md`Example: ${example}`)),
    ...options.map((option) => plainOf(md`- ${option}`)),
  ]
  const blocks = [
    section(md`${title}\n${usage}`),
    ...small.map((line) => context(line)),
    section(md`*${EXAMPLES}*`),
    preformatted(examples.join('\n')),
    ...(options.length === 0 ? [] : [section(md`*${OPTIONS}*`), ...inLists(options)]),
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

/** A line each: a table would cut the rules where it is drawn as text, and they are what one comes for. */
function optionLine({ typed, label, required, rule }: OptionUsage): Mrkdwn {
  return md`${code(typed)}${required ? ' needed.' : ''} ${rule === '' ? `${label}.` : rule}`
}

function inLists(lines: readonly Mrkdwn[]): readonly Block[] {
  const lists: Block[] = []
  for (let at = 0; at < lines.length; at += LIST_LINES) lists.push(bullets(lines.slice(at, at + LIST_LINES)))
  return lists
}
