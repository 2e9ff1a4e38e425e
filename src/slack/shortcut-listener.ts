import { UserError } from '../shared/errors.ts'
import type { Reception, Visitor } from './reception.ts'

/** The `callback_id` of a global shortcut names its operation, with a low line for the space: `dns_add`. */
export function operationOfShortcut(callbackId: string): string {
  return callbackId.replaceAll('_', ' ')
}

/** Opens the empty form of an operation for somebody who may use it, and tells anybody else why not. */
export async function openFormOf(name: string, visitor: Visitor, reception: Reception): Promise<void> {
  await reception.serve(visitor, 'a shortcut', async () => {
    const { executor } = reception.options
    const operation = executor.options.operations.find((candidate) => candidate.name === name)
    if (operation?.form === undefined)
      throw new UserError(
        'expired',
        'This button belongs to nothing that still exists. Nothing was done.',
        `See ${executor.options.command} help.`,
      )
    const actor = await reception.actor(visitor.userId)
    const decision = executor.decide(actor, { operation, effect: operation.baseEffect })
    if (decision.kind === 'deny') {
      const refused = await executor.refuse(
        { operation, sentence: `${operation.name}, not filled in` },
        decision,
        actor,
      )
      return reception.conversation(visitor).reply(refused, 'caller')
    }
    await reception.openForm(operation, {}, [], actor, visitor)
  })
}
