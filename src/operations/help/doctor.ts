import { counted } from '../../block-kit/amounts.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { pageButton } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { Checked, Finding } from '../declaration/examination.ts'

export const doctor = defineOperation({
  name: 'doctor',
  aliases: ['check', 'preflight'],
  summary: 'Check tokens, scopes, channel, keys, logs, store and clock of CDN Ops',
  // The roles of the account's keys are read.
  effect: 'sensitive read',
  fields: {},
  examples: ['doctor'],
  describe: () => 'Check how CDN Ops is set up, the roles of its API key included',
  run: (_, context) => context.doctor.examine(context.signal, (check) => context.progress(`Checking: ${check}`)),
  present(checked) {
    const findings = checked.flatMap((each) => each.findings)
    const unknown = checked.filter(({ isUnknown }) => isUnknown).length
    const unlooked = unknown === 0 ? '' : ` ${counted(unknown, 'check')} could not be made.`
    const title =
      findings.length === 0
        ? md`:white_check_mark: *Nothing is wrong* with how CDN Ops is set up.${unlooked}`
        : md`:warning: *${counted(findings.length, 'thing is', 'things are')} wrong* with how CDN Ops is set up.${unlooked}`
    return {
      message: wordsMessage([title], { list: findingLines(findings) }),
      buttons: [
        {
          kind: 'more',
          label: 'All checks',
          message: wordsMessage([md`*All checks*`], { list: checked.map(checkLine) }),
        },
        pageButton('Check again', {}),
      ],
    }
  },
})

export function findingLines(findings: readonly Finding[]): readonly Mrkdwn[] {
  const inOrder = findings.toSorted((one, other) => Number(other.stops) - Number(one.stops))
  return inOrder.map(({ stops, happened, remedy }) => md`${stops ? md`:x: ` : md`:warning: `}${happened} *${remedy}*`)
}

function checkLine({ check, seen, isUnknown, findings }: Checked): Mrkdwn {
  if (findings.length > 0) return md`:x: *${check}*: ${findings.map(({ happened }) => happened).join(' ')}`
  return md`${isUnknown ? md`:grey_question: ` : md`:white_check_mark: `}*${check}*: ${seen}`
}
