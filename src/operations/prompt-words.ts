import type { CatalogEntry } from './operation.ts'
import { unreachable } from '../shared/errors.ts'
import { quorumsWords } from './quorum-words.ts'
import { type Decision, writesToBot } from './role.ts'

/** What happens when this person asks for the operation, in a few words. */
export function promptWords({ operation, decision }: CatalogEntry): string {
  switch (decision.kind) {
    case 'run':
      return !writesToBot(operation.baseEffect)
        ? 'answered at once'
        : operation.undoable
          ? 'done at once, with Undo'
          : 'done at once'
    case 'confirm':
      return 'reviewed and confirmed by you first'
    case 'approve':
      return approvalWords(decision)
    case 'deny':
      return 'not allowed'
    default:
      return unreachable(decision.kind)
  }
}

function approvalWords({ quorums = [], breakGlass }: Decision): string {
  const whose = quorums.length === 0 ? 'somebody else' : quorumsWords(quorums, ', and of ')
  const alone = breakGlass === true ? ', or a reason that all admins are told' : ''
  return `takes the approval of ${whose}${alone}`
}

/** True where the input decides how grave a write is, so that the prompt may be stricter than the one named. */
export function mayGetGraver({ operation, decision }: CatalogEntry): boolean {
  return operation.baseEffect === 'write' && decision.kind === 'confirm'
}
