import { OPS } from '../slack/state/seed.ts'
import type { Step } from './tour.ts'

type Doing = Pick<Step, 'does' | 'act'>

/** People look before they press. By then the bot knows where in Slack its message stands. */
const LOOK_MS = 200

export function types(command: string, why = ''): Doing {
  return { does: `types ${command}${why}`, act: async (person) => person.command(OPS, command) }
}

export function submits(label: string): Doing {
  return { does: `presses “${label}”`, act: async (person) => person.submit() }
}

/** A button of the newest message that has it; the question that may come first is accepted. */
export function presses(label: string, why = ''): Doing {
  return {
    does: `presses “${label}”${why}`,
    async act(person, { clock }) {
      await clock.sleep(LOOK_MS)
      for (const message of person.messages(OPS).toReversed()) {
        for (const block of message.blocks) {
          if (block.type !== 'actions') continue
          const element = block.elements.find((each) => each.type === 'button' && each.text.text === label)
          if (element?.action_id !== undefined) return person.click({ message }, block.block_id, element.action_id)
        }
      }
      throw new Error(`No message has a button “${label}”`)
    },
  }
}
