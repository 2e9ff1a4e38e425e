import { afterEach, beforeEach } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { OperationContext } from '../../../src/operations/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Secret } from '../../../src/shared/secret.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import type { Store } from '../../../src/store/store.ts'
import { createSqliteHarness, type SqliteHarness } from '../../store/sqlite-harness.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'
import { catalogFor } from '../../support/role-catalog.ts'

/** A store with a record for each test, and commands about the record asked over it. */
export class RecordBench {
  #harness: SqliteHarness | undefined
  #store: Store | undefined

  constructor(auditKey?: Secret) {
    beforeEach(async () => {
      this.#harness = createSqliteHarness()
      this.#store = await this.#harness.open(auditKey === undefined ? {} : { auditKey })
    })
    afterEach(() => this.#harness?.close())
  }

  get harness(): SqliteHarness {
    return this.#harness!
  }

  get store(): Store {
    return this.#store!
  }

  /** The answer to a command as it is typed, which Slack would take, and what was said on the way. */
  async type(typed: string, changes: Partial<OperationContext> = {}) {
    const parsed = parseCommand(typed, OPERATIONS)
    if (parsed.kind !== 'operation' || parsed.problems.length > 0) throw new Error(JSON.stringify(parsed))
    return this.ask(parsed.operation.name, parsed.values, changes)
  }

  /** The same from values, as a button has them. */
  async ask(name: string, values: RawValues, changes: Partial<OperationContext> = {}) {
    const operation = OPERATIONS.find((each) => each.name === name)
    if (operation === undefined) throw new Error(`There is no operation ${name}`)
    const progress: string[] = []
    const { actor } = operationContext()
    const context = operationContext(
      {},
      { store: this.store, catalog: catalogFor(actor), progress: (said) => progress.push(said), ...changes },
    )
    const invocation = invocationOf(operation, values)
    const answer = await invocation.run(context)
    const problems = messageProblems(answer.message)
    if (problems.length > 0) throw new Error(JSON.stringify(problems))
    return { ...answer, text: answer.message.text, said: JSON.stringify(answer.message.blocks), progress, invocation }
  }
}
