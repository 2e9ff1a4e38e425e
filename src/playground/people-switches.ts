import type { Clock } from '../shared/clock.ts'
import type { SlackEmulator } from './slack/emulator.ts'
import { OPERATORS_GROUP, OTTO } from './slack/seed.ts'
import { toggle, type Switch } from './switch.ts'

const SECOND_MS = 1_000

/** What can happen to people and to the user groups their roles come from, while a request of theirs is under way. */
export function peopleSwitches(
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
