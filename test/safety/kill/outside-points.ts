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
  { name: 'write at the platform:before', arm: atPlatform(false) },
  { name: 'write at the platform:after', arm: atPlatform(true) },
  // The answer is on its way.
  {
    name: 'answer of the platform:after',
    arm: onceSeen('cdn', ({ cdn }, newer) =>
      newer(cdn.requests).some(({ method, status }) => method !== 'GET' && status !== undefined),
    ),
  },
  ...SLACK_METHODS.flatMap((method) => [
    { name: `${method}:before`, arm: beforeCall(method) },
    // Slack has done it, and the answer is on its way.
    {
      name: `${method}:after`,
      arm: onceSeen('slack', ({ slack }, newer) => newer(slack.calls).some((call) => call.method === method)),
    },
  ]),
  ...DELIVERIES.flatMap(([name, type, kind]) =>
    (['before', 'after'] as const).map((side) => ({
      name: `acknowledged ${name}:${side}`,
      // The bot has been told what somebody did: before it has acknowledged that, or after.
      arm: onceSeen('slack', ({ slack }, newer) =>
        newer(slack.deliveries).some(
          (delivery) =>
            delivery.type === type &&
            (kind === '' || delivery.payload['type'] === kind) &&
            (side === 'before' || delivery.ackMs !== undefined),
        ),
      ),
    })),
  ),
]

/** The platform has the request: before it has done anything, or after, and without an answer either way. */
function atPlatform(carriedOut: boolean): OutsidePoint['arm'] {
  return onceSeen(
    'cdn',
    ({ cdn }) => cdn.requests.at(-1)?.fault === 'hang' && cdn.requests.at(-1)?.carriedOut === carriedOut,
    ({ cdn }) => {
      for (const endpoint of ['addDnsRecord', 'createVideoLibrary'] as const)
        cdn.faults.set(endpoint, { kind: 'hang', carriedOut }, { times: 1 })
    },
    ({ cdn }) => cdn.faults.clear(),
  )
}

/** Slack has the call and does nothing about it. */
function beforeCall(method: string): OutsidePoint['arm'] {
  return onceSeen(
    'slack',
    ({ slack }, newer) => newer(slack.calls).some((call) => call.method === method && call.status === 0),
    ({ slack }) => failNext(slack, method, { hang: true }),
    ({ slack }) => failNext(slack, method, { hang: true, times: 0 }),
  )
}

/** More than happens between two looks. */
const NEWEST = 40

/** What has come since now: the lists of the emulators forget their oldest, so no index into them lasts. */
type Newer = <T extends { readonly at: Date }>(list: readonly T[]) => readonly T[]

/** Looks whenever something happens at the platform or in Slack, and strikes the first time that it is there. */
function onceSeen(
  where: 'cdn' | 'slack',
  isThere: (stage: KillStage, newer: Newer) => boolean,
  prepare: (stage: KillStage) => void = () => undefined,
  cleanUp: (stage: KillStage) => void = () => undefined,
): OutsidePoint['arm'] {
  return (stage, strike) => {
    const start = systemClock.now()
    const newer: Newer = (list) => list.slice(-NEWEST).filter(({ at }) => at >= start)
    let isOver = false
    prepare(stage)
    const unsubscribe = stage[where].subscribe(() => {
      if (isOver || !isThere(stage, newer)) return
      isOver = true
      strike()
    })
    return () => {
      isOver = true
      unsubscribe()
      cleanUp(stage)
    }
  }
}
