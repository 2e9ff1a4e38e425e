import { OPERATIONS } from '../../../src/operations/index.ts'
import { CHANGE_STATES, type ChangeState } from '../../../src/store/schema/change.ts'
import { IDENTITY_NAMES, type IdentityName } from './identities.ts'

/** Where something is done: channels of each kind, direct messages, and outside of any channel. */
export const CHANNELS = {
  'the operations channel': 'COPS',
  'another channel': 'C1',
  'a channel without the bot': 'CALONE',
  'direct messages': 'D1',
  'a shared channel': 'CSHARED',
} as const
export const NOWHERE = 'no channel'
export type Place = keyof typeof CHANNELS | typeof NOWHERE
const PLACES = Object.keys(CHANNELS) as readonly (keyof typeof CHANNELS)[] // its keys are those

const CARD_BUTTONS = ['approve', 'decline', 'cancel', 'exists', 'absent'] as const
const ANSWER_BUTTONS = ['page', 'share', 'more', 'form'] as const
/** What is submitted about a change: the prompts of those who decide, and the review of whoever asked. */
const HOME_BUTTONS = ['approve', 'exists', 'absent', 'open'] as const
const SUBMISSIONS = ['approve', 'decline', 'review'] as const

/** One meeting of somebody with the bot. `state` is that of the change it is about; without a change it is `none`. */
export interface Cell {
  readonly who: IdentityName
  readonly what: string
  readonly where: Place
  readonly state: ChangeState | 'none'
}

/** Every cell that can happen. */
export function cells(): readonly Cell[] {
  return IDENTITY_NAMES.flatMap((who) => [...aboutOperations(who), ...aboutChanges(who)])
}

function aboutOperations(who: IdentityName): readonly Cell[] {
  const state = 'none'
  return [
    ...OPERATIONS.flatMap(({ name }) => [
      ...PLACES.map((where) => ({ who, what: `type ${name}`, where, state }) as const),
      ...['press', 'choose'].map((how) => ({ who, what: `${how} ${name}`, where: NOWHERE, state }) as const),
    ]),
    ...[`open Home`, `press refresh`].map((what) => ({ who, what, where: NOWHERE, state }) as const),
    ...ANSWER_BUTTONS.flatMap((kind) =>
      PLACES.flatMap((where) => [
        { who, what: `own ${kind}`, where, state } as const,
        { who, what: `another's ${kind}`, where, state } as const,
      ]),
    ),
  ]
}

function aboutChanges(who: IdentityName): readonly Cell[] {
  return CHANGE_STATES.flatMap((state) => [
    ...CARD_BUTTONS.flatMap((button) =>
      PLACES.map((where) => ({ who, what: `click ${button}`, where, state }) as const),
    ),
    ...['cancel', 'settle'].map((verb) => ({ who, what: `command ${verb}`, where: 'another channel', state }) as const),
    ...HOME_BUTTONS.map((button) => ({ who, what: `home ${button}`, where: NOWHERE, state }) as const),
    ...SUBMISSIONS.map((kind) => ({ who, what: `submit ${kind}`, where: NOWHERE, state }) as const),
  ])
}
