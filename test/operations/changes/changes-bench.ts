import { afterEach, beforeEach } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { CatalogEntry, Operation, OperationContext } from '../../../src/operations/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Store } from '../../../src/store/store.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'
import { changeIn } from '../../store/harness.ts'
import { createSqliteHarness, type SqliteHarness } from '../../store/sqlite-harness.ts'

const catalog: readonly CatalogEntry[] = [{ operation: dnsAdd, decision: { kind: 'confirm', reason: 'The rule.' } }]
type State = Parameters<typeof changeIn>[2]

/** A store for each test, and operations about changes asked over it. */
export class ChangesBench {
  #harness: SqliteHarness | undefined
  #store: Store | undefined

  constructor() {
    beforeEach(async () => {
      this.#harness = createSqliteHarness()
      this.#store = await this.#harness.open()
    })
    afterEach(() => this.#harness?.close())
  }

  get harness(): SqliteHarness {
    return this.#harness!
  }

  get store(): Store {
    return this.#store!
  }

  /** The answer, which Slack would take, with its twin and its blocks as text. */
  async ask(operation: Operation, values: RawValues, changes: Partial<OperationContext> = {}) {
    const context = operationContext({}, { store: this.store, catalog, ...changes })
    const answer = await invocationOf(operation, values).run(context)
    const problems = messageProblems(answer.message)
    if (problems.length > 0) throw new Error(JSON.stringify(problems))
    return { ...answer, text: answer.message.text, said: JSON.stringify(answer.message.blocks) }
  }

  /** A change in a state, a second younger than the one before. */
  async have(state: State, more: Parameters<typeof changeIn>[3] = {}) {
    this.harness.clock.advance(1_000)
    return changeIn(this.store, this.harness.clock, state, { sentence: `A change that is ${state}`, ...more })
  }

  /** Somebody's approval of a change that waits, a second after the one before. */
  async approve(id: string, person: string): Promise<void> {
    const { clock } = this.harness
    clock.advance(1_000)
    const at = clock.now()
    const change = await this.store.changes.get(id)
    const entry = { at, actor: person, team: 'T1', operation: 'dns add', event: 'approval', changeId: id } as const
    const approval = { changeId: id, person, hash: change?.hash ?? '', at }
    const end = await this.store.approvals.add(approval, { ...entry, summary: 'Approved' })
    if (end.kind !== 'approved') throw new Error(`The approval was ${end.kind}`)
  }
}
