import type { RawValues } from '../shared/raw-values.ts'
import { UserError } from '../shared/errors.ts'
import { defineOperation } from './define-operation.ts'
import { text } from './fields.ts'
import { matchOperation } from './find-operation.ts'
import type { CatalogEntry, OperationContext } from './operation.ts'
import { isMeantAsPerson, person } from './person-field.ts'
import { roleAnswer, type Standing } from './whoami-answer.ts'

/** `whoami`: a person's role, where it comes from, and what follows from it, with the rule behind each answer. */
export const whoami = defineOperation({
  name: 'whoami',
  aliases: ['who am i', 'me'],
  summary: 'Show your role, where it comes from and what it allows',
  effect: 'read',
  minimumRole: 'none',
  roleFor: ({ person: other }) => (other === undefined ? 'none' : 'admin'),
  audience: 'caller',
  shareable: false,
  fields: {
    person: person({ label: 'Person', hint: 'Somebody else, which only admins may ask.' }),
    operation: text({ label: 'Operation', hint: 'Only what holds for this one, such as dns add.', maxLength: 100 }),
  },
  positionals,
  examples: ['whoami', 'whoami dns add', 'whoami @U012AB3CD', 'whoami @U012AB3CD dns add'],
  describe: ({ person: other, operation }) =>
    `Show ${other === undefined ? 'their own role' : `the role of ${other}`}${operation === undefined ? '' : ` for ${operation}`}`,
  async run({ person: id, operation }, context): Promise<Standing> {
    const { actor, catalog, command } = context
    const standing = id === undefined || id === actor.id ? { actor, catalog } : await lookUp(id, context)
    const { catalog: entries } = standing
    return { ...standing, catalog: operation === undefined ? entries : entriesFor(operation, entries, command) }
  },
  present: (standing, { operation }, context) => roleAnswer(standing, operation === undefined, context),
})

/** The first word may be a person or already the operation. */
function positionals({ person: typed }: RawValues): readonly ('person' | 'operation')[] {
  return typed === undefined || isMeantAsPerson(typed) ? ['person', 'operation'] : ['operation']
}

async function lookUp(id: string, context: OperationContext): Promise<Standing> {
  try {
    return await context.lookUp(id)
  } catch (error) {
    // What it says is meant for people who ask about themselves.
    if (!(error instanceof UserError) || error.code !== 'not_permitted') throw error
    throw new UserError(
      'invalid_input',
      `Slack did not say who ${id} is, so there is no telling what they may do. To the bot, somebody like that has no role.`,
      "Pick the name from Slack's list after typing @, or ask again in a moment.",
    )
  }
}

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
