import { ApprovalService, type ApprovalServiceOptions } from './changes/approvals.ts'
import { type AnnouncerOptions, ChangeAnnouncer } from './changes/change-announcer.ts'
import { ChangeReconciler } from './changes/change-reconciler.ts'
import { ChangeSender, type SenderOptions } from './changes/change-sender.ts'
import { ChangeService, type ChangeServiceOptions } from './changes/change-service.ts'
import { RequestService, type RequestServiceOptions } from './request-service.ts'
import { InputReader, type InputReaderOptions } from './requests/input-reader.ts'
import { createOperationContexts, type OperationContextOptions } from './requests/operation-context.ts'

type Needed = InputReaderOptions &
  AnnouncerOptions &
  ApprovalServiceOptions &
  OperationContextOptions &
  ChangeServiceOptions &
  SenderOptions &
  RequestServiceOptions

/** All that the services take, but for one another. */
export type ServiceOptions = Omit<Needed, 'inputs' | 'announcer' | 'changeActions' | 'createContext' | 'changes'>

export function createServices(options: ServiceOptions) {
  const inputs = new InputReader(options)
  const announcer = new ChangeAnnouncer({ ...options, inputs })
  const approvals = new ApprovalService({ ...options, inputs, announcer })
  const changeActions = approvals.actions.bind(approvals)
  const createContext = createOperationContexts({ ...options, inputs, changeActions })
  const changes = new ChangeService({ ...options, inputs })
  const sender = new ChangeSender({ ...options, inputs, announcer, createContext })
  return {
    inputs,
    createContext,
    announcer,
    approvals,
    changes,
    sender,
    requests: new RequestService({ ...options, inputs, changes, createContext }),
    reconciler: new ChangeReconciler({ ...options, inputs, approvals, sender, announcer }),
  }
}
