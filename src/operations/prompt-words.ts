import type { CatalogEntry } from './operation.ts'
import { unreachable } from '../shared/errors.ts'

/** What happens when this person asks for the operation, in a few words. */
export function promptWords({ operation, decision }: CatalogEntry): string {
  switch (decision.kind) {
    case 'run':
      return operation.baseEffect === 'write to the bot' ? 'done at once, with Undo' : 'answered at once'
    case 'confirm':
      return 'reviewed and confirmed by you first'
    case 'approve':
      return 'needs the approval of somebody else'
    case 'deny':
      return 'not allowed'
    default:
      return unreachable(decision.kind)
  }
}

/** True where the input decides how grave a write is, so that the prompt may be stricter than the one named. */
export function mayGetGraver({ operation, decision }: CatalogEntry): boolean {
  return operation.baseEffect === 'write' && decision.kind === 'confirm'
}
