import type { AuditHead } from '../../store/audit-chain.ts'
import type { Field } from '../field.ts'
import { custom, type FieldText, one, problem } from '../fields.ts'

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/
const MAX_CHARACTERS = 81

/** A head of the record that was noted earlier, as `seq:mac`. */
export function auditHead(options: FieldText): Field<AuditHead, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: MAX_CHARACTERS, multiline: false, word: 'seq:mac' },
    read(raw) {
      const head = headIn(one(raw))
      return head === undefined
        ? problem(`${options.label} is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….`)
        : { ok: true, value: head }
    },
  })
}

/** The head that somebody noted; undefined when the text is none. */
export function headIn(text: string): AuditHead | undefined {
  const [, seq, hash] = HEAD.exec(text.trim().toLowerCase()) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

/** A head as people note it. */
export function headText({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`
}
