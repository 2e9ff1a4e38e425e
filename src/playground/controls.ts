import { SECOND_MS } from '../shared/durations.ts'
import type { Clock } from '../shared/clock.ts'
import type { CdnEmulator } from './cdn/emulator.ts'
import type { FastClock } from './fast-clock.ts'
import { platformSwitches } from './platform-switches.ts'
import type { SlackEmulator } from './slack/emulator.ts'
import { slackSwitches } from './slack-switches.ts'
import { toggle, type Switch } from './switch.ts'
import { OPERATORS_GROUP, OTTO } from './slack/seed.ts'

/** Something a person can make go wrong, or put right again, while everything runs. */
export interface Control {
  readonly id: string
  readonly label: string
  readonly hint: string
  /** A toggle stays on until it is turned off; a button does one thing each time. */
  readonly kind: 'toggle' | 'button'
  readonly on?: boolean
}

/** All that can be broken on the stage, for a page to show and for tests to turn. */
export interface Controls {
  list(): readonly Control[]
  /** Turns a toggle, or presses a button whatever `on` says. Throws RangeError for an unknown id. */
  set(id: string, on: boolean): void
  subscribe(listener: () => void): () => void
}

export interface Controlled {
  readonly cdn: Pick<CdnEmulator, 'world' | 'faults'>
  readonly slack: Pick<SlackEmulator, 'switches' | 'workspace' | 'disconnectOldest' | 'dropAll'>
  readonly clock: FastClock
}

const FAST_FACTOR = 60

/** Makes the controls of a stage; nothing is broken at the start. */
export function createControls({ cdn, slack, clock }: Controlled): Controls {
  const all = [
    ...platformSwitches(cdn, clock),
    fastTime(clock),
    ...peopleSwitches(slack, clock),
    ...slackSwitches(slack),
  ]
  const listeners = new Set<() => void>()
  return {
    list: () => all.map(shown),
    set(id, on) {
      const found = all.find((each) => each.id === id)
      if (found === undefined) throw new RangeError(`There is no control called ${id}`)
      found.turn(on)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function fastTime(clock: Pick<FastClock, 'factor' | 'setFactor'> & Pick<Clock, 'now'>): Switch {
  return toggle({
    id: 'fast-time',
    label: `Time at ${FAST_FACTOR}×`,
    hint: 'An hour passes in a minute, for the bot too: an approval that waits expires in half a minute.',
    isOn: () => clock.factor === FAST_FACTOR,
    turn: (on) => clock.setFactor(on ? FAST_FACTOR : 1),
  })
}

function shown({ id, label, hint, kind, isOn }: Switch): Control {
  return isOn === undefined ? { id, label, hint, kind } : { id, label, hint, kind, on: isOn() }
}

/** What can happen to people and to the user groups their roles come from, while a request of theirs is under way. */
function peopleSwitches(
  { workspace, switches }: Pick<SlackEmulator, 'workspace' | 'switches'>,
  clock: Pick<Clock, 'now'>,
): readonly Switch[] {
  const group = () => workspace.groups.find(({ id }) => id === OPERATORS_GROUP)
  const users = () => group()?.users ?? []
  return [
    toggle({
      id: 'otto-leaves',
      label: 'Otto leaves the operators',
      hint: 'Somebody takes Otto out of @cdn-operators; Slack tells the bot, and he has no role any more.',
      isOn: () => !users().includes(OTTO),
      turn: (on) =>
        workspace.setGroupUsers(OPERATORS_GROUP, on ? users().filter((id) => id !== OTTO) : [...users(), OTTO]),
    }),
    toggle({
      id: 'otto-deactivated',
      label: 'Otto is deactivated',
      hint: 'Otto leaves the company: his account is deactivated, whatever groups still name him.',
      isOn: () => workspace.member(OTTO).kind === 'deactivated',
      turn: (on) => workspace.changeMember(OTTO, { kind: on ? 'deactivated' : 'member' }),
    }),
    toggle({
      id: 'operators-disabled',
      label: 'Operators group disabled',
      hint: 'Somebody disables @cdn-operators: Olga and Otto are no operators any more.',
      isOn: () => group()?.disabledAtS !== 0,
      turn: (on) => workspace.setGroupDisabled(OPERATORS_GROUP, on ? Math.floor(clock.now().getTime() / SECOND_MS) : 0),
    }),
    toggle({
      id: 'no-user-groups',
      label: 'No user groups',
      hint: 'Slack refuses to say who is in its groups, as on its free plan.',
      isOn: () => !switches.paidPlan,
      turn: (on) => (switches.paidPlan = !on),
    }),
  ]
}
