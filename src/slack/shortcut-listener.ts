import { findOperation } from '../operations/find-operation.ts'
import { UserError } from '../shared/errors.ts'
import type { Reception, Visitor } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'

/** The `callback_id` of a global shortcut names its operation, with a low line for the space: `dns_add`. */
export function operationOfShortcut(callbackId: string): string {
  return callbackId.replaceAll('_', ' ')
}

/** Opens the empty form of an operation for somebody who may use it, and tells anybody else why not. */
export async function openFormOf(name: string, visitor: Visitor, reception: Reception): Promise<void> {
  await reception.serve(visitor, 'a shortcut', async () => {
    const { executor } = reception.options
    const operation = findOperation(executor.options.operations, name)
    if (operation === undefined) throw new UnfitDelivery('It is a button or shortcut of no operation.')
    if (operation.form === undefined)
      throw new UserError(
        'expired',
        `${operation.name} has no form. Nothing was done.`,
        `Type it instead: ${executor.options.command} ${operation.name}.`,
      )
    const actor = await reception.actor(visitor)
    const decision = executor.decideBare(actor, operation, visitor.channelId)
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
