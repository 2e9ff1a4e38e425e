import type { Block } from '../block-kit/blocks.ts'
import { messageOf, paragraphs, smallPrint, titledList } from '../block-kit/message.ts'
import { code, md, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { bullets, preformatted, section } from '../block-kit/sections.ts'
import type { Answer, AnswerButton } from './answer.ts'
import { defineOperation } from './define-operation.ts'
import { text } from './fields.ts'
import { matchInCatalog } from './find-operation.ts'
import type { CatalogEntry, Operation, OperationContext } from './operation.ts'
import { mayGetGraver, promptWords, sentenceStart, whomToAsk } from './prompt-words.ts'
import { atLeast } from './role.ts'
import { type OptionUsage, optionUsages, shortUsage, usageLine } from './usage.ts'

/** Slack shows few buttons in a row well. */
const MAX_FORM_BUTTONS = 5
const MAX_EXAMPLES = 5

export const help = defineOperation({
  name: 'help',
  aliases: ['commands', 'how', '?'],
  summary: 'Show what you may do, with examples and forms',
  effect: 'read',
  minimumRole: 'none',
  audience: 'caller',
  fields: { operation: text({ label: 'Operation', hint: 'What to explain, such as dns add.', maxLength: 100 }) },
  positionals: ['operation'],
  examples: ['help', 'help dns add', 'help zones'],
  describe: ({ operation }) => `Show the help${operation === undefined ? '' : ` for ${operation}`}`,
  run: async () => undefined,
  present: (_, { operation }, context) => (operation === undefined ? overview(context) : helpAbout(operation, context)),
})

function helpAbout(words: string, context: OperationContext): Answer {
  const { catalog } = context
  const match = matchInCatalog(words, catalog)
  if (match.kind === 'one') {
    const entry = catalog.find(({ operation }) => operation === match.operation)
    if (entry !== undefined) return operationHelp(entry, context)
  }
  if (match.kind === 'several') {
    const meant = catalog.filter(({ operation }) => match.operations.includes(operation))
    return page(md`*${words}*`, meant, context)
  }
  const near = match.kind === 'none' ? match.suggestion : undefined
  const said =
    near === undefined
      ? md`There is nothing called ${code(words)}. This is what there is:`
      : md`There is nothing called ${code(words)}. Did you mean ${code(near.name)}?`
  return page(said, catalog, context)
}

function overview(context: OperationContext): Answer {
  const { actor } = context
  const role = actor.role === 'none' ? 'You have no role here' : `Your role is ${actor.role}`
  return page(md`*What you may do here.* ${role}: ${actor.roleSource}.`, context.catalog, context)
}

/** Operations by what happens when they are asked for, a line each; then examples to copy. */
function page(title: Mrkdwn, catalog: readonly CatalogEntry[], running: OperationContext): Answer {
  const { command } = running
  const allowed = catalog.filter(({ decision }) => decision.kind !== 'deny')
  const groups = [...Map.groupBy(allowed, promptWords)].map(([prompt, entries]) =>
    titledList(
      sentenceStart(prompt),
      entries.map(({ operation }) => md`${code(`${command} ${shortUsage(operation)}`)}: ${operation.summary}`),
    ),
  )
  const examples = examplesOf(allowed, command)
  const shown = examples.length === 0 ? [] : [section(md`*For example*`), preformatted(examples.join('\n'))]
  const said = examples.length === 0 ? [] : ['For example:', ...examples.map((example) => `- ${example}`)]
  const small = smallPrint(...pageNotes(catalog, running))
  return {
    message: messageOf(paragraphs(title), ...groups, { blocks: shown, lines: said }, small),
    buttons: formButtons(allowed),
  }
}

/** One for each operation that takes more than its name: those one can also fill in. */
function examplesOf(allowed: readonly CatalogEntry[], command: string): readonly string[] {
  return allowed
    .filter(({ operation }) => operation.form !== undefined)
    .flatMap(({ operation }) => operation.examples.filter((example) => example !== operation.name).slice(0, 1))
    .slice(0, MAX_EXAMPLES)
    .map((example) => `${command} ${example}`)
}

function pageNotes(catalog: readonly CatalogEntry[], running: OperationContext): readonly Mrkdwn[] {
  const { actor, command } = running
  const denied = catalog.filter(({ decision }) => decision.kind === 'deny').map(({ operation }) => operation)
  const some = catalog.find(({ operation }) => operation.form !== undefined)
  return [
    md`All options of one of them: ${code(`${command} help ${some?.operation.name ?? 'whoami'}`)}. Text with spaces goes in quotes; options begin with ${code('--')} and stand anywhere.`,
    ...notAllowed(
      'Not for your role',
      denied.filter(({ minimumRole }) => !atLeast(actor.role, minimumRole)),
      () => `${command} whoami`,
    ),
    ...notAllowed(
      'Not now or here',
      denied.filter(({ minimumRole }) => atLeast(actor.role, minimumRole)),
      ({ name }) => `${command} whoami ${name}`,
    ),
    ...(actor.role === 'none' ? [whomToAsk(running)] : []),
  ]
}

/** A role that is too low is one thing; a rule, or Slack's silence, stands in the way of those who have the role. */
function notAllowed(words: string, denied: readonly Operation[], why: (first: Operation) => string): readonly Mrkdwn[] {
  const [first] = denied
  return first === undefined
    ? []
    : [md`${words}: ${denied.map(({ name }) => name).join(', ')}. Why: ${code(why(first))}.`]
}

/** Writes first: they are what one would rather fill in than type. */
function formButtons(allowed: readonly CatalogEntry[]): readonly AnswerButton[] {
  const forms = allowed.map(({ operation }) => operation).filter(({ form }) => form !== undefined)
  const isWrite = (effect: string): number => Number(effect !== 'read' && effect !== 'sensitive read')
  return forms
    .toSorted((a, b) => isWrite(b.baseEffect) - isWrite(a.baseEffect))
    .slice(0, MAX_FORM_BUTTONS)
    .map(({ name }) => ({ kind: 'form', label: `${name} …`, operation: name, values: {} }))
}

/** Few enough for a section, whatever their rules say. */
const LIST_LINES = 8

function operationHelp(entry: CatalogEntry, { command }: Pick<OperationContext, 'command'>): Answer {
  const { operation, decision } = entry
  const examples = operation.examples.map((example) => `${command} ${example}`)
  const options = optionUsages(operation).map(optionLine)
  const title = md`*${operation.name}*: ${operation.summary}`
  const usage = code(`${command} ${usageLine(operation)}`)
  const exampleList = {
    blocks: [section(md`*Examples*`), preformatted(examples.join('\n'))],
    lines: examples.map((example) => `Example: ${example}`),
  }
  const optionList = {
    blocks: options.length === 0 ? [] : [section(md`*Options*`), ...inLists(options)],
    lines: options.map((option) => `- ${plainOf(option)}`),
  }
  const small = smallPrint(...operationNotes(entry, command))
  const opens = operation.form !== undefined && decision.kind !== 'deny'
  return {
    message: messageOf(paragraphs(md`${title}\n${usage}`), small, exampleList, optionList),
    ...(opens && { buttons: [{ kind: 'form', label: 'Open the form', operation: operation.name, values: {} }] }),
  }
}

function operationNotes(entry: CatalogEntry, command: string): readonly Mrkdwn[] {
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
