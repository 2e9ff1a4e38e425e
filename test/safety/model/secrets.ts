import { isFinal, CHANGE_STATES } from '../../../src/store/schema/change.ts'
import type { World } from './world.ts'

/** What people give as a secret value in these tests. */
export const SECRET = 'TOKEN=hush'
const TRACE = '%hush%'

/** Where a secret value may stand: in a change as long as it may still be sent, and nowhere else. */
const SINKS: readonly (readonly [table: string, condition: string])[] = [
  ['audit_entries', 'summary like ? or detail like ?'],
  ['outbox', 'body like ? or channel_id like ?'],
  ['dead_letters', 'body like ? or channel_id like ?'],
  ['answers', '"values" like ? or message like ?'],
  ['changes', "answer like ? or outcome || coalesce(sentence, '') like ?"],
  ['changes', `("values" like ? or "values" like ?) and state in (${endedStates()})`],
]

/** The first place in the store where a secret value stands and should not. */
export function secretInStore({ memory }: World): string | undefined {
  const found = SINKS.find(([table, condition]) => {
    const [row] = memory.sql(`select count(*) as rows from ${table} where ${condition}`, TRACE, TRACE)
    return row?.['rows'] !== 0
  })
  return found?.join(' where ')
}

function endedStates(): string {
  return [...CHANGE_STATES.filter(isFinal), 'unknown'].map((state) => `'${state}'`).join(', ')
}
