import type { AuditHead } from '../../store/audit-chain.ts'
import { spelled } from '../fields.ts'
import { messageOf, paragraphs, smallPrint } from '../../block-kit/message.ts'
import { code, dateTime, md } from '../../block-kit/mrkdwn.ts'
import type { AuditVerdict } from '../../store/audit-verification.ts'
import type { Answer } from '../answer.ts'
import { count, counted } from '../../block-kit/amounts.ts'
import { defineOperation } from '../define-operation.ts'
import type { OperationContext } from '../operation.ts'
import { unreachable } from '../../shared/errors.ts'

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/

export function headIn(text: string): AuditHead | undefined {
  const [, seq, hash] = HEAD.exec(text.trim().toLowerCase()) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

export function headText({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`
}

export const auditVerify = defineOperation({
  name: 'audit verify',
  summary: 'Check that no entry of the record was changed, removed or added',
  verb: 'Verify the record',
  effect: 'read',
  minimumRole: 'admin',
  audience: 'caller',
  fields: {
    expect: spelled({
      label: 'Expected head',
      hint: 'A head noted earlier, as seq:mac: shows whether newer entries were cut off since.',
      maxLength: 81,
      word: 'seq:mac',
      parse: headIn,
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
  return { message: messageOf(paragraphs(title, md`${sentences.join('\n')}`, ...note), smallPrint(...small)) }
}

type Broken = Extract<AuditVerdict, { readonly ok: false }>

const UNKEYED =
  'There is no AUDIT_KEY, so this proves accidents, not forgery: whoever can write to the database can also write the whole record anew.'
const NOT_EXPECTED =
  'That the newest entries were cut off cannot be seen without a head that was noted before: give one with --expect.'

export function verdictWords(verdict: AuditVerdict, expect: AuditHead | undefined) {
  const { entries, keyed } = verdict
  const unkeyed = keyed ? [] : [UNKEYED]
  if (!verdict.ok) {
    return {
      headline: 'The record is not what was written',
      sentences: [faultWords(verdict, expect), ...keyHint(verdict), NEXT, ...unkeyed],
    }
  }
  if (entries === 0) return { headline: 'The record has no entry yet', sentences: [...unkeyed, NOT_EXPECTED] }
  return {
    headline: 'The record is sound',
    sentences: [
      `${counted(entries, 'entry', 'entries')}, each as it was written, none removed, added or moved.`,
      ...(expect === undefined
        ? []
        : [`Entry ${expect.seq} is the one that was noted, so nothing up to it is missing.`]),
      ...unkeyed,
      ...(expect === undefined ? [NOT_EXPECTED] : []),
    ],
  }
}

const NEXT =
  'Keep the database as it is, take a copy of it, and compare it with a backup. Who has access to it should be found out before anything is mended.'

function faultWords({ fault, firstBad, entries }: Broken, expect: AuditHead | undefined): string {
  const sound = entries === 0 ? 'No entry before it is sound.' : `The first ${count(entries)} are sound.`
  switch (fault) {
    case 'entry':
      return `The first bad entry is ${firstBad}: it was changed, removed, added or moved. ${sound}`
    case 'head':
      return `The entries up to ${firstBad} lead to another head than the one that is stored: the newest entries or the head were changed.`
    case 'cut':
      return `What is there is sound, but entry ${expect?.seq ?? firstBad} was noted and is gone: the record was cut off from entry ${firstBad} on.`
    case 'replaced':
      return `Entry ${firstBad} is not the one that was noted: the record was written anew from there or before, or this is another record.`
    default:
      return unreachable(fault)
  }
}

/** A wrong key makes even the first entry look forged. */
function keyHint({ fault, firstBad, keyed }: Broken): readonly string[] {
  if (fault !== 'entry' || firstBad !== 1) return []
  return [
    keyed
      ? 'That is also how it looks when AUDIT_KEY is not the key that the record was written with.'
      : 'That is also how it looks when the record was written with an AUDIT_KEY, which is not set now.',
  ]
}
