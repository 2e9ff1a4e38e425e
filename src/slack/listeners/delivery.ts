import type { Message } from '../../block-kit/message.ts'
import { explainAndLog } from '../../execution/messages/error-messages.ts'
import type { ApprovalService } from '../../execution/changes/approvals.ts'
import type { ChangeAnnouncer } from '../../execution/changes/change-announcer.ts'
import type { ChangeSender } from '../../execution/changes/change-sender.ts'
import type { ChangeService } from '../../execution/changes/change-service.ts'
import type { Policy } from '../../execution/policy/policy.ts'
import type { RequestService } from '../../execution/request-service.ts'
import type { InputReader } from '../../execution/requests/parts.ts'
import type { Operation } from '../../operations/declaration/operation.ts'
import type { ResponseAddresses } from '../out/response-addresses.ts'
import type { HoldsSecret } from './typed-keys.ts'
import type { InFlight } from '../../execution/requests/in-flight.ts'
import type { RefusalOptions } from '../../execution/requests/refusals.ts'
import type { Store } from '../../store/store.ts'
import { InvalidDelivery, refuseDelivery } from '../gateway/invalid-delivery.ts'
import type { SeenDeliveries } from '../gateway/seen-deliveries.ts'
import type { Directory } from '../people/directory.ts'
import { type ResponderOptions, type ResponsePlace, Responder } from './responder.ts'

/** Slack gives up after 3 s; a second is left for the way to Slack and back. */
export const ACK_BUDGET_MS = 2_000

/** Who sent a delivery, and what it gives to answer them by. */
export interface Origin extends ResponsePlace {
  /** The workspace that the delivery gives for them; undefined when it gives none, or there was no delivery. */
  readonly team?: string | undefined
  readonly triggerId?: string | undefined
  /** When the delivery came, by the monotonic clock: a trigger ages from then on. */
  readonly arrivedMs: number
}

/** What the listeners need: who somebody is and what they may, what was answered already, and how to answer. */
export interface ListenerOptions extends RefusalOptions, ResponderOptions {
  readonly store: Store
  readonly people: Directory
  readonly policy: () => Policy
  readonly operations: readonly Operation[]
  readonly inputs: InputReader
  readonly requests: RequestService
  readonly changes: ChangeService
  readonly approvals: ApprovalService
  readonly announcer: ChangeAnnouncer
  readonly sender: ChangeSender
  readonly responseAddresses: ResponseAddresses
  readonly holdsSecret: HoldsSecret
  /** Deliveries that change nothing and were answered, so that one that Slack repeats is not answered twice. */
  readonly seen: SeenDeliveries
  readonly inFlight: InFlight
  readonly botUserId: string
  /** The slash command, with its slash. */
  readonly command: string
  /** Told how long each delivery waited for its acknowledgement, in milliseconds. */
  readonly onAck: (kind: string, ms: number) => void
}

export interface Delivery extends Origin {
  /** Acknowledges it at the first call, and says at each whether it comes for the first time. */
  readonly accept: () => Promise<boolean>
}

/** What a request takes from the delivery it came by; with `key` a write to the bot has its effect once. */
export function requestBy({ channelId, accept, arrivedMs }: Delivery, key?: string) {
  return { channelId, accept, once: key === undefined ? undefined : { key, notAfterMs: arrivedMs + ACK_BUDGET_MS } }
}

export async function replyFailure(
  error: unknown,
  origin: Origin,
  what: string,
  options: ListenerOptions,
): Promise<void> {
  await new Responder(origin, options).reply(await explainFailure(error, origin, what, options), 'caller')
}

/** An error as a message to whoever sent the delivery; one that does not fit is put on record. */
export async function explainFailure(
  error: unknown,
  by: Pick<Origin, 'userId' | 'team'>,
  what: string,
  options: RefusalOptions,
): Promise<Message> {
  return error instanceof InvalidDelivery ? refuseDelivery(error, by, options) : explainAndLog(error, what, options)
}
