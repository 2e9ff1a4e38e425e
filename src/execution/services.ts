import { ApprovalService } from './changes/approvals.ts'
import { ChangeAnnouncer } from './changes/change-announcer.ts'
import { ChangeReconciler } from './changes/change-reconciler.ts'
import { ChangeSender } from './changes/change-sender.ts'
import { ChangeService } from './changes/change-service.ts'
import { RequestService } from './request-service.ts'
import { InputReader, createOperationContexts, type Parts } from './requests/parts.ts'

export function createServices(parts: Parts) {
  const inputs = new InputReader(parts)
  const announcer = new ChangeAnnouncer({ ...parts, inputs })
  const approvals = new ApprovalService({ ...parts, inputs, announcer })
  const createContext = createOperationContexts({ ...parts, inputs }, approvals.actions.bind(approvals))
  const changes = new ChangeService({ ...parts, inputs })
  const sender = new ChangeSender({ ...parts, inputs, announcer, createContext })
  return {
    inputs,
    createContext,
    announcer,
    approvals,
    changes,
    sender,
    requests: new RequestService({ ...parts, inputs, changes, createContext }),
    reconciler: new ChangeReconciler({ ...parts, inputs, approvals, sender, announcer }),
  }
}
