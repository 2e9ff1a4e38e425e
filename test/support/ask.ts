import { beforeEach, expect } from 'vitest'
import type { Cdn } from '../../src/cdn/contract/cdn.ts'
import type { Operation, OperationContext } from '../../src/operations/declaration/operation.ts'
import { parseCommand } from '../../src/slack/command-text/parse-command.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import type { Secret } from '../../src/shared/secret.ts'
import type { Store } from '../../src/store/store.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { catalogFor } from './role-catalog.ts'
import { messageProblems } from './slack-rules.ts'
import { checkContext, invocationOf, operationContext } from './operation-context.ts'
import { forEachTest } from './for-each-test.ts'

/** The answer to what is asked, which Slack takes, with its parts at hand. The zones of `changes` count in checking too. */
export async function ask(
  operation: Operation,
  values: RawValues,
  cdn: Partial<Cdn> = {},
  changes: Partial<OperationContext> = {},
) {
  const progress: string[] = []
  const context = operationContext(cdn, { progress: (sentence) => progress.push(sentence), ...changes })
  const { zones, now, marker } = context
  const invocation = invocationOf(operation, values, checkContext({ zones, now, marker }))
  const answer = await invocation.run(context)
  const { message, buttons = [] } = answer
  const details = buttons.flatMap((button) => (button.kind === 'more' ? [button.message] : []))
  expect([message, ...details].flatMap(messageProblems)).toEqual([])
  const table = message.blocks.find((block) => block.type === 'data_table')
  const [head = [], ...rows] = (table?.rows ?? []).map((cells) => cells.map((cell) => cell.text))
  return {
    ...answer,
    buttons,
    labels: buttons.map(({ label }) => label),
    invocation,
    progress,
    text: message.text,
    said: JSON.stringify(message.blocks),
    /** All that anybody gets to see, files and what is behind buttons included. */
    shown: JSON.stringify(answer),
    /** What is behind the button that shows all fields. */
    details: details[0],
    table,
    head,
    rows,
    records: answer.file?.content.trimEnd().split('\n') ?? [],
  }
}

/** The same for what is typed. */
function type(line: string, cdn: Partial<Cdn> = {}, changes: Partial<OperationContext> = {}) {
  const parsed = parseCommand(line, OPERATIONS)
  if (parsed.kind !== 'operation') throw new Error(`${line} is ${parsed.kind}`)
  expect(parsed.problems).toEqual([])
  return ask(parsed.operation, parsed.values, cdn, changes)
}

/** A store of its own for each test, over which operations are asked. */
export function storeForEachTest(auditKey?: Secret) {
  const harness = forEachTest(createSqliteHarness)
  let store: Store
  beforeEach(async () => {
    store = await harness.open(auditKey === undefined ? {} : { auditKey })
  })
  const catalog = catalogFor(operationContext().actor)
  return {
    harness: () => harness,
    store: () => store,
    ask: (operation: Operation, values: RawValues, changes: Partial<OperationContext> = {}) =>
      ask(operation, values, {}, { store, catalog, ...changes }),
    type: (line: string, changes: Partial<OperationContext> = {}) => type(line, {}, { store, catalog, ...changes }),
  }
}

/** The values of the button with this label, which asks again. */
export function buttonValues({ buttons }: Pick<Awaited<ReturnType<typeof ask>>, 'buttons'>, label: string): RawValues {
  const button = buttons.find((each) => each.label === label)
  if (button?.kind !== 'page') throw new Error(`There is no button ${label}`)
  return button.values
}
