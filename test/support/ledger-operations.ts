import { message } from '../../src/block-kit/message.ts'
import { section } from '../../src/block-kit/sections.ts'
import { defineOperation } from '../../src/operations/declaration/define-operation.ts'
import { choice } from '../../src/operations/declaration/choice-field.ts'
import { flag, required, text } from '../../src/operations/declaration/fields.ts'
import type { Answer } from '../../src/operations/declaration/answer.ts'
import type { Operation, OperationContext } from '../../src/operations/declaration/operation.ts'
import { zone } from '../../src/operations/declaration/zone-field.ts'

/** What the operations of a bench do when they run; each may throw. */
export interface Acts {
  write: (context: OperationContext) => Promise<string>
  /** Makes the answer of the write. */
  show: (stored: string) => Answer
  read: (context: OperationContext) => Promise<Answer>
}

export const plainAnswer = (text: string): Answer => ({ message: message({ text, blocks: [section(text)] }) })

/** A write that may be billed, a shareable read, a sensitive read, a write to the bot, and help for everybody. */
export function ledgerOperations(acts: Acts): readonly Operation[] {
  return [recordAdd(acts), linesList(acts), keysList(acts), nameAdd(acts), help(acts)]
}

const recordAdd = (acts: Acts): Operation =>
  defineOperation({
    name: 'record add',
    summary: 'Add a record',
    verb: 'Add record',
    effect: ({ billed }) => (billed === true ? 'billed or irreversible' : 'write'),
    minimumRole: 'operator',
    audience: 'channel',
    shareable: false,
    fields: {
      zone: required(zone({ label: 'Zone', zoneKind: 'dns' })),
      value: required(text({ label: 'Value', maxLength: 3_000 })),
      variables: text({ label: 'Variables', secret: true }),
      billed: flag({ label: 'Billed' }),
    },
    positionals: ['zone', 'value'],
    form: [
      { title: 'Record', fields: () => ['zone', 'value'] },
      { title: 'More', fields: () => ['variables', 'billed'], redrawOn: ['billed'] },
    ],
    examples: ['record add shop 192.0.2.10'],
    review: ({ zone: { id }, value }, { panel }) => ({
      sentence: `Add ${value} to zone ${id}`,
      request: [['Value', value]],
      notes: [],
      warnings: [],
      costs: [],
      irreversible: [],
      panel: panel('dns-zone', id),
    }),
    describe: ({ zone: { id }, value }) => `Add ${value} to zone ${id}`,
    lookFor: ({ value }) => `A record with the value ${value}.`,
    run: async (_, context) => acts.write(context),
    present: (stored) => acts.show(stored),
  })

/** What is asked for by its name alone, and answered as the test wants. */
const asked = (acts: Acts) =>
  ({
    fields: {},
    positionals: [],
    audience: 'caller',
    shareable: false,
    run: async (_: unknown, context: OperationContext) => acts.read(context),
    present: (answer: Answer) => answer,
  }) as const

const linesList = (acts: Acts): Operation =>
  defineOperation({
    ...asked(acts),
    name: 'lines list',
    aliases: ['lines'],
    summary: 'List lines',
    effect: 'read',
    minimumRole: 'viewer',
    shareable: true,
    fields: { page: text({ label: 'Page' }) },
    positionals: ['page'],
    examples: ['lines list'],
    describe: () => 'List lines',
  })

const keysList = (acts: Acts): Operation =>
  defineOperation({
    ...asked(acts),
    name: 'keys list',
    summary: 'List keys',
    effect: 'sensitive read',
    minimumRole: 'operator',
    examples: ['keys list'],
    describe: () => 'List keys',
  })

const nameAdd = (acts: Acts): Operation =>
  defineOperation({
    ...asked(acts),
    name: 'name add',
    summary: 'Add a name',
    verb: 'Continue',
    effect: 'write to the bot',
    minimumRole: 'operator',
    audience: 'channel',
    fields: { kind: required(choice({ label: 'Kind', choices: [{ value: 'dns', label: 'DNS zone' }] })) },
    positionals: ['kind'],
    form: [{ title: 'Name', fields: () => ['kind'] }],
    examples: ['name add dns'],
    describe: () => 'Add a name',
  })

const help = (acts: Acts): Operation =>
  defineOperation({
    ...asked(acts),
    name: 'help',
    summary: 'Show help',
    effect: 'read',
    minimumRole: 'none',
    examples: ['help'],
    describe: () => 'Show help',
    run: async () => plainAnswer('This is the help.'),
  })
