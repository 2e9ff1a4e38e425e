import { decide, DEFAULT_POLICY, type Policy } from '../../src/execution/policy/policy.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { CatalogEntry } from '../../src/operations/declaration/operation.ts'
import type { Actor } from '../../src/operations/declaration/role.ts'

/** Every operation with what a policy says to somebody about it, outside of any channel. */
export function catalogFor(
  actor: Pick<Actor, 'role' | 'groups' | 'writesBarred'>,
  policy: Policy = DEFAULT_POLICY,
): readonly CatalogEntry[] {
  return OPERATIONS.map((operation) => {
    const { name, baseEffect: effect, minimumRole } = operation
    const decision = decide(policy, { actor, operation: name, effect, minimumRole, zones: [], channelId: undefined })
    return { operation, decision }
  })
}
