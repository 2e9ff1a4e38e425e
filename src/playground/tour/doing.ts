import type { Person } from '../slack/person.ts'
import type { PersonOutcome } from '../slack/interactions.ts'
import { OPS } from '../slack/seed.ts'
import type { Stage } from '../stage.ts'

/** People look before they press. By then the bot knows where in Slack its message stands. */
const LOOK_MS = 200

export function types(command: string): (person: Person) => Promise<PersonOutcome> {
  return async (person) => person.command(OPS, command)
}

/** Presses a button of the newest message that has it, and accepts the question that may come first. */
export function presses(label: string): (person: Person, stage: Pick<Stage, 'clock'>) => Promise<PersonOutcome> {
  return async (person, { clock }) => {
    await clock.sleep(LOOK_MS)
    for (const message of person.messages(OPS).toReversed()) {
      for (const block of message.blocks) {
        if (block.type !== 'actions') continue
        const element = block.elements.find((each) => each.type === 'button' && each.text.text === label)
        if (element?.action_id !== undefined) return person.click({ message }, block.block_id, element.action_id)
      }
    }
    throw new Error(`No message has a button “${label}”`)
  }
}
