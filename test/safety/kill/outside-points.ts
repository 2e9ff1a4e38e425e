import type { DeliveryType } from '../../../src/playground/slack/wire/deliveries.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import type { KillStage } from './stage.ts'
import { failNext } from '../../support/failing-slack.ts'

/** Moments of the bot that its surroundings can see: each stops it there. */
export interface OutsidePoint {
  readonly name: string
  /** Calls `strike` at the moment, once. Returns what takes the trap away again. */
  readonly arm: (stage: KillStage, strike: () => void) => () => void
}

const SLACK_METHODS = [
  'apps.connections.open',
  'views.open',
  'views.update',
  'chat.postMessage',
  'chat.update',
] as const
const DELIVERIES: readonly (readonly [string, DeliveryType, string])[] = [
  ['command', 'slash_commands', ''],
  ['submission', 'interactive', 'view_submission'],
  ['click', 'interactive', 'block_actions'],
]

/** Two for each moment, before it and after it, as those inside. */
export const OUTSIDE_POINTS: readonly OutsidePoint[] = [
  { name: 'write at the platform:before', arm: (stage, strike) => atPlatform(stage, strike, false) },
  { name: 'write at the platform:after', arm: (stage, strike) => atPlatform(stage, strike, true) },
  { name: 'answer of the platform:after', arm: afterAnswer },
  ...SLACK_METHODS.flatMap((method) => [
    { name: `${method}:before`, arm: (stage: KillStage, strike: () => void) => beforeCall(stage, method, strike) },
    { name: `${method}:after`, arm: (stage: KillStage, strike: () => void) => afterCall(stage, method, strike) },
  ]),
  ...DELIVERIES.flatMap(([name, type, kind]) =>
    (['before', 'after'] as const).map((side) => ({
      name: `acknowledged ${name}:${side}`,
      arm: (stage: KillStage, strike: () => void) => atDelivery(stage, { type, kind, side }, strike),
    })),
  ),
]

/** The platform has the request: before it has done anything, or after, and without an answer either way. */
function atPlatform({ cdn }: KillStage, strike: () => void, carriedOut: boolean): () => void {
  for (const endpoint of ['addDnsRecord', 'createVideoLibrary'] as const) {
    cdn.faults.set(endpoint, { kind: 'hang', carriedOut }, { times: 1 })
  }
  return onceSeen(
    (look) => cdn.subscribe(look),
    () => cdn.requests.at(-1)?.fault === 'hang' && cdn.requests.at(-1)?.carriedOut === carriedOut,
    strike,
    () => cdn.faults.clear(),
  )
}

/** The answer is on its way. */
function afterAnswer({ cdn }: KillStage, strike: () => void): () => void {
  const newer = since()
  return onceSeen(
    (look) => cdn.subscribe(look),
    () => newer(cdn.requests).some(({ method, status }) => method !== 'GET' && status !== undefined),
    strike,
  )
}

/** Slack has the call and does nothing about it. */
function beforeCall({ slack }: KillStage, method: string, strike: () => void): () => void {
  const newer = since()
  failNext(slack, method, { hang: true })
  return onceSeen(
    (look) => slack.subscribe(look),
    () => newer(slack.calls).some((call) => call.method === method && call.status === 0),
    strike,
    () => failNext(slack, method, { hang: true, times: 0 }),
  )
}

/** Slack has done it, and the answer is on its way. */
function afterCall({ slack }: KillStage, method: string, strike: () => void): () => void {
  const newer = since()
  return onceSeen(
    (look) => slack.subscribe(look),
    () => newer(slack.calls).some((call) => call.method === method),
    strike,
  )
}

interface Watched {
  readonly type: DeliveryType
  /** The `type` of an interaction. */
  readonly kind: string
  readonly side: 'before' | 'after'
}

/** The bot has been told what somebody did: before it has acknowledged that, or after. */
function atDelivery({ slack }: KillStage, { type, kind, side }: Watched, strike: () => void): () => void {
  const newer = since()
  return onceSeen(
    (look) => slack.subscribe(look),
    () =>
      newer(slack.deliveries).some(
        (delivery) =>
          delivery.type === type &&
          (kind === '' || delivery.payload['type'] === kind) &&
          (side === 'before' || delivery.ackMs !== undefined),
      ),
    strike,
  )
}

/** More than happens between two looks. */
const NEWEST = 40

/** What has come since now: the lists of the emulators forget their oldest, so no index into them lasts. */
function since(): <T extends { readonly at: Date }>(list: readonly T[]) => readonly T[] {
  const start = systemClock.now()
  return (list) => list.slice(-NEWEST).filter(({ at }) => at >= start)
}

function onceSeen(
  subscribe: (look: () => void) => () => void,
  isThere: () => boolean,
  strike: () => void,
  cleanUp: () => void = () => undefined,
): () => void {
  let isOver = false
  const unsubscribe = subscribe(() => {
    if (isOver || !isThere()) return
    isOver = true
    strike()
  })
  return () => {
    isOver = true
    unsubscribe()
    cleanUp()
  }
}
