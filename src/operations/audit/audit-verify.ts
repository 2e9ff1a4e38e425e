import { message } from '../../block-kit/message.ts'
import { code, dateTime, md, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import type { AuditHead } from '../../store/audit-chain.ts'
import type { AuditVerdict } from '../../store/audit-verification.ts'
import type { Answer } from '../answer.ts'
import { counted } from '../../block-kit/amounts.ts'
import { defineOperation } from '../define-operation.ts'
import type { OperationContext } from '../operation.ts'
import { auditHead, headText } from './head-field.ts'
import { verdictWords } from './verdict-words.ts'

/** `audit verify`: whether the record is what was written. A read that asks nothing of the record but to be read. */
export const auditVerify = defineOperation({
  name: 'audit verify',
  summary: 'Check that no entry of the record was changed, removed or added',
  verb: 'Verify the record',
  effect: 'read',
  minimumRole: 'admin',
  audience: 'caller',
  shareable: false,
  fields: {
    expect: auditHead({
      label: 'Expected head',
      hint: 'A head noted earlier, as seq:mac: shows whether newer entries were cut off since.',
    }),
  },
  positionals: ['expect'],
  examples: ['audit verify', `audit verify --expect 120:${'0a1b2c3d'.repeat(8)}`],
  describe: ({ expect }) => `Verify the audit log${expect === undefined ? '' : ` against entry ${expect.seq}`}`,
  async run({ expect }, context) {
    const { audit } = context.store
    const { seq } = await audit.head()
    context.progress(`Checking ${counted(seq, 'entry', 'entries')} of the audit log`)
    return audit.verify({ expect })
  },
  present: (verdict, { expect }, context) => verdictAnswer(verdict, expect, context),
})

function verdictAnswer(
  verdict: AuditVerdict,
  expect: AuditHead | undefined,
  { now, command }: Pick<OperationContext, 'now' | 'command'>,
): Answer {
  const { headline, sentences } = verdictWords(verdict, expect)
  const title = md`${verdict.ok ? md`:white_check_mark:` : md`:rotating_light:`} *${headline}*`
  const head = verdict.ok && verdict.entries > 0 ? [headText(verdict.head)] : []
  const note = head.map((text) => md`*Head, to note elsewhere:* ${code(text)}`)
  const small = [
    ...head.map(
      (text) => md`Later: ${code(`${command} audit verify ${text}`)} shows that nothing up to it is missing.`,
    ),
    md`As of ${dateTime(now)}`,
  ]
  return {
    message: message({
      text: [title, ...sentences.map((sentence) => md`${sentence}`), ...note, ...small].map(plainOf).join('\n'),
      blocks: [
        section(title),
        section(sentences.join('\n')),
        ...note.map((line) => section(line)),
        ...small.map((line) => context(line)),
      ],
    }),
  }
}
