import type { AuditHead } from '../../store/schema/audit-chain.ts'
import { spelled } from '../declaration/fields.ts'
import { messageOf, paragraphs, smallPrint } from '../../block-kit/message.ts'
import { code, dateTime, md } from '../../block-kit/mrkdwn.ts'
import type { AuditVerdict } from '../../store/audit/audit-verification.ts'
import type { Answer } from '../declaration/answer.ts'
import { count, counted } from '../../block-kit/amounts.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { unreachable } from '../../shared/errors.ts'

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/

export function readHead(text: string): AuditHead | undefined {
  const [, seq, hash] = HEAD.exec(text.trim().toLowerCase()) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

export function formatHead({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`
}

export const auditVerify = defineOperation({
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed, removed or added',
  verb: 'Verify the audit log',
  effect: 'read',
  minimumRole: 'admin',
  fields: {
    expect: spelled({
      label: 'Expected head',
      hint: 'A head noted earlier, as seq:mac: shows whether newer entries were cut off since.',
      maxLength: 81,
      word: 'seq:mac',
      parse: readHead,
      rule: 'Expected head is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….',
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
  const { headline, sentences } = describeVerdict(verdict, expect)
  const lead = [
    md`${verdict.ok ? md`:white_check_mark:` : md`:rotating_light:`} *${headline}*`,
    md`${sentences.join('\n')}`,
  ]
  const asOf = md`As of ${dateTime(now)}`
  if (!verdict.ok || verdict.entries === 0) return { message: messageOf(paragraphs(...lead), smallPrint(asOf)) }
  const head = formatHead(verdict.head)
  const note = md`*Head, to note elsewhere:* ${code(head)}`
  const later = md`Later: ${code(`${command} audit verify ${head}`)} shows that nothing up to it is missing.`
  return { message: messageOf(paragraphs(...lead, note), smallPrint(later, asOf)) }
}

type Broken = Extract<AuditVerdict, { readonly ok: false }>

const UNKEYED = 'Without AUDIT_KEY this detects accidents, not tampering.'
const NOT_EXPECTED = 'Whether the newest entries were cut off takes a head that was noted before: --expect.'
const NEXT = 'Copy the database as it is and compare it with a backup before anything is mended.'

export function describeVerdict(verdict: AuditVerdict, expect: AuditHead | undefined) {
  const { entries, keyed } = verdict
  const unkeyed = keyed ? [] : [UNKEYED]
  if (!verdict.ok) {
    const sentences = [describeFault(verdict, expect), ...hintAtKey(verdict), NEXT, ...unkeyed]
    return { headline: 'The audit log is not what was written', sentences }
  }
  if (entries === 0) return { headline: 'The audit log has no entry yet', sentences: [...unkeyed, NOT_EXPECTED] }
  const sentences =
    expect === undefined
      ? [...unkeyed, NOT_EXPECTED]
      : [`Entry ${expect.seq} is the one that was noted, so nothing up to it is missing.`, ...unkeyed]
  return { headline: `Audit log: ${counted(entries, 'entry', 'entries')} intact`, sentences }
}

function describeFault({ fault, firstBad, entries }: Broken, expect: AuditHead | undefined): string {
  const sound = entries === 0 ? 'No entry before it is sound.' : `The first ${count(entries)} are sound.`
  switch (fault) {
    case 'entry':
      return `The first bad entry is ${firstBad}: it was changed, removed, added or moved. ${sound}`
    case 'head':
      return `The entries up to ${firstBad} lead to another head than the one that is stored: the newest entries or the head were changed.`
    case 'cut':
      return `What is there is sound, but entry ${expect?.seq ?? firstBad} was noted and is gone: the log was cut off from entry ${firstBad} on.`
    case 'replaced':
      return `Entry ${firstBad} is not the one that was noted: the log was written anew from there or before, or this is another log.`
    default:
      return unreachable(fault)
  }
}

/** A wrong key makes even the first entry look forged. */
function hintAtKey({ fault, firstBad }: Broken): readonly string[] {
  const hint = 'That is also how it looks when AUDIT_KEY is not what it was when the log was written.'
  return fault === 'entry' && firstBad === 1 ? [hint] : []
}
