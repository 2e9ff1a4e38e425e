import { message } from '../block-kit/message.ts'
import { code, joinMd, md, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { context, divider, section } from '../block-kit/sections.ts'
import type { Answer, AnswerButton } from './answer.ts'
import { defineOperation } from './define-operation.ts'
import { text } from './fields.ts'
import { matchOperation } from './find-operation.ts'
import { operationHelp } from './help-page.ts'
import type { CatalogEntry, OperationContext } from './operation.ts'
import { promptWords } from './prompt-words.ts'
import { usageLine } from './usage.ts'

/** Slack shows few buttons in a row well. */
const MAX_FORM_BUTTONS = 5

/** `help`: what this person may do, and how it is typed. */
export const help = defineOperation({
  name: 'help',
  aliases: ['commands', 'how', '?'],
  summary: 'Show what you may do, with examples and forms',
  effect: 'read',
  minimumRole: 'none',
  audience: 'caller',
  shareable: false,
  fields: { operation: text({ label: 'Operation', hint: 'What to explain, such as dns add.', maxLength: 100 }) },
  positionals: ['operation'],
  examples: ['help', 'help dns add', 'help zones'],
  describe: ({ operation }) => `Show the help${operation === undefined ? '' : ` for ${operation}`}`,
  run: async () => undefined,
  present: (_, { operation }, context) => (operation === undefined ? overview(context) : helpAbout(operation, context)),
})

function helpAbout(words: string, context: OperationContext): Answer {
  const { catalog } = context
  const match = matchOperation(
    words,
    catalog.map(({ operation }) => operation),
  )
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
      ? md`There is nothing called ${code(words)}.`
      : md`There is nothing called ${code(words)}. Did you mean ${code(near.name)}?`
  return page(said, catalog, context)
}

function overview(context: OperationContext): Answer {
  const { actor } = context
  const role = actor.role === 'none' ? 'You have no role here' : `Your role is ${actor.role}`
  return page(md`*What you may do here.* ${role}: ${actor.roleSource}.`, context.catalog, context)
}

function page(title: Mrkdwn, catalog: readonly CatalogEntry[], { command }: OperationContext): Answer {
  const allowed = catalog.filter(({ decision }) => decision.kind !== 'deny')
  const denied = catalog.filter(({ decision }) => decision.kind === 'deny')
  const lines = allowed.map((entry) => entryLine(entry, command))
  const small = [
    md`All about one of them: ${code(`${command} help dns add`)}. Quotes hold words together; options begin with ${code('--')} and stand anywhere.`,
    ...(denied.length === 0
      ? []
      : [
          md`Not for your role: ${denied.map(({ operation }) => operation.name).join(', ')}. Why: ${code(`${command} whoami`)}.`,
        ]),
  ]
  return {
    message: message({
      text: [title, ...lines, ...small].map(plainOf).join('\n'),
      blocks: [
        section(title),
        divider(),
        ...lines.map((line) => section(line)),
        divider(),
        ...small.map((line) => context(line)),
      ],
    }),
    buttons: formButtons(allowed),
  }
}

function entryLine(entry: CatalogEntry, command: string): Mrkdwn {
  const { operation } = entry
  const [example] = operation.examples
  return joinMd(
    [
      code(`${command} ${usageLine(operation)}`),
      md`${operation.summary}: ${promptWords(entry)}.`,
      example === undefined || example === operation.name ? undefined : md`Such as ${code(`${command} ${example}`)}`,
    ].filter((part) => part !== undefined),
    '\n',
  )
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
