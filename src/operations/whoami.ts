import { message } from '../block-kit/message.ts'
import { code, joinMd, md, mention, plainOf, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { bullets, context, section } from '../block-kit/sections.ts'
import { UserError } from '../shared/errors.ts'
import { defineOperation } from './define-operation.ts'
import { text } from './fields.ts'
import { matchOperation } from './find-operation.ts'
import type { CatalogEntry, OperationContext } from './operation.ts'
import { mayGetGraver, promptWords } from './prompt-words.ts'
import { sentenceStart } from './sentence-start.ts'

const GRAVER = 'A write that may be billed or cannot be undone can ask for more than is said here; its review says so.'

/** `whoami`: the person's role, where it comes from, and what follows from it, with the rule behind each answer. */
export const whoami = defineOperation({
  name: 'whoami',
  aliases: ['who am i', 'me'],
  summary: 'Show your role, where it comes from and what it allows',
  effect: 'read',
  minimumRole: 'none',
  audience: 'caller',
  shareable: false,
  fields: {
    operation: text({ label: 'Operation', hint: 'Only what holds for this one, such as dns add.', maxLength: 100 }),
  },
  positionals: ['operation'],
  examples: ['whoami', 'whoami dns add'],
  describe: ({ operation }) => `Show their own role${operation === undefined ? '' : ` for ${operation}`}`,
  run: async ({ operation }, { catalog, command }) =>
    operation === undefined ? catalog : entriesFor(operation, catalog, command),
  present(entries, { operation }, { actor, command }) {
    const role = actor.role === 'none' ? 'no role' : md`the role *${actor.role}*`
    const title = md`${mention(actor.id)}, you have ${role}: ${actor.roleSource}.`
    const lines = operation === undefined ? groupLines(entries) : entries.map(entryLine)
    const graver = entries.some(mayGetGraver) ? [md`${GRAVER}`] : []
    const why = operation === undefined ? [md`The rule behind one of them: ${code(`${command} whoami dns add`)}`] : []
    const small = [...graver, ...why, ...whomToAsk(actor.role, command)]
    return {
      message: message({
        text: [title, ...lines, ...small].map(plainOf).join('\n'),
        blocks: [section(title), bullets(lines), ...small.map((line) => context(line))],
      }),
    }
  },
})

function entriesFor(words: string, catalog: readonly CatalogEntry[], command: string): readonly CatalogEntry[] {
  const match = matchOperation(
    words,
    catalog.map(({ operation }) => operation),
  )
  if (match.kind === 'one') return catalog.filter(({ operation }) => operation === match.operation)
  if (match.kind === 'several') return catalog.filter(({ operation }) => match.operations.includes(operation))
  throw new UserError(
    'invalid_input',
    `There is no operation called ${words}.`,
    match.suggestion === undefined ? `See what there is: ${command} help` : `Did you mean ${match.suggestion.name}?`,
  )
}

/** All of them, by what happens: twelve lines that each give a reason would not be read. */
function groupLines(entries: readonly CatalogEntry[]): readonly Mrkdwn[] {
  const groups = Map.groupBy(entries, (entry) =>
    entry.decision.kind === 'deny'
      ? `${promptWords(entry)}, needs the role ${entry.operation.minimumRole}`
      : promptWords(entry),
  )
  return [...groups].map(([prompt, inside]) => {
    const names = joinMd(
      inside.map(({ operation }) => code(operation.name)),
      ', ',
    )
    return md`*${sentenceStart(prompt)}*: ${names}`
  })
}

function entryLine(entry: CatalogEntry): Mrkdwn {
  return md`${code(entry.operation.name)}: ${promptWords(entry)}. ${entry.decision.reason}`
}

function whomToAsk(role: OperationContext['actor']['role'], command: string): readonly Mrkdwn[] {
  if (role === 'admin') return []
  return [
    md`Roles are given in the bot's settings; ask whoever runs it for more. ${code(`${command} help`)} shows how things are typed.`,
  ]
}
