import { button, type Button } from '../../block-kit/buttons.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/schema/change.ts'

/** What one can do about a change on Home and in lists. Whether somebody may is asked again when they press it. */
export const CHANGE_BUTTONS = {
  approve: 'Approve …',
  exists: 'It exists',
  absent: 'It does not exist',
  open: 'Open',
} as const
export type ChangeButton = keyof typeof CHANGE_BUTTONS

/** Before the name of what a button of Home does, and of these wherever they stand. */
export const HOME_ACTION = 'home:'

const MAX_SENTENCE_CHARACTERS = 200

export function changeButton(
  kind: ChangeButton,
  { id, sentence, operation }: Change,
  actionId = `${HOME_ACTION}${kind}`,
): Button {
  const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
  const text = CHANGE_BUTTONS[kind]
  const asksBack = kind === 'exists' || kind === 'absent'
  return button({
    actionId,
    text,
    value: id,
    accessibilityLabel: `${text}: ${what}`,
    ...(asksBack && {
      confirm: { title: `${text}?`, text: `You have checked: ${what}. This ends it.`, confirm: text, deny: 'Back' },
    }),
  })
}
