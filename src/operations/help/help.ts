import type { Block } from '../../block-kit/blocks.ts'
import { messageOf, paragraphs, type Part, smallPrint, titledList, wordsMessage } from '../../block-kit/message.ts'
import { code, md, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { bullets, preformatted, section } from '../../block-kit/sections.ts'
import { type Answer, pageButton } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { text } from '../declaration/fields.ts'
import { matchOperation } from '../declaration/operation-names.ts'
import type { CatalogEntry, Operation, OperationContext } from '../declaration/operation.ts'
import {
  findAccess,
  GRAVER,
  mayGetGraver,
  promptWords,
  roleSourceMd,
  ROLE_WORDS,
  sentenceStart,
  whomToAsk,
} from '../declaration/prompt-words.ts'
import { atLeast } from '../declaration/role.ts'
import { exampleWith, optionUsages, plainExample, shortUsage, usageLine } from '../declaration/usage.ts'

/** How the commands that are not shown at first are asked for. */
const MORE = 'more'

export const help = defineOperation({
  name: 'help',
  aliases: ['commands', 'how', '?'],
  summary: 'Show what you can ask for, with examples',
  effect: 'read',
  minimumRole: 'none',
  fields: {
    operation: text({ label: 'Operation', hint: `What to explain, such as dns add; or ${MORE}.`, maxLength: 100 }),
  },
  positionals: ['operation'],
  examples: ['help', 'help dns add', `help ${MORE}`],
  describe: ({ operation }) => `Show the help${operation === undefined ? '' : ` for ${operation}`}`,
  run: async () => undefined,
  present: (_, { operation }, context) => (operation === undefined ? overview(context) : helpAbout(operation, context)),
})

function helpAbout(words: string, context: OperationContext): Answer {
  const { catalog, command } = context
  if (words.toLowerCase() === MORE) return moreCommands(context)
  const match = matchOperation(words, catalog)
  if (match.kind === 'some') {
    const [first, ...others] = match.entries
    if (others.length === 0) return operationHelp(first, context)
    return { message: messageOf(paragraphs(md`*${words}*`), ...commandLists(match.entries, context)) }
  }
  const near = match.suggestion
  // A question ends with what it is about: `how old is key 42`.
  const noun = words.split(/\s+/).findLast((word) => matchOperation(word, catalog).kind === 'some')
  if (near === undefined && noun !== undefined) return helpAbout(noun, context)
  if (near === undefined) return overview(context, md`There is no command ${code(words)}. What do you need?`)
  return {
    message: wordsMessage([md`There is no command ${code(words)}. Did you mean ${code(`${command} ${near.name}`)}?`]),
    buttons: [pageButton('Show its help', { operation: near.name })],
  }
}

/** What people come for, as their questions. What they may not do is not in the way; `whoami` and `more` have it. */
function overview(running: OperationContext, title: Mrkdwn = md`*What do you need?*`): Answer {
  const { actor, catalog, command, zones } = running
  const allowed = catalog.filter(({ decision }) => decision.kind !== 'deny').map(({ operation }) => operation)
  const lines = allowed.flatMap((operation) => {
    const { question } = operation
    const example = code(`${command} ${plainExample(operation, zones)}`)
    return question === undefined ? [] : [md`*${question}* ${example}`]
  })
  const first = allowed.find(({ form }) => form !== undefined)
  if (first === undefined) {
    return {
      message: wordsMessage([md`*You have no role here*: ${roleSourceMd(actor)}.`, whomToAsk(running)], {
        small: [md`Without one, ${code(`${command} whoami`)} and ${code(`${command} help`)} are answered.`],
      }),
      access: findAccess(catalog, running),
    }
  }
  const small = md`You are ${ROLE_WORDS[actor.role]}: ${code(`${command} whoami`)}. All options of a command: ${code(`${command} help ${first.name}`)}`
  return {
    message: wordsMessage([title], { list: lines, small: [small] }),
    buttons: [pageButton('More commands', { operation: MORE })],
  }
}

/** All that the first page leaves out, and under a heading of its own what this person may not do. */
function moreCommands(running: OperationContext): Answer {
  const { catalog, command } = running
  const others = catalog.filter(
    ({ operation, decision }) => operation.question === undefined || decision.kind === 'deny',
  )
  const some = catalog.find(({ operation }) => operation.form !== undefined)
  const small = md`All options of one: ${code(`${command} help ${some?.operation.name ?? 'whoami'}`)}. Text with spaces goes in quotes.`
  return { message: messageOf(paragraphs(md`*More commands*`), ...commandLists(others, running), smallPrint(small)) }
}

function commandLists(entries: readonly CatalogEntry[], { actor, command }: OperationContext): readonly Part[] {
  const allowed = entries.filter(({ decision }) => decision.kind !== 'deny')
  const denied = entries.filter(({ decision }) => decision.kind === 'deny').map(({ operation }) => operation)
  const byRole = (isEnough: boolean): readonly Operation[] =>
    denied.filter(({ minimumRole }) => atLeast(actor.role, minimumRole) === isEnough)
  return [
    ...[...Map.groupBy(allowed, (entry) => promptWords(entry))].map(([prompt, group]) =>
      titledList(
        sentenceStart(prompt),
        group.map(({ operation }) => md`${code(`${command} ${shortUsage(operation)}`)}: ${operation.summary}`),
      ),
    ),
    titledList('Not for your role', namesOf(byRole(false), `${command} whoami`)),
    titledList('Not now or here', namesOf(byRole(true), `${command} whoami ${byRole(true)[0]?.name ?? ''}`)),
  ]
}

/** A role that is too low is one thing; a rule, or Slack's silence, stands in the way of those who have the role. */
function namesOf(operations: readonly Operation[], why: string): readonly Mrkdwn[] {
  if (operations.length === 0) return []
  return [md`${operations.map(({ name }) => name).join(', ')}. Why: ${code(why)}`]
}

const LIST_LINES = 8

function operationHelp(entry: CatalogEntry, running: OperationContext): Answer {
  const { operation, decision } = entry
  const { command } = running
  // Whoever may not ask about a zone is not told which there are.
  const zones = decision.kind === 'deny' ? [] : running.zones
  const examples = operation.examples.map((example) => `${command} ${exampleWith(zones, operation, example)}`)
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
    access: findAccess([entry], running),
    ...(opens && { buttons: [{ kind: 'form', label: 'Open the form', operation: operation.name, values: {} }] }),
  }
}

function operationNotes(entry: CatalogEntry, command: string): readonly (Mrkdwn | false)[] {
  const { operation, decision } = entry
  const role = operation.minimumRole === 'none' ? 'for anyone' : `least role ${operation.minimumRole}`
  const typed = operation.aliases.map((alias) => `${command} ${alias}`)
  const audience = operation.audience === 'caller' ? 'only you see the answer' : 'the channel sees the answer'
  return [
    md`For you: ${promptWords(entry)}.${decision.kind === 'run' ? '' : ` ${decision.reason}`}`,
    md`Effect: ${operation.baseEffect}; ${role}; ${audience}.`,
    mayGetGraver(entry) && md`${GRAVER}`,
    typed.length > 0 && md`Also typed as ${typed.join(', ')}.`,
  ]
}

/** A line each: a table would cut the rules where it is drawn as text, and they are what one comes for. */
function optionLine({ typed, label, required, rule }: ReturnType<typeof optionUsages>[number]): Mrkdwn {
  return md`${code(typed)}${required ? ' needed.' : ''} ${rule === '' ? `${label}.` : rule}`
}

function inLists(lines: readonly Mrkdwn[]): readonly Block[] {
  const lists: Block[] = []
  for (let at = 0; at < lines.length; at += LIST_LINES) lists.push(bullets(lines.slice(at, at + LIST_LINES)))
  return lists
}
